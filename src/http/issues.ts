import type * as z from 'zod'
import type { Issue } from '../text/errors'

/** What is wrong with a value by its schema; `at`: the JSON pointer to the value. */
export const issuesOf = (error: z.ZodError, at = ''): Issue[] =>
  error.issues.map((issue) => ({ path: at + pointer(issue.path), code: issue.code, message: messageOf(issue) }))

type ZodIssue = z.core.$ZodIssue
/** As Zod says it where a schema says nothing of its own. */
const UNTOLD = 'Invalid input'

/** What an issue says, or what stands behind one that says nothing. */
function messageOf(issue: ZodIssue): string {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  if (issue.code === 'invalid_type' && (issue.expected as string) === 'nonoptional') return 'Must be given'
  if (issue.code !== 'invalid_union' || issue.message !== UNTOLD) return issue.message
  const typed = issue.errors.flatMap(([one]) => (one?.code === 'invalid_type' && !one.path.length ? [one] : []))
  const [told] = typed
  if (!told) return issue.message
  const expected = Array.from(new Set(typed.map((one) => one.expected))).join(' or ')
  return told.message.replace(`expected ${told.expected}`, `expected ${expected}`)
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
