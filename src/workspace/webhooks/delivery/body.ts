import type { Actor } from '../../../db/actor'
import { iso } from '../../../text/moments'
import { hidingFiles } from '../../assets/hiding'
import { withKeys } from '../../events/keys'
import { withoutPeople, withPerson } from '../../events/people'
import type { DueDelivery } from './queries/claim'

export const MAX_BODY = 20_000
// Bytes of the envelope and of `truncated`.
const AROUND = 300
// Limits in characters for a text and for the items of a list together, tried from large to small.
const CAPS = [8_000, 4_000, 2_000, 1_000, 500, 200, 80, 20]

type Members = Record<string, unknown>

const encoder = new TextEncoder()
const bytesOf = (value: unknown) => encoder.encode(JSON.stringify(value)).length

function shortened(value: unknown, cap: number): unknown {
  if (typeof value === 'string') return value.length > cap ? `${value.slice(0, cap).toWellFormed()}…` : value
  if (Array.isArray(value)) {
    let left = cap
    const end = value.findIndex((item) => {
      left -= (JSON.stringify(item) ?? '').length
      return left < 0
    })
    return (end < 0 ? value : value.slice(0, end)).map((item) => shortened(item, cap))
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member, cap)]))
}

/** Cuts the longest texts and lists until the record fits into `room` bytes, and sets `truncated`. */
export function fitting(data: Members, room: number): Members {
  if (bytesOf(data) <= room) return data
  for (const cap of CAPS) {
    const cut = { ...(shortened(data, cap) as Members), truncated: true }
    if (bytesOf(cut) <= room) return cut
  }
  // If the cuts are not enough, the largest members are left out, and short members such as ids stay.
  const members = Object.entries(shortened(data, 20) as Members).toSorted(([, a], [, b]) => bytesOf(a) - bytesOf(b))
  const kept: Members = { truncated: true }
  for (const [name, value] of members) if (bytesOf({ ...kept, [name]: value }) <= room) kept[name] = value
  return kept
}

/** The API key of the endpoint decides about the visible content. */
export type Reader = Pick<Actor, 'scopes' | 'products'>

/** Builds the body `{type, timestamp, data, previous?}` with the content visible to the reader. */
export function bodyOf(delivery: DueDelivery & { data: string; at: number }, reader: Reader): string {
  const { type, at, data, previous } = delivery
  const parse = (text: string) => hidingFiles(JSON.parse(withKeys(text, reader)) as Members, reader)
  const before = previous === null ? undefined : fitting(parse(withoutPeople(previous)), (MAX_BODY - AROUND) / 2)
  const room = MAX_BODY - AROUND - (before ? bytesOf(before) : 0)
  const now = fitting(parse(withPerson(data, delivery)), room)
  return JSON.stringify({ type, timestamp: iso(at), data: now, ...(before && { previous: before }) })
}
