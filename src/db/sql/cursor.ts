import { base64url } from 'jose'
import * as z from 'zod'
import { invalidValueError } from '../../text/errors'
import { decodeUtf8 } from '../../text/json'

/** The page begins after the record with this sort value and id. */
export interface CursorPosition {
  readonly value: string | number | null
  readonly id: number
  /** Value in the order of the records without a sort value. */
  readonly otherwise?: number | undefined
}

export function encodeCursor(sort: string, { value, id, otherwise }: CursorPosition): string {
  return base64url.encode(JSON.stringify([sort, value, id, otherwise].slice(0, otherwise === undefined ? 3 : 4)))
}

const CursorTuple = z.tuple([z.string(), z.union([z.string(), z.number(), z.null()]), z.int(), z.number().optional()])

/** Decodes a cursor. Throws a 400 for a cursor made for a different sort. */
export function decodeCursor(sort: string, cursor: string | undefined): CursorPosition | undefined {
  if (cursor === undefined) return undefined
  try {
    const text = decodeUtf8(base64url.decode(cursor)) ?? ''
    const [of, value, id, otherwise] = CursorTuple.parse(JSON.parse(text))
    if (of === sort) return { value, id, otherwise }
  } catch {}
  throw invalidValueError(
    '/query/cursor',
    'This cursor belongs to another list. Follow the `next` link, or start without a cursor.',
  )
}
