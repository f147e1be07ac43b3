import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { makeListReader } from '../../../db/records/list'
import { record } from '../../../db/records/record'
import { feedbackComments } from '../../../db/schema/feedback'
import { users } from '../../../db/schema/tenancy'
import { computedValue, type Field, longText, moment } from '../../../db/sql/field'
import { caller } from '../../../db/sql/statement'
import { displayName } from '../statements'
import { type PortalIdeaKey, shownIdea } from './ideas'

const truthField = (value: ReturnType<typeof sql>): Field<number, boolean, never> => ({
  sql: value,
  show: (stored) => stored === 1,
  json: () => sql`json(iif(${value}, 'true', 'false'))`,
})

const isRemoved = sql`${feedbackComments.deletedAt} IS NOT NULL`

const comment = record('comment', {
  table: feedbackComments,
  scope: { parent: shownIdea, by: feedbackComments.feedbackId },
  key: {},
  joins: sql`LEFT JOIN ${users} ON ${users.id} = ${feedbackComments.userId} AND ${users.subscriptionId} = ${feedbackComments.subscriptionId}
    AND ${users.deletedAt} IS NULL AND ${feedbackComments.deletedAt} IS NULL`,
  discriminator: sql`AND ${feedbackComments.isPrivate} = 0`,
  listsDeleted: sql`${feedbackComments.tombstone} > 0`,
  fields: {
    id: feedbackComments.id,
    parentId: feedbackComments.parentId,
    text: longText(feedbackComments.text),
    author: computedValue<string | null>(displayName),
    isTeam: truthField(sql`coalesce(${users.role} <> 'idm_member', 0)`),
    own: truthField(sql`(${caller.user} > 0 AND ${feedbackComments.userId} = ${caller.user})`),
    deleted: truthField(isRemoved),
    createdAt: moment(feedbackComments.createdAt),
    updatedAt: moment(feedbackComments.updatedAt),
  },
})

const ListComments = z.object({
  limit: z.number(),
  cursor: z.string().optional(),
  sort: z.array(z.enum(['createdAt'])),
})

const comments = makeListReader(comment, ListComments, { sorts: { createdAt: feedbackComments.createdAt } })

/** Public comments of an idea that the caller may see, oldest first. Costs one trip. */
export async function listPortalComments(
  db: Database,
  { feedback_external_key }: PortalIdeaKey,
  query: { limit: number; cursor?: string | undefined },
) {
  const { data, next } = await comments.page(db, { ...query, sort: ['createdAt'] }, { feedback_external_key } as never)
  return { comments: data, next: next?.cursor ?? null }
}
