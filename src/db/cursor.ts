import * as z from 'zod'
import { invalid } from '../text/errors'

/** Where a page begins: behind the record with this sort value and id. */
export interface Place {
  readonly value: string | number | null
  readonly id: number
}

const URL_SAFE: Record<string, string> = { '+': '-', '/': '_' }

/** An opaque place in a list: the sort it belongs to, the sort value of the last record and its id. */
export function encodeCursor(sort: string, { value, id }: Place): string {
  const json = JSON.stringify([sort, value, id])
  const bytes = /^[ -~]*$/.test(json) ? json : String.fromCharCode(...new TextEncoder().encode(json))
  return btoa(bytes).replace(/[+/=]/g, (character) => URL_SAFE[character] ?? '')
}

const Cursor = z.tuple([z.string(), z.union([z.string(), z.number(), z.null()]), z.int()])

/** The place that a cursor names; a 400 when it is none of this list's. */
export function decodeCursor(sort: string, cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  try {
    const bytes = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(
      Uint8Array.from(bytes, (c) => c.charCodeAt(0)),
    )
    const [of, value, id] = Cursor.parse(JSON.parse(text))
    if (of === sort) return { value, id }
  } catch {}
  throw invalid('/query/cursor', 'This cursor is not one of this list. Follow the `next` link, or start without it.')
}
