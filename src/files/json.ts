import { ApiError } from '../text/errors'
import {
  CLOSE_BRACE_CODE,
  CLOSE_BRACKET_CODE,
  COLON_CODE,
  COMMA_CODE,
  MAX_JSON_VALUES,
  OPEN_BRACE_CODE,
  OPEN_BRACKET_CODE,
  parseJsonText,
  parseMeasuredJson,
  QUOTE_CODE,
} from '../text/json'
import { FILE_CHUNK_SIZE, MAX_ROW_LENGTH, type RowBatch, type RowParser } from './batch'
import { countObjectKeys, parseJsonRow, syntaxErrorMessage } from './item'
import { FileProblem, longRowError } from './problem'
import { findClosingQuote, isStructuralCode } from './structure'

const RECORDS_KEY_TEXT = '"records"'
const LIST_REMEDY = 'Send an array of records, or an object with an array "records".'
const NOT_A_LIST_MESSAGE = `The JSON file is not a list. ${LIST_REMEDY}`
const LIST_NOT_CLOSED_MESSAGE = `The JSON file is not a list, or the list is not closed. ${LIST_REMEDY}`
const TOO_MUCH_AROUND_LIST_MESSAGE = `The JSON file is not a list, or has more than ${FILE_CHUNK_SIZE / 1024} KiB besides its records. ${LIST_REMEDY}`
const NOT_JSON_REMEDY = 'Send a JSON array of records, or CSV.'
const TWO_LISTS_MESSAGE = 'The JSON file has "records" twice. Send one list.'

export interface JsonOptions {
  maxRow?: number
  /** Characters parsed at once, unless a row is longer; also the limit for text around the list. */
  chunk?: number
  /** Whether an invalid row throws a FileProblem instead of being rejected; the last of duplicate keys wins. */
  strict?: boolean
}

