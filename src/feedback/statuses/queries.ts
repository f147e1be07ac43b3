import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../../db/client/client'
import { guard } from '../../db/client/refuse'
import { insertStatement, updateStatement } from '../../db/records/change'
import { makeLifecycle } from '../../db/records/lifecycle'
import { makeListReader } from '../../db/records/list'
import { feedbackStatuses } from '../../db/schema/feedback'
import { referenceTo } from '../../db/sql/references'
import { caller, param, type Values } from '../../db/sql/statement'
import { slugifyName } from '../../text/slug'
import { createItemMove, itemsHaveLink } from '../ideas/statements'
import { type StatusKey, status } from './fields'
import { CreateFeedbackStatus, ListFeedbackStatuses, ModifyFeedbackStatus } from './schema'

const nextStatusPosition = sql`(SELECT coalesce(max(s.position), 0) + 1 FROM ${feedbackStatuses} s
  WHERE s.subscription_id = ${caller.subscription} AND s.deleted_at IS NULL)`
const OptionalSlug = z.string().optional()
const insertStatus = insertStatement(status, CreateFeedbackStatus.extend({ slug: OptionalSlug }), {
  values: { position: nextStatusPosition },
  returns: status.inserted(),
})
const emitCreated = status.emit('created')

export function createFeedbackStatus(db: Database, body: z.output<typeof CreateFeedbackStatus>) {
  const slug = slugifyName(body.name)
  return status.save(db, {
    statements: [insertStatus({ ...body, slug }), emitCreated({})],
    returning: status.inserted(),
  })
}

export const getFeedbackStatus = status.get

export const listFeedbackStatuses = makeListReader(status, ListFeedbackStatuses, {
  sorts: { order: feedbackStatuses.position },
}).page

const updateStatus = updateStatement(status, ModifyFeedbackStatus.extend({ slug: OptionalSlug }))

export function modifyFeedbackStatus(
  db: Database,
  key: StatusKey,
  body: z.output<typeof ModifyFeedbackStatus>,
  ifMatch: string | null,
) {
  const slug = body.name === undefined ? undefined : slugifyName(body.name)
  return status.save(db, {
    guards: status.writeGuards(key, ifMatch),
    statements: updateStatus(key, { ...body, slug }),
    returning: status.returningByKey(key),
  })
}

const { removal, restoration } = makeLifecycle(status)
const statusIdParam = sql`${param('statusId')}`
const targetIdParam = sql`${param('target')}`
const moveStatusItems = createItemMove('status_id', statusIdParam, targetIdParam)
const statusInUse = guard<Values>(
  'in_use:Feedback items have this status. Send the id of another status for the items in moveTo.',
  itemsHaveLink('status_id', statusIdParam),
)
const moveTargetIsSameStatus = guard<Values>(
  'validation_failed:/query/moveTo:Must be the id of another status',
  sql`${statusIdParam} = ${targetIdParam}`,
)

export function removeFeedbackStatus(db: Database, key: StatusKey, moveTo: number | undefined, ifMatch: string | null) {
  const values = { ...key, target: moveTo ?? null }
  const { guards, statements, returning } = removal(key, ifMatch)
  return db.write({
    guards: [...guards, moveTo === undefined ? statusInUse(values) : moveTargetIsSameStatus(values)],
    references: referenceTo('feedbackStatus', '/query/moveTo', moveTo),
    // The removal comes first, because triggers emit no event for items leaving a removed status.
    statements: [...statements, ...moveStatusItems(values)],
    returning,
  })
}

export const restoreFeedbackStatus = (db: Database, key: StatusKey) => status.save(db, restoration(key))
