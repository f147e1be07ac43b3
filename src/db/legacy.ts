import { type SQL, sql } from 'drizzle-orm'
import { decodeCursor, encodeCursor } from './cursor'
import { param } from './statement'

// What the rooms that are not on `record` and `list` yet still write by. It goes with the last of them.

export interface Page {
  limit: number
  cursor?: string | undefined
  sort: string
}

export type PageValues = ReturnType<typeof pageValues>

export function pageValues(page: Page) {
  const place = decodeCursor(page.sort, page.cursor)
  return { '@limit': page.limit + 1, '@after': place?.value ?? null, '@afterId': place?.id ?? null }
}

export type PageVariant = `${'asc' | 'desc'}${'' | ' after'}`

export function sortedBy(page: Page): PageVariant {
  return `${page.sort.startsWith('-') ? 'desc' : 'asc'}${page.cursor === undefined ? '' : ' after'}`
}

export function pageAfter(value: SQL, id: SQL, variant: PageVariant): SQL {
  const order = sql.raw(variant.startsWith('asc') ? 'ASC' : 'DESC')
  const compare = sql.raw(variant.startsWith('asc') ? '>' : '<')
  const after = sql`AND (${value}, ${id}) ${compare} (${param('@after')}, ${param('@afterId')})`
  return sql`${variant.endsWith('after') ? after : sql``} ORDER BY ${value} ${order}, ${id} ${order} LIMIT ${param('@limit')}`
}

export function paginate<Row>(rows: Row[], page: Page, place: (row: Row) => [value: string | number, id: number]) {
  if (rows.length <= page.limit) return { rows }
  const kept = rows.slice(0, page.limit)
  const last = kept[kept.length - 1]
  if (last === undefined) return { rows }
  const [value, id] = place(last)
  return { rows: kept, next: { cursor: encodeCursor(page.sort, { value, id }) } }
}

const LONG_TEXT = 20_000
const MAX_DATA = 500_000

export function eventData(data: object): string {
  const whole = JSON.stringify(data)
  if (whole.length <= LONG_TEXT) return whole
  const short = JSON.stringify(data, (_, value) =>
    typeof value === 'string' && value.length > LONG_TEXT ? `${value.slice(0, LONG_TEXT).toWellFormed()}…` : value,
  )
  return short.length <= MAX_DATA ? short : JSON.stringify({ omitted: 'too long' })
}
