import { type SQL, sql } from 'drizzle-orm'
import { base64url } from 'jose'
import * as z from 'zod'
import { invalid } from '../text/errors'
import { decodeUtf8 } from '../text/json'
import { param } from './statement'

export interface Page {
  limit: number
  cursor?: string | undefined
  sort: string
}

type Place = readonly [value: string | number, id: number]

/** An opaque place in a list: the sort it belongs to, the sort value of the last record and its id. */
function encodeCursor(sort: string, place: Place): string {
  return base64url.encode(JSON.stringify([sort, ...place]))
}

const Cursor = z.tuple([z.string(), z.union([z.string(), z.number()]), z.int()])

function decodeCursor(page: Page): Place | undefined {
  if (page.cursor === undefined) return undefined
  try {
    const text = decodeUtf8(base64url.decode(page.cursor)) ?? ''
    const [sort, value, id] = Cursor.parse(JSON.parse(text))
    if (sort === page.sort) return [value, id]
  } catch {}
  throw invalid('/query/cursor', 'This cursor is not one of this list. Follow the `next` link, or start without it.')
}

/** Binds `pageAfter`: one record more than the page holds is read, to know whether there is a next one. */
export type PageValues = ReturnType<typeof pageValues>

export function pageValues(page: Page) {
  const place = decodeCursor(page)
  return { '@limit': page.limit + 1, '@after': place?.[0] ?? null, '@afterId': place?.[1] ?? null }
}

/** Which text of a list's SQL a page needs: its direction, and whether it begins behind a cursor. */
export type PageVariant = `${'asc' | 'desc'}${'' | ' after'}`

export function sortedBy(page: Page): PageVariant {
  return `${page.sort.startsWith('-') ? 'desc' : 'asc'}${page.cursor === undefined ? '' : ' after'}`
}

/** `… AND (value, id) after the cursor ORDER BY value, id LIMIT …`, to end a keyset list's WHERE. */
export function pageAfter(value: SQL, id: SQL, variant: PageVariant): SQL {
  const order = sql.raw(variant.startsWith('asc') ? 'ASC' : 'DESC')
  const compare = sql.raw(variant.startsWith('asc') ? '>' : '<')
  const after = sql`AND (${value}, ${id}) ${compare} (${param('@after')}, ${param('@afterId')})`
  return sql`${variant.endsWith('after') ? after : sql``} ORDER BY ${value} ${order}, ${id} ${order} LIMIT ${param('@limit')}`
}

/** The rows of the page, and the cursor of the next one when there is more. */
export function paginate<Row>(
  rows: Row[],
  page: Page,
  place: (row: Row) => Place,
): { rows: Row[]; next?: { cursor: string } } {
  if (rows.length <= page.limit) return { rows }
  const kept = rows.slice(0, page.limit)
  const last = kept[kept.length - 1]
  return last === undefined ? { rows } : { rows: kept, next: { cursor: encodeCursor(page.sort, place(last)) } }
}
