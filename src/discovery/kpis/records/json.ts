import { CHUNK, Rejected, type RowParser } from '../../../files/batch'
import { jsonParser } from '../../../files/json'
import { ndjsonParser } from '../../../files/ndjson'
import { type RecordsReader, recordsReader, shown } from './collect'
import { columnsOf, ranksOf } from './columns'

export const jsonRecords = (now: number): RecordsReader => recordsOf(jsonParser({ maxRow: CHUNK, strict: true }), now)

export const ndjsonRecords = (now: number): RecordsReader => recordsOf(ndjsonParser({ maxRow: CHUNK }), now)

/** Records inspected to choose the keys of the value and the date. */
const SAMPLE = 10
/** Keys inspected in the sample; real files have a handful. */
const MAX_SAMPLE_KEYS = 300

type Item = Record<string, unknown>
type Into = Parameters<Parameters<typeof recordsReader>[2]>[1]

const isItem = (row: unknown): row is Item =>
  typeof row === 'object' && row !== null && !Array.isArray(row) && !(row instanceof Rejected)

function recordsOf(parser: RowParser, now: number): RecordsReader {
  const roleOf = keyRoles()
  let keys: Keys | undefined
  const sample: unknown[] = []

  const take = (row: unknown, { add, reject }: Into): void => {
    if (row instanceof Rejected) reject(row.reason)
    else if (typeof row === 'number' || typeof row === 'string') add(row, undefined)
    else if (!isItem(row)) reject(`${shown(row)} is neither a record nor a number`)
    else addObject(row, { roleOf, keys: keys ?? {} }, add)
  }
  const settle = (into: Into): void => {
    keys = keysOf(sample.filter(isItem))
    for (const row of sample.splice(0)) take(row, into)
  }
  return recordsReader(
    parser,
    now,
    (row, into) => {
      if (keys) return take(row, into)
      sample.push(row)
      if (sample.length === SAMPLE) settle(into)
    },
    settle,
  )
}

/** Chosen keys, for records without a known name. */
interface Keys {
  value?: string | undefined
  date?: string | undefined
}

function keysOf(items: readonly Item[]): Keys {
  const names = [...new Set(items.flatMap((item) => Object.keys(item).slice(0, MAX_SAMPLE_KEYS)))]
  const some = names.slice(0, MAX_SAMPLE_KEYS)
  const { value, date } = columnsOf(
    some,
    items.map((item) => some.map((name) => item[name])),
  )
  return {
    value: value === undefined ? undefined : some[value],
    date: date === undefined ? undefined : some[date],
  }
}

/** Size of the cache of key roles; real files have a handful of keys. */
const MAX_KEYS = 1000

type Role = ReturnType<typeof ranksOf>

function keyRoles(): (key: string) => Role {
  const known = new Map<string, Role>()
  return (key) => {
    let role = known.get(key)
    if (!role) {
      role = ranksOf(key)
      if (known.size < MAX_KEYS) known.set(key, role)
    }
    return role
  }
}

function addObject(
  item: Item,
  { roleOf, keys }: { roleOf: (key: string) => Role; keys: Keys },
  add: Into['add'],
): void {
  let value = keys.value === undefined ? undefined : item[keys.value]
  let date = keys.date === undefined ? undefined : item[keys.date]
  let valueRank = Number.POSITIVE_INFINITY
  let dateRank = Number.POSITIVE_INFINITY
  for (const key of Object.keys(item)) {
    const role = roleOf(key)
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
