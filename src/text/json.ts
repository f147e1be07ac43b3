import { ApiError, type Issue, invalidInputError } from './errors'

// Real bodies nest a handful of levels; deeper nesting is an attack on recursion.
export const MAX_JSON_DEPTH = 64

/** 200,000 parsed values take about 50 MB. The largest real body, 10,000 users, has 30,000. */
export const MAX_JSON_VALUES = 200_000
const MAX_UNSAFE_TEXT_ISSUES = 100

/** Character codes for the scanners of long texts. */
export const QUOTE_CODE = 34
export const BACKSLASH_CODE = 92
export const COMMA_CODE = 44
export const COLON_CODE = 58
export const OPEN_BRACKET_CODE = 91
export const CLOSE_BRACKET_CODE = 93
export const OPEN_BRACE_CODE = 123
export const CLOSE_BRACE_CODE = 125

export function decodeUtf8(bytes: ArrayBuffer | Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return undefined
  }
}

export function parseJsonBytes(bytes: ArrayBuffer | Uint8Array): unknown {
  const text = decodeUtf8(bytes)
  if (text === undefined) throw malformedJsonError('The body is not UTF-8 text. Send JSON encoded as UTF-8.')
  return parseJsonText(text, 'The body')
}

export function parseJsonText(text: string, subject: string): unknown {
  const { depth, values } = measureJson(text)
  if (values > MAX_JSON_VALUES) {
    throw new ApiError('payload_too_large', `${subject} holds more than ${MAX_JSON_VALUES} values. Send less at once.`)
  }
  return parseMeasuredJson(text, depth, subject)
}

export function parseMeasuredJson(text: string, depth: number, subject: string): unknown {
  if (depth > MAX_JSON_DEPTH)
    throw malformedJsonError(`${subject} nests deeper than ${MAX_JSON_DEPTH} levels. Send flatter JSON.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw malformedJsonError(`${subject} is not JSON: ${cause instanceof Error ? cause.message : 'it does not parse'}.`)
  }
  if (mayHaveUnsafeText(text)) {
    const issues = findUnsafeTextIssues(value)
    if (issues.length) throw invalidInputError(issues)
  }
  return value
}

export function isValidJsonText(text: string, isValid: (value: unknown) => boolean): boolean {
  try {
    return isValid(parseJsonText(text, 'The text'))
  } catch (cause) {
    if (cause instanceof ApiError) return false
    throw cause
  }
}

export function mayHaveUnsafeText(text: string): boolean {
  // Only an escape can bring NUL or half a surrogate pair into JSON text, or hide the spelling of a key.
  return text.includes('\\u') || text.includes('__proto__')
}

function malformedJsonError(message: string): ApiError {
  return new ApiError('malformed_json', message)
}

export function measureJson(text: string): { depth: number; values: number } {
  let level = 0
  let depth = 0
  let values = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === QUOTE_CODE) {
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE_CODE; i++)
        if (text.charCodeAt(i) === BACKSLASH_CODE) i++
    } else if (c === COMMA_CODE) values++
    else if (c === OPEN_BRACKET_CODE || c === OPEN_BRACE_CODE) {
      values++
      if (++level > depth) depth = level
    } else if (c === CLOSE_BRACKET_CODE || c === CLOSE_BRACE_CODE) level--
  }
  return { depth, values }
}

export function findTextProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a NUL character. Remove it.'
  if (!text.isWellFormed()) return 'contains half of a surrogate pair. Send well-formed Unicode.'
  return undefined
}

export function findUnsafeTextIssues(root: unknown): Issue[] {
  const issues: Issue[] = []
  const visit = (value: unknown, path: string): void => {
    if (issues.length >= MAX_UNSAFE_TEXT_ISSUES) return
    if (typeof value === 'string') {
      const problem = findTextProblem(value)
      if (problem) issues.push({ path, code: 'invalid_text', message: `The text ${problem}` })
    } else if (Array.isArray(value)) {
      value.forEach((item, index) => {
        visit(item, `${path}/${index}`)
      })
    } else if (value && typeof value === 'object') {
      for (const [key, item] of Object.entries(value)) {
        const inner = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
        if (key === '__proto__' || findTextProblem(key)) {
          issues.push({ path: inner, code: 'invalid_key', message: 'This key is not allowed. Remove it.' })
        } else visit(item, inner)
      }
    }
  }
  visit(root, '')
  return issues
}
