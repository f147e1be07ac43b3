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

export const encodeCursorOf = (sort: string, place: readonly unknown[]): string =>
  base64url.encode(JSON.stringify([sort, ...place]))

export const encodeCursor = (sort: string, { value, id, otherwise }: CursorPosition): string =>
  encodeCursorOf(sort, otherwise === undefined ? [value, id] : [value, id, otherwise])

export const refuseCursor = () =>
  invalidValueError(
    '/query/cursor',
    'This cursor belongs to another list. Follow the `next` link, or start without a cursor.',
  )

/** Throws a 400 for a cursor made for a different sort. */
export function decodeCursorAs<P>(sort: string, cursor: string, schema: z.ZodType<P>): P {
  try {
    const text = decodeUtf8(base64url.decode(cursor)) ?? ''
    const [of, ...place] = z.tuple([z.string()], z.unknown()).parse(JSON.parse(text))
    if (of === sort) return schema.parse(place)
  } catch {}
  throw refuseCursor()
}

const PositionTuple = z.tuple([z.union([z.string(), z.number(), z.null()]), z.int(), z.number().optional()])

export function decodeCursor(sort: string, cursor: string | undefined): CursorPosition | undefined {
  if (cursor === undefined) return undefined
  const [value, id, otherwise] = decodeCursorAs(sort, cursor, PositionTuple)
  return { value, id, otherwise }
}
