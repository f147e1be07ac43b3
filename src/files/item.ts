import {
  BACKSLASH_CODE,
  CLOSE_BRACE_CODE,
  CLOSE_BRACKET_CODE,
  COLON_CODE,
  findUnsafeTextIssues,
  MAX_JSON_DEPTH,
  MAX_JSON_VALUES,
  mayHaveUnsafeText,
  measureJson,
  OPEN_BRACE_CODE,
  OPEN_BRACKET_CODE,
  QUOTE_CODE,
} from '../text/json'
import { RejectedRow } from './batch'

/** Throws a SyntaxError only, because throwing the other problems of thousands of rows is slow. */
export function parseJsonRow(text: string): unknown {
  if (!text.isWellFormed()) return new RejectedRow('it contains half of a surrogate pair', 'Correct the character.')
  const { depth, values } = measureJson(text)
  if (values > MAX_JSON_VALUES)
    return new RejectedRow(`it holds more than ${MAX_JSON_VALUES} values`, 'Shorten the row.')
  if (depth > MAX_JSON_DEPTH) return new RejectedRow(`it nests deeper than ${MAX_JSON_DEPTH} levels`, 'Send flat rows.')
  const value: unknown = JSON.parse(text)
  const issue = mayHaveUnsafeText(text) ? findUnsafeTextIssues(value)[0] : undefined
  if (issue) return new RejectedRow(`${issue.path}: ${issue.message}`, 'Correct the value.')
  const key = findRepeatedKey(text)
  if (key === undefined) return value
  return new RejectedRow(`it has the key "${key.slice(0, 40).toWellFormed()}" twice`, 'Leave one of the two out.')
}

export function syntaxErrorMessage(cause: unknown): string {
  if (!(cause instanceof SyntaxError)) throw cause
  return cause.message
}

export function countObjectKeys(values: readonly unknown[]): number {
  let keys = 0
  for (const value of values) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) keys += Object.keys(value).length
  }
  return keys
}

/** Returns a duplicate key of the outermost object, because JSON.parse silently keeps the last value. */
function findRepeatedKey(text: string): string | undefined {
  const seen = new Set<string>()
  let depth = 0
  let from = 0
  let to = 0
  for (let i = 0; i < text.length; i++) {
    const sign = text.charCodeAt(i)
    if (sign === QUOTE_CODE) {
      from = i
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE_CODE; i++)
        if (text.charCodeAt(i) === BACKSLASH_CODE) i++
      to = i + 1
    } else if (sign === OPEN_BRACKET_CODE || sign === OPEN_BRACE_CODE) depth++
    else if (sign === CLOSE_BRACKET_CODE || sign === CLOSE_BRACE_CODE) depth--
    else if (sign === COLON_CODE && depth === 1) {
      const key: string = JSON.parse(text.slice(from, to))
      if (seen.has(key)) return key
      seen.add(key)
    }
  }
  return undefined
}
