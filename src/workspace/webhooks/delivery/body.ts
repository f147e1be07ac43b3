import type { Actor } from '../../../db/sql/actor'
import { toIso } from '../../../text/moments'
import { hideFileDetails } from '../../assets/hide-details'
import { toEventSource } from '../../events/actor'
import { parseCascade } from '../../events/cascade'
import { fillInRecordKeys } from '../../events/keys'
import { clearPeople, fillInPerson } from '../../events/people'
import type { DeliveryLinks } from './links'
import type { DueDelivery } from './queries/claim'

export const MAX_DELIVERY_BODY_BYTES = 20_000
// The names of the members, and signs between the parts.
const DELIVERY_FRAME_BYTES = 100
// Limits in characters for a text and for the items of a list together, tried from large to small.
const TEXT_LENGTH_LIMITS = [8_000, 4_000, 2_000, 1_000, 500, 200, 80, 20]

type JsonMembers = Record<string, unknown>

const textEncoder = new TextEncoder()
const countJsonBytes = (value: unknown) => textEncoder.encode(JSON.stringify(value)).length

function shortenTexts(value: unknown, cap: number): unknown {
  if (typeof value === 'string') return value.length > cap ? `${value.slice(0, cap).toWellFormed()}…` : value
  if (Array.isArray(value)) {
    let left = cap
    const end = value.findIndex((item) => {
      left -= (JSON.stringify(item) ?? '').length
      return left < 0
    })
    return (end < 0 ? value : value.slice(0, end)).map((item) => shortenTexts(item, cap))
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortenTexts(member, cap)]))
}

export function fitRecordIntoBytes(data: JsonMembers, maxBytes: number): JsonMembers {
  if (countJsonBytes(data) <= maxBytes) return data
  for (const cap of TEXT_LENGTH_LIMITS) {
    const cut = { ...(shortenTexts(data, cap) as JsonMembers), truncated: true }
    if (countJsonBytes(cut) <= maxBytes) return cut
  }
  // If the cuts are not enough, the largest members are left out, and short members such as ids stay.
  const members = Object.entries(shortenTexts(data, 20) as JsonMembers).toSorted(
    ([, a], [, b]) => countJsonBytes(a) - countJsonBytes(b),
  )
  const kept: JsonMembers = { truncated: true }
  for (const [name, value] of members) if (countJsonBytes({ ...kept, [name]: value }) <= maxBytes) kept[name] = value
  return kept
}

export type DeliveryReader = Pick<Actor, 'scopes' | 'products'>

export function buildDeliveryBody(
  delivery: DueDelivery & { data: string; at: number },
  reader: DeliveryReader,
  links?: DeliveryLinks,
) {
  const { type, at, data, previous } = delivery
  const parse = (text: string) => hideFileDetails(JSON.parse(fillInRecordKeys(text, reader)) as JsonMembers, reader)
  const envelope = { type, timestamp: toIso(at), ...toEventSource(delivery, reader), ...(links && { links }) }
  const cascade = parseCascade(delivery.cascade, reader)
  const maxBytes =
    MAX_DELIVERY_BODY_BYTES - DELIVERY_FRAME_BYTES - countJsonBytes(envelope) - (cascade ? countJsonBytes(cascade) : 0)
  const before = previous === null ? undefined : fitRecordIntoBytes(parse(clearPeople(previous)), maxBytes / 2)
  const now = fitRecordIntoBytes(parse(fillInPerson(data, delivery)), maxBytes - (before ? countJsonBytes(before) : 0))
  return JSON.stringify({ ...envelope, data: now, ...(before && { previous: before }), ...(cascade && { cascade }) })
}
