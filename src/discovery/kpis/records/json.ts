import { FILE_CHUNK_SIZE, RejectedRow, type RowParser } from '../../../files/batch'
import { createJsonParser } from '../../../files/json'
import { createNdjsonParser } from '../../../files/ndjson'
import { createRecordsReader, quoteValue, type RecordsReader } from './collect'
import { chooseColumns, ranksOfColumn } from './columns'

export const createJsonRecordsReader = (now: number): RecordsReader =>
  createObjectReader(createJsonParser({ maxRow: FILE_CHUNK_SIZE, strict: true }), now)

export const createNdjsonRecordsReader = (now: number): RecordsReader =>
  createObjectReader(createNdjsonParser({ maxRow: FILE_CHUNK_SIZE }), now)

const MAX_SAMPLED_RECORDS = 10
/** Keys inspected in the sample; real files have a handful. */
const MAX_SAMPLED_KEYS = 300

type JsonRecord = Record<string, unknown>
type RecordCollector = Parameters<Parameters<typeof createRecordsReader>[2]>[1]

const isJsonRecord = (row: unknown): row is JsonRecord =>
  typeof row === 'object' && row !== null && !Array.isArray(row) && !(row instanceof RejectedRow)

function createObjectReader(parser: RowParser, now: number): RecordsReader {
  const roleOf = createKeyRoleCache()
  let keys: ChosenKeys | undefined
  const sample: unknown[] = []

  const take = (row: unknown, { add, reject }: RecordCollector): void => {
    if (row instanceof RejectedRow) reject(row.reason)
    else if (typeof row === 'number' || typeof row === 'string') add(row, undefined)
    else if (!isJsonRecord(row)) reject(`${quoteValue(row)} is neither a record nor a number`)
    else addJsonRecord(row, { roleOf, keys: keys ?? {} }, add)
  }
  const settle = (into: RecordCollector): void => {
    keys = chooseRecordKeys(sample.filter(isJsonRecord))
    for (const row of sample.splice(0)) take(row, into)
  }
  return createRecordsReader(
    parser,
    now,
    (row, into) => {
      if (keys) return take(row, into)
      sample.push(row)
      if (sample.length === MAX_SAMPLED_RECORDS) settle(into)
    },
    settle,
  )
}

interface ChosenKeys {
  value?: string | undefined
  date?: string | undefined
}

function chooseRecordKeys(items: readonly JsonRecord[]): ChosenKeys {
  const names = [...new Set(items.flatMap((item) => Object.keys(item).slice(0, MAX_SAMPLED_KEYS)))]
  const some = names.slice(0, MAX_SAMPLED_KEYS)
  const { value, date } = chooseColumns(
    some,
    items.map((item) => some.map((name) => item[name])),
  )
  return {
    value: value === undefined ? undefined : some[value],
    date: date === undefined ? undefined : some[date],
  }
}

const MAX_CACHED_KEY_ROLES = 1000

type KeyRole = ReturnType<typeof ranksOfColumn>

function createKeyRoleCache(): (key: string) => KeyRole {
  const known = new Map<string, KeyRole>()
  return (key) => {
    let role = known.get(key)
    if (!role) {
      role = ranksOfColumn(key)
      if (known.size < MAX_CACHED_KEY_ROLES) known.set(key, role)
    }
    return role
  }
}

function addJsonRecord(
  item: JsonRecord,
  { roleOf, keys }: { roleOf: (key: string) => KeyRole; keys: ChosenKeys },
  add: RecordCollector['add'],
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
