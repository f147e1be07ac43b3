import { CHUNK_SIZE, RejectedRow, type RowParser } from '../../../files/batch'
import { createJsonParser } from '../../../files/json'
import { createNdjsonParser } from '../../../files/ndjson'
import { createReader, quoteValue, type RecordsReader } from './collect'
import { chooseColumns, ranksOf } from './columns'

export const jsonReader = (now: number): RecordsReader =>
  objectReader(createJsonParser({ maxRow: CHUNK_SIZE, strict: true }), now)

export const ndjsonReader = (now: number): RecordsReader =>
  objectReader(createNdjsonParser({ maxRow: CHUNK_SIZE }), now)

const SAMPLE_SIZE = 10
/** Keys inspected in the sample; real files have a handful. */
const MAX_SAMPLE_KEYS = 300

type JsonRecord = Record<string, unknown>
type Collector = Parameters<Parameters<typeof createReader>[2]>[1]

const isJsonRecord = (row: unknown): row is JsonRecord =>
  typeof row === 'object' && row !== null && !Array.isArray(row) && !(row instanceof RejectedRow)

function objectReader(parser: RowParser, now: number): RecordsReader {
  const roleOf = keyRoles()
  let keys: Keys | undefined
  const sample: unknown[] = []

  const take = (row: unknown, { add, reject }: Collector): void => {
    if (row instanceof RejectedRow) reject(row.reason)
    else if (typeof row === 'number' || typeof row === 'string') add(row, undefined)
    else if (!isJsonRecord(row)) reject(`${quoteValue(row)} is neither a record nor a number`)
    else addObject(row, { roleOf, keys: keys ?? {} }, add)
  }
  const settle = (into: Collector): void => {
    keys = chooseKeys(sample.filter(isJsonRecord))
    for (const row of sample.splice(0)) take(row, into)
  }
  return createReader(
    parser,
    now,
    (row, into) => {
      if (keys) return take(row, into)
      sample.push(row)
      if (sample.length === SAMPLE_SIZE) settle(into)
    },
    settle,
  )
}

interface Keys {
  value?: string | undefined
  date?: string | undefined
}

function chooseKeys(items: readonly JsonRecord[]): Keys {
  const names = [...new Set(items.flatMap((item) => Object.keys(item).slice(0, MAX_SAMPLE_KEYS)))]
  const some = names.slice(0, MAX_SAMPLE_KEYS)
  const { value, date } = chooseColumns(
    some,
    items.map((item) => some.map((name) => item[name])),
  )
  return {
    value: value === undefined ? undefined : some[value],
    date: date === undefined ? undefined : some[date],
  }
}

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
  item: JsonRecord,
  { roleOf, keys }: { roleOf: (key: string) => Role; keys: Keys },
  add: Collector['add'],
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
