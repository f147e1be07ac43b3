import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { flag, moment } from '../../db/field'
import { lifecycle } from '../../db/lifecycle'
import { list } from '../../db/list'
import { type Key, record } from '../../db/record'
import { naming } from '../../db/references'
import { guard } from '../../db/refuse'
import { feedbackStatuses } from '../../db/schema/feedback'
import { caller, param, type Values } from '../../db/statement'
import { uniqueness } from '../../db/unique'
import { slugify } from '../../text/slug'
import { itemsWith, moveItems } from '../ideas/statements'
import { CreateFeedbackStatus, ListFeedbackStatuses, ModifyFeedbackStatus } from './schema'

const key = { statusId: feedbackStatuses.id }
export type StatusKey = Key<typeof key>

export const status = record('feedback_status', {
  table: feedbackStatuses,
  within: 'workspace',
  key,
  unique: { column: feedbackStatuses.slug, taken: 'Another status has this name, or one as good as the same.' },
  fields: {
    id: feedbackStatuses.id,
    name: feedbackStatuses.name,
    slug: feedbackStatuses.slug,
    color: feedbackStatuses.color,
    order: feedbackStatuses.position,
    endsVoting: flag(feedbackStatuses.endsVoting),
    progress: feedbackStatuses.progress,
    createdAt: moment(feedbackStatuses.createdAt),
    updatedAt: moment(feedbackStatuses.updatedAt),
  },
})

const unique = uniqueness(status)
const last = sql`(SELECT coalesce(max(s.position), 0) + 1 FROM ${feedbackStatuses} s
  WHERE s.subscription_id = ${caller.subscription} AND s.deleted_at IS NULL)`
const slug = z.string().optional()
const inserted = inserts(status, CreateFeedbackStatus.extend({ slug }), {
  values: { position: last },
  returns: status.created(),
})
const created = status.event('created')

export function createFeedbackStatus(db: Database, body: z.output<typeof CreateFeedbackStatus>) {
  const slug = slugify(body.name)
  return status.save(db, {
    guards: unique.onCreate(slug),
    statements: [inserted({ ...body, slug }), created({})],
    answer: status.created(),
  })
}

export const getFeedbackStatus = status.get

export const listFeedbackStatuses = list(status, ListFeedbackStatuses, {
  sorts: { order: feedbackStatuses.position },
}).page

const modified = modifies(status, ModifyFeedbackStatus.extend({ slug }))

export function modifyFeedbackStatus(
  db: Database,
  key: StatusKey,
  body: z.output<typeof ModifyFeedbackStatus>,
  ifMatch: string | null,
) {
  const slug = body.name === undefined ? undefined : slugify(body.name)
  return status.save(db, {
    guards: [...status.writable(key, ifMatch), ...unique.onModify(key, slug)],
    statements: modified(key, { ...body, slug }),
    answer: status.reply(key),
  })
}

const { removal, restoration } = lifecycle(status)
const own = sql`${param('statusId')}`
const target = sql`${param('target')}`
const move = moveItems('status_id', own, target)
const inUse = guard<Values>(
  sql`'in_use:Feedback items have this status. Name the status that they get in moveTo.'`,
  itemsWith('status_id', own),
)
const movedToItself = guard<Values>(
  sql`'validation_failed:/query/moveTo:Must be the id of another status'`,
  sql`${own} = ${target}`,
)

export function removeFeedbackStatus(db: Database, key: StatusKey, moveTo: number | undefined, ifMatch: string | null) {
  const given = { ...key, target: moveTo ?? null }
  const { guards, statements, answer } = removal(key, ifMatch)
  return db.write({
    guards: [...guards, moveTo === undefined ? inUse(given) : movedToItself(given)],
    references: naming('feedbackStatus', '/query/moveTo', moveTo),
    // The removal comes first, because triggers emit no event for items leaving a removed status.
    statements: [...statements, ...move(given)],
    answer,
  })
}

export const restoreFeedbackStatus = (db: Database, key: StatusKey) => status.save(db, restoration(key))
