import { type Batch, MAX_ROW, Rejected, type RowParser } from './batch'
import { parseItem, reasonOf } from './item'
import { FileProblem, longRow } from './problem'

/** Limit of lines with invalid JSON, because an invalid line takes longer than a valid line. */
const MAX_BROKEN = 1000

/** Parses newline-delimited JSON. An invalid line rejects only its own row. */
export function ndjsonParser({ maxRow = MAX_ROW }: { maxRow?: number } = {}): RowParser {
  let buffer = ''
  let next = 1
  let broken = 0
  return { push, end: () => push('\n') }

  function push(text: string): Batch[] {
    buffer += text
    const first = next
    const rows: unknown[] = []
    let from = 0
    for (let to = buffer.indexOf('\n'); to >= 0 && to - from <= maxRow; to = buffer.indexOf('\n', from)) {
      const line = buffer.slice(from, to).trim()
      if (line !== '') rows.push(rowOf(line))
      next = first + rows.length
      from = to + 1
    }
    buffer = buffer.slice(from)
    if (buffer.length > maxRow) throw longRow(next, maxRow, '. Shorten it, or end each record with a line break.')
    return rows.length ? [{ first, rows }] : []
  }

  function rowOf(line: string): unknown {
    try {
      return parseItem(line)
    } catch (cause) {
      const reason = reasonOf(cause)
      if (++broken > MAX_BROKEN) {
        throw new FileProblem(
          'not_json',
          `More than ${MAX_BROKEN} lines up to row ${next} are not JSON: ${reason}. Send one JSON object a line.`,
        )
      }
      return new Rejected(`it is not JSON: ${reason}`)
    }
  }
}
