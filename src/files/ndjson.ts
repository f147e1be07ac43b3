import { MAX_ROW_LENGTH, RejectedRow, type RowBatch, type RowParser } from './batch'
import { parseJsonRow, syntaxErrorMessage } from './item'
import { FileProblem, longRowError } from './problem'

/** Limit of lines with invalid JSON, because an invalid line takes longer than a valid line. */
const MAX_BROKEN_LINES = 1000

/** Parses newline-delimited JSON. An invalid line rejects only its own row. */
export function createNdjsonParser({ maxRow = MAX_ROW_LENGTH }: { maxRow?: number } = {}): RowParser {
  let buffer = ''
  let next = 1
  let broken = 0
  return { push, end: () => push('\n') }

  function push(text: string): RowBatch[] {
    buffer += text
    const first = next
    const rows: unknown[] = []
    let from = 0
    for (let to = buffer.indexOf('\n'); to >= 0 && to - from <= maxRow; to = buffer.indexOf('\n', from)) {
      const line = buffer.slice(from, to).trim()
      if (line !== '') rows.push(parseLine(line))
      next = first + rows.length
      from = to + 1
    }
    buffer = buffer.slice(from)
    if (buffer.length > maxRow)
      throw longRowError(next, maxRow, '. Shorten the row, or end each record with a line break.')
    return rows.length ? [{ firstRow: first, rows }] : []
  }

  function parseLine(line: string): unknown {
    try {
      return parseJsonRow(line)
    } catch (cause) {
      const reason = syntaxErrorMessage(cause)
      if (++broken > MAX_BROKEN_LINES) {
        throw new FileProblem(
          'not_json',
          `More than ${MAX_BROKEN_LINES} lines up to row ${next} are not JSON: ${reason}. Send one JSON object per line.`,
        )
      }
      return new RejectedRow(`it is not JSON: ${reason}`, 'Send one JSON object per line.')
    }
  }
}
