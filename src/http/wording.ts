import * as z from 'zod'

type RawIssue = z.core.$ZodRawIssue

const JSON_TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  tuple: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  email: 'an e-mail address, like ada@example.com',
  url: 'a web address, like https://example.com',
  date: 'an ISO 8601 date, like 2026-01-31',
  datetime: 'an ISO 8601 timestamp, like 2026-01-31T09:00:00.000Z',
}

const LENGTH_UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  record: ['member', 'members'],
}

const REQUIRED_MESSAGE = 'Must be given'
const UNEXPECTED_VALUE_MESSAGE = 'The operation does not take this value. Its description in /docs lists the values.'

export const joinWithOr = (parts: readonly string[]) =>
  parts.length > 1 ? `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}` : (parts[0] ?? '')

export const expectedMessage = (types: readonly string[], values: readonly unknown[] = []): string =>
  `Must be ${joinWithOr([
    ...new Set(types.map((type) => JSON_TYPE_NAMES[type] ?? 'of another type')),
    ...values.map((value) => JSON.stringify(value)),
  ])}`

const formatLimit = (limit: unknown) => Number(limit).toLocaleString('en-US', { maximumFractionDigits: 20 })

function lengthMessageFor(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall>): string {
  const isLeast = issue.code === 'too_small'
  const limit = isLeast ? issue.minimum : issue.maximum
  const units = LENGTH_UNITS[String(issue.origin)]
  if (!units) {
    const [more, less] = isLeast ? ['at least', 'more than'] : ['at most', 'less than']
    return `Must be ${issue.inclusive === false ? less : more} ${formatLimit(limit)}`
  }
  if (isLeast && Number(limit) === 1 && !issue.exact) return 'Must not be empty'
  const unit = Number(limit) === 1 ? units[0] : units[1]
  return `Must have ${issue.exact ? 'exactly' : isLeast ? 'at least' : 'at most'} ${formatLimit(limit)} ${unit}`
}

export function messageForIssue(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? REQUIRED_MESSAGE : expectedMessage([String(issue.expected)])
    case 'invalid_value':
      if (issue.input === undefined) return REQUIRED_MESSAGE
      return expectedMessage([], issue.values)
    case 'too_big':
    case 'too_small':
      return lengthMessageFor(issue)
    case 'invalid_format': {
      const format = FORMAT_NAMES[issue.format]
      return format ? `Must be ${format}` : `Must match the pattern ${issue.pattern ?? issue.format}`
    }
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys': {
      const names = issue.keys.map((key) => JSON.stringify(key)).join(', ')
      return `${names} cannot be sent here. Leave ${issue.keys.length > 1 ? 'these members' : 'this member'} out.`
    }
    case 'invalid_union':
      return '' // http/issues.ts writes the message
    default:
      return UNEXPECTED_VALUE_MESSAGE
  }
}

// Applies to every schema of the service, also outside of request bodies.
z.config({ customError: messageForIssue })
