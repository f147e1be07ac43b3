import { CHUNK } from '../../../files/batch'
import { jsonParser } from '../../../files/json'
import { DATE_NAMES, type RecordsReader, rankIn, recordsReader, shown, VALUE_NAMES } from './collect'

/** Reads the records of a JSON text. */
export function jsonRecords(now: number): RecordsReader {
  const roles = keyRoles()
  return recordsReader(jsonParser({ maxRow: CHUNK, strict: true }), now, (item, { add, reject }) => {
    if (typeof item === 'number' || typeof item === 'string') add(item, undefined)
    else if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      reject(`${shown(item)} is neither a record nor a number`)
    } else addObject(item as Record<string, unknown>, roles, add)
  })
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
