import type * as z from 'zod'
import type { PresentedMember } from '../db/client/presented'
import type { Issue } from '../text/errors'
import type { BulkOperation } from './bulk'
import { isComputed } from './computed-members'
import { listReadOnlyIssues } from './read-only'
import { findIgnoredMembers } from './unknown-members'

interface BulkBody {
  schema: z.ZodType
  body: unknown
  /** Schema of the record. */
  shown: z.ZodObject
  /** Path of the records in the table of operations. */
  path: string
  /** JSON pointer of the body in the operation. */
  at?: string
  /** For a new record: members that each such record has, with their values. */
  created?: Readonly<Record<string, unknown>> | undefined
}

/** Members that the body of an operation does not have. The rows of a bulk request compare what the record shows. */
export function readFurtherMembers({ schema, body, shown, path, at = '', created }: BulkBody): {
  issues: Issue[]
  presented: NonNullable<BulkOperation['presented']>
} {
  const ignored = findIgnoredMembers(schema, body, shown)
  const members = ignored.shown.filter((member) => !isComputed(member, !created))
  const explain = (some: readonly PresentedMember[]) =>
    listReadOnlyIssues({ path, body: schema as never }, some).map((issue) => ({ ...issue, path: at + issue.path }))
  const unknown = ignored.unknown.map((issue) => ({ ...issue, path: at + issue.path }))
  if (!created) return { issues: unknown, presented: { members, issues: explain(members) } }
  const others = members.filter((member) => !isOfNewRecord(member, created))
  return { issues: [...unknown, ...explain(others)], presented: { members: [], issues: [] } }
}

/** A new record has the empty value of a member that it does not get. */
function isOfNewRecord({ path: [name = ''], value }: PresentedMember, created: Readonly<Record<string, unknown>>) {
  if (value === null || value === '' || value === 0) return true
  return Array.isArray(value) ? value.length === 0 : Object.hasOwn(created, name) && created[name] === value
}