/** Cuts the list at item boundaries and parses in pieces; checks the text around the list at the end of the file. */
export function createJsonParser({
  maxRow = MAX_ROW_LENGTH,
  chunk = FILE_CHUNK_SIZE,
  strict = false,
}: JsonOptions = {}): RowParser {
  let phase: 'before' | 'inside' | 'behind' = 'before'
  let before = ''
  /** Unprocessed text after `before`. Positions below are indexes into `buffer`. */
  let buffer = ''
  let at = 0
  let inString = false
  let stringFrom = 0
  let isRecordsKey = false
  let depth = 0
  let listDepth = 0
  let listEnd = 0
  let itemFrom = 0
  let itemEnds: number[] = []
  // Maximum depth and number of keys of the pending items; `itemDepth` and `itemKeys` count for the current item.
  let pending = { depth: 0, keys: 0 }
  let itemDepth = 0
  let itemKeys = 0
  let itemValues = 0
  let next = 1
  let batches: RowBatch[] = []

  return {
    push(text) {
      buffer += text
      scan()
      if (phase === 'inside' && buffer.length - itemFrom > maxRow) throw rowTooLong()
      if (itemValues > MAX_JSON_VALUES) throw tooManyValues()
      if (phase !== 'inside' && before.length + buffer.length - listEnd > chunk)
        throw notAListError(TOO_MUCH_AROUND_LIST_MESSAGE)
      return takeBatches()
    },
    end() {
      const whole = phase === 'before' ? buffer : `${before}[${buffer}`
      if (next === 1 && whole.length <= chunk && (strict || phase !== 'behind')) {
        addBatch(findRecordList(parseText(whole)))
        return takeBatches()
      }
      if (phase !== 'behind') throw notAListError(LIST_NOT_CLOSED_MESSAGE)
      if (findRecordList(parseText(`${before}[]${buffer.slice(listEnd + 1)}`)).length)
        throw notAListError(TWO_LISTS_MESSAGE)
      parsePending(listEnd)
      return takeBatches()
    },
  }

  function scan(): void {
    while (at < buffer.length) {
      if (inString) endString()
      else if (phase === 'inside') scanItems()
      else scanAround()
    }
  }

  function endString(): void {
    at = findClosingQuote(buffer, at)
    if (at === buffer.length) return
    at++
    inString = false
    if (depth === 1 && phase !== 'inside') isRecordsKey = buffer.slice(stringFrom, at) === RECORDS_KEY_TEXT
  }

  function scanAround(): void {
    for (; at < buffer.length; at++) {
      const sign = buffer.charCodeAt(at)
      if (!isStructuralCode(sign)) continue
      if (sign === QUOTE_CODE) {
        inString = true
        stringFrom = at++
        return
      }
      if (sign === CLOSE_BRACE_CODE || sign === CLOSE_BRACKET_CODE) depth--
      else if (sign === OPEN_BRACE_CODE || sign === OPEN_BRACKET_CODE) {
        depth++
        if (sign === OPEN_BRACKET_CODE && beginsList()) {
          beginList()
          return
        }
      }
    }
  }

  // Visits every character of a file; copies state to local variables for speed.
  function scanItems(): void {
    const text = buffer
    const level = listDepth
    let now = depth
    let deepest = itemDepth + level
    let keys = 0
    let values = 0
    let i = at
    let sign = 0
    for (; i < text.length; i++) {
      sign = text.charCodeAt(i)
      if (!isStructuralCode(sign)) continue
      if (sign === QUOTE_CODE) {
        i = findClosingQuote(text, i + 1)
        inString = i === text.length
      } else if (sign === COMMA_CODE) {
        if (now === level) break
        values++
      } else if (sign === COLON_CODE) {
        if (now === level + 1) keys++
      } else if (sign === OPEN_BRACE_CODE || sign === OPEN_BRACKET_CODE) {
        now++
        if (now > deepest) deepest = now
      } else {
        if (now === level && sign === CLOSE_BRACKET_CODE) break
        now--
      }
    }
    at = Math.min(i, text.length)
    depth = now
    itemDepth = deepest - level
    itemKeys += keys
    itemValues += values
    if (at === text.length) return
    endItem()
    if (sign === CLOSE_BRACKET_CODE) {
      listEnd = at
      phase = 'behind'
      depth--
    }
    at++
  }

  function beginsList(): boolean {
    if (depth === 1) return phase === 'before'
    if (depth !== 2 || !isRecordsKey || (phase === 'behind' && listDepth === 1)) return false
    if (phase === 'behind') throw notAListError(TWO_LISTS_MESSAGE)
    return true
  }

  function beginList(): void {
    phase = 'inside'
    listDepth = depth
    before = buffer.slice(0, at)
    buffer = buffer.slice(at + 1)
    at = 0
    if (before.length > chunk) throw notAListError(TOO_MUCH_AROUND_LIST_MESSAGE)
  }

  function endItem(): void {
    // Keeps a trailing comma in the previous piece, because `[]` as a separate piece would hide the syntax error.
    if (at > chunk && itemEnds.length && buffer.slice(itemFrom, at).trim() !== '') {
      parsePending(itemFrom - 1)
      buffer = buffer.slice(itemFrom)
      at -= itemFrom
      itemFrom = 0
    }
    if (at - itemFrom > maxRow) throw rowTooLong()
    if (itemValues > MAX_JSON_VALUES) throw tooManyValues()
    itemEnds.push(at)
    pending = { depth: Math.max(pending.depth, itemDepth), keys: pending.keys + itemKeys }
    itemDepth = 0
    itemKeys = 0
    itemValues = 0
    itemFrom = at + 1
  }

  function parsePending(to: number): void {
    const text = `[${buffer.slice(0, to)}]`
    if (strict) addBatch(parseText(text, pending.depth + 1) as unknown[])
    else addBatch(parseTogether(text) ?? parseIndividually())
    itemEnds = []
    pending = { depth: 0, keys: 0 }
  }

  function parseTogether(text: string): unknown[] | undefined {
    if (!text.isWellFormed()) return undefined
    try {
      const items = parseMeasuredJson(text, pending.depth + 1, 'The file') as unknown[]
      return countObjectKeys(items) === pending.keys ? items : undefined
    } catch (cause) {
      if (cause instanceof ApiError) return undefined
      throw cause
    }
  }

  function parseIndividually(): unknown[] {
    let from = 0
    return itemEnds.map((end, index) => {
      const text = buffer.slice(from, end)
      from = end + 1
      if (text.trim() === '')
        throw new FileProblem(
          'not_json',
          `Row ${next + index} of the file is empty. Remove the comma before or after it.`,
        )
      try {
        return parseJsonRow(text)
      } catch (cause) {
        throw new FileProblem(
          'not_json',
          `Row ${next + index} of the file is not JSON: ${syntaxErrorMessage(cause)}. ${NOT_JSON_REMEDY}`,
        )
      }
    })
  }

  function parseText(text: string, knownDepth?: number): unknown {
    try {
      return knownDepth === undefined
        ? parseJsonText(text, 'The file')
        : parseMeasuredJson(text, knownDepth, 'The file')
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      const where = next > 1 ? `From row ${next} on: ` : ''
      throw new FileProblem('not_json', `${where}${cause.message} ${NOT_JSON_REMEDY}`)
    }
  }

  function addBatch(rows: unknown[]): void {
    if (rows.length) batches.push({ firstRow: next, rows })
    next += rows.length
  }

  function takeBatches(): RowBatch[] {
    const now = batches
    batches = []
    return now
  }

  function tooManyValues(): FileProblem {
    const row = next + itemEnds.length
    return new FileProblem(
      'long_row',
      `Row ${row} of the file holds more than ${MAX_JSON_VALUES} values. Shorten the row.`,
    )
  }

  function rowTooLong(): FileProblem {
    return longRowError(
      next + itemEnds.length,
      maxRow,
      ', or not closed. Shorten the row, or close its brackets and quotes.',
    )
  }
}

function findRecordList(root: unknown): unknown[] {
  if (Array.isArray(root)) return root
  if (typeof root === 'object' && root !== null && Object.hasOwn(root, 'records')) {
    const { records } = root as { records: unknown }
    if (Array.isArray(records)) return records
  }
  throw notAListError(NOT_A_LIST_MESSAGE)
}

function notAListError(message: string): FileProblem {
  return new FileProblem('not_a_list', message)
}
