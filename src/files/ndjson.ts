import { type Batch, MAX_ROW, type RowParser } from './batch'
import { parseItem } from './item'
import { longRow } from './problem'

/** Rows of newline-delimited JSON: one value a line. What is wrong with a line is that row's alone. */
export function ndjsonParser({ maxRow = MAX_ROW }: { maxRow?: number } = {}): RowParser {
  let buffer = ''
  let next = 1
  return { push, end: () => push('\n') }

  function push(text: string): Batch[] {
    buffer += text
    const rows: unknown[] = []
    let from = 0
    for (let to = buffer.indexOf('\n'); to >= 0; to = buffer.indexOf('\n', from)) {
      if (to - from > maxRow) break
      const line = buffer.slice(from, to).trim()
      if (line !== '') rows.push(parseItem(line))
      from = to + 1
    }
    buffer = buffer.slice(from)
    const first = next
    next += rows.length
    if (buffer.length > maxRow) throw longRow(next, maxRow, '. Shorten it, or end each record with a line break.')
    return rows.length ? [{ first, rows }] : []
  }
}
