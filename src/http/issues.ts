import type * as z from 'zod'
import type { Issue } from '../text/errors'

/** What is wrong with a value by its schema; `at`: the JSON pointer to the value. */
export const issuesOf = (error: z.ZodError, at = ''): Issue[] =>
  error.issues.map(({ path, code, message }) => ({ path: at + pointer(path), code, message }))

function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
