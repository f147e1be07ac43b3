import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../../text/json'

/** The list of records in a JSON text, cut into pieces between two of them. Positions count characters. */
export interface List {
  /** Where its opening bracket stands. */
  from: number
  /** What stands behind its closing one. */
  to: number
  pieces: Piece[]
  items: number
  /** The number of the first item that is longer than a piece may be. */
  long: number | undefined
}

interface Piece {
  /** Its text is that between these two, with brackets around it. */
  from: number
  to: number
  /** How many items stand before it. */
  before: number
}

/**
 * Finds the list of records without parsing: the text itself, or what an object has as `records`. Undefined when there is
 * none, or it has no end. Pieces are as long as `size` allows. It goes no further than one item beyond `maxItems`, or one
 * beyond `size`. Whether all that is JSON is seen when the pieces are parsed, and what stands around the list.
 */
export function findList(text: string, size: number, maxItems: number): List | undefined {
  let found: List | undefined
  let open: List | undefined
  let piece: Piece = { from: 0, to: 0, before: 0 }
  let item = 0
  let depth = 0
  let level = 0
  let name = ''
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === QUOTE) {
      const start = i
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++
      if (depth === 1 && !open) name = text.slice(start, i + 1)
    } else if (c === OPEN_BRACKET || c === OPEN_BRACE) {
      depth++
      if (open || c === OPEN_BRACE || !(depth === 1 || (depth === 2 && name === '"records"'))) continue
      item = i + 1
      piece = { from: item, to: item, before: 0 }
      open = { from: i, to: text.length, pieces: [piece], items: 0, long: undefined }
      level = depth
    } else if (open && depth === level && (c === COMMA || c === CLOSE_BRACKET)) {
      // Nothing behind a last comma is no piece of its own: `[]` would hide the comma.
      if (i - piece.from > size && item > piece.from && text.slice(item, i).trim()) {
        piece = { from: item, to: item, before: open.items }
        open.pieces.push(piece)
      }
      piece.to = i
      open.items++
      if (i - item > size) open.long = open.items
      if (open.long !== undefined || open.items > maxItems) return open
      item = i + 1
      if (c === COMMA) continue
      open.to = item
      found = open
      open = undefined
      depth--
    } else if (c === CLOSE_BRACKET || c === CLOSE_BRACE) depth--
  }
  return open ? undefined : found
}
