import { base64url } from 'jose'
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

/** Throws a 400 for a cursor made for a different sort, and if `read` returns nothing for its place. */
export function decodeCursorAs<P>(sort: string, cursor: string, read: (place: readonly unknown[]) => P | undefined): P {
  try {
    const parts: unknown = JSON.parse(decodeUtf8(base64url.decode(cursor)) ?? '')
    if (Array.isArray(parts) && parts[0] === sort) {
      const place = read(parts.slice(1))
      if (place !== undefined) return place
    }
  } catch {}
  throw refuseCursor()
}

export type SortValue = string | number | null

export const isSortValue = (value: unknown): value is SortValue =>
  value === null || typeof value === 'string' || typeof value === 'number'

export function decodeCursor(sort: string, cursor: string | undefined): CursorPosition | undefined {
  if (cursor === undefined) return undefined
  return decodeCursorAs(sort, cursor, ([value, id, otherwise, ...more]) => {
    const isPlace = isSortValue(value) && Number.isSafeInteger(id) && !more.length
    const isUnset = otherwise === undefined || typeof otherwise === 'number'
    return isPlace && isUnset ? { value, id: id as number, otherwise } : undefined
  })
}
