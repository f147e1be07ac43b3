import { type SQL, sql } from 'drizzle-orm'
import { workItems } from '../../../db/schema/work-items'
import { inline, param, type Statement, type Values } from '../../../db/sql/statement'
import { createPeopleNotice, namedPeople } from '../../../people/notices/statements'

interface AssigningBody {
  userId?: readonly number[] | undefined
}

const createAssignmentNotice = (where: SQL, given: SQL, present: SQL) =>
  createPeopleNotice({
    kind: 'assignment',
    values: { workItemId: workItems.id },
    people: namedPeople(given, present),
    from: sql`FROM ${workItems} WHERE ${where}`,
  })

/** Colleagues who are assigned to a new item. Stands after the insertion. */
export function buildFirstAssignments(where: SQL) {
  const notify = createAssignmentNotice(where, sql`${workItems.userIds}`, inline('[]'))
  return ({ userId }: AssigningBody, values: Values = {}): Statement<never>[] =>
    userId?.length ? [notify(values)] : []
}

/** Colleagues who are assigned by a change. Stands before the change. */
export function buildFurtherAssignments(where: SQL) {
  const notify = createAssignmentNotice(where, sql`${param('assignees')}`, sql`${workItems.userIds}`)
  return ({ userId }: AssigningBody, values: Values): Statement<never>[] =>
    userId?.length ? [notify({ ...values, assignees: JSON.stringify(userId) })] : []
}
