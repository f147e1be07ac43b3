import type * as z from 'zod'
import type { Issue } from '../text/errors'
import { expectedMessage } from './wording'

type ZodIssue = z.core.$ZodIssue
type UnionIssue = z.core.$ZodIssueInvalidUnion

export const issuesOfError = (error: Pick<z.core.$ZodError, 'issues'>, at = ''): Issue[] =>
  error.issues.flatMap((issue) => flattenIssue(issue, at + jsonPointer(issue.path)))

function flattenIssue(issue: ZodIssue, path: string): Issue[] {
  if (issue.code === 'invalid_union' && !issue.message) return flattenUnionIssue(issue, path)
  const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message
  return [{ path, code: issue.code, message }]
}

/** Issues of the alternative matching the value's type, or a single issue naming everything the alternatives expect. */
function flattenUnionIssue(issue: UnionIssue, path: string): Issue[] {
  const fitting = issue.errors.find(([first]) => first && !isAboutWholeValue(first))
  if (fitting) return fitting.flatMap((one) => flattenIssue(one, path + jsonPointer(one.path)))
  const first = issue.errors.flatMap(([one]) => one ?? [])
  const types = first.flatMap((one) => (one.code === 'invalid_type' ? [one.expected] : []))
  const values = first.flatMap((one) => (one.code === 'invalid_value' ? one.values : []))
  return [{ path, code: issue.code, message: expectedMessage(types, values) }]
}

const isAboutWholeValue = ({ code, path }: ZodIssue) =>
  !path.length && (code === 'invalid_type' || code === 'invalid_value')

export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
