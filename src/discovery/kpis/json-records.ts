import { ApiError } from '../../text/errors'
import { parseJsonText } from '../../text/json'
import {
  CHUNK,
  collector,
  DATE_NAMES,
  longRow,
  MAX_ROWS,
  type Records,
  rankIn,
  shown,
  tooMany,
  type Unreadable,
  VALUE_NAMES,
} from './collect'
import { findList } from './json'

const NOT_A_LIST = 'The JSON file is not a list. Send an array of records, or an object with an array "records".'
const NO_LIST_FOUND =
  'The JSON file is not a list, or the list is not closed. Send an array of records, or an object with an array "records".'
const MUCH_AROUND = `The JSON file has more than ${CHUNK / 1024} KiB besides its records. Send the records alone.`

export function parseJsonRecords(text: string, now: number): Records | Unreadable {
  const list = text.length > CHUNK ? findList(text, CHUNK, MAX_ROWS) : undefined
  if (list?.long) return { problem: longRow(list.long) }
  if (list && list.items > MAX_ROWS) return tooMany
  const around = list ? `${text.slice(0, list.from)}[]${text.slice(list.to)}` : text
  if (around.length > CHUNK) return { problem: list ? MUCH_AROUND : NO_LIST_FOUND }
  const { records, add, reject } = collector(now)
  const roles = keyRoles()
  const take = (items: unknown[]): void => {
    for (const item of items) {
      if (typeof item === 'number' || typeof item === 'string') add(item, undefined)
      else if (typeof item !== 'object' || item === null || Array.isArray(item)) {
        reject(`${shown(item)} is neither a record nor a number`)
      } else addObject(item as Record<string, unknown>, roles, add)
    }
  }
  const root = parseJsonPart(around, '')
  if ('problem' in root) return root
  const rest = itemsOf(root.value)
  if (!rest) return { problem: NOT_A_LIST }
  take(rest)
  for (const { from, to, before } of list?.pieces ?? []) {
    const part = parseJsonPart(`[${text.slice(from, to)}]`, before ? `From row ${before + 1} on: ` : '')
    if ('problem' in part) return part
    take(part.value as unknown[])
  }
  return records
}

function parseJsonPart(text: string, where: string): { value: unknown } | Unreadable {
  try {
    return { value: parseJsonText(text, 'The file') }
  } catch (cause) {
    if (cause instanceof ApiError) return { problem: `${where}${cause.message} Send a JSON array of records, or CSV.` }
    throw cause
  }
}

function itemsOf(root: unknown): unknown[] | undefined {
  if (Array.isArray(root)) return root
  if (typeof root !== 'object' || root === null || !Object.hasOwn(root, 'records')) return undefined
  const { records } = root as { records: unknown }
  return Array.isArray(records) ? records : undefined
}

/** How many keys of a file's objects are remembered with their roles: real files have a handful. */
const MAX_KEYS = 1000

interface Role {
  value: number | undefined
  date: number | undefined
}

function keyRoles(): (key: string) => Role {
  const known = new Map<string, Role>()
  return (key) => {
    let role = known.get(key)
    if (!role) {
      role = { value: rankIn(VALUE_NAMES, key), date: rankIn(DATE_NAMES, key) }
      if (known.size < MAX_KEYS) known.set(key, role)
    }
    return role
  }
}

function addObject(
  item: Record<string, unknown>,
  roles: (key: string) => Role,
  add: (value: unknown, date: unknown) => void,
): void {
  let value: unknown
  let date: unknown
  let valueRank = VALUE_NAMES.length
  let dateRank = DATE_NAMES.length
  for (const key of Object.keys(item)) {
    const role = roles(key)
    if (role.value !== undefined && role.value < valueRank) {
      value = item[key]
      valueRank = role.value
    } else if (role.date !== undefined && role.date < dateRank) {
      date = item[key]
      dateRank = role.date
    }
  }
  add(value, date)
}
