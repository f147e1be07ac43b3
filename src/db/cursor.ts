import { base64url } from 'jose'
import * as z from 'zod'
import { invalid } from '../text/errors'
import { decodeUtf8 } from '../text/json'

/** Where a page begins: behind the record with this sort value and id. */
export interface Place {
  readonly value: string | number | null
  readonly id: number
}

/** An opaque place in a list: the sort it belongs to, the sort value of the last record and its id. */
export function encodeCursor(sort: string, { value, id }: Place): string {
  return base64url.encode(JSON.stringify([sort, value, id]))
}

const Cursor = z.tuple([z.string(), z.union([z.string(), z.number(), z.null()]), z.int()])

/** The place that a cursor names; a 400 when it is none of this list's. */
export function decodeCursor(sort: string, cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  try {
    const text = decodeUtf8(base64url.decode(cursor)) ?? ''
    const [of, value, id] = Cursor.parse(JSON.parse(text))
    if (of === sort) return { value, id }
  } catch {}
  throw invalid('/query/cursor', 'This cursor is not one of this list. Follow the `next` link, or start without it.')
}
