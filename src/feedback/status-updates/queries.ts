import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { updateWhere } from '../../db/records/change'
import { makeListReader } from '../../db/records/list'
import { record } from '../../db/records/record'
import { feedbackItems, feedbackStatuses } from '../../db/schema/feedback'
import { feedbackStatusUpdates } from '../../db/schema/status-updates'
import { eventSql } from '../../db/sql/events'
import { referenceTo } from '../../db/sql/references'
import { recordJson } from '../../db/sql/selection'
import { caller, insertInto, param, statement, type Values } from '../../db/sql/statement'
import { createNoticeOfUpdate } from '../../people/notices/statements'
import { slugifyName } from '../../text/slug'
import { type FeedbackKey, feedback, standingFeedback } from '../ideas/statements'
import { joinStatusUpdateUser, statusUpdateFields } from './fields'
import { type CreateStatusUpdate, ListStatusUpdates } from './schema'

const declaration = { table: feedbackStatusUpdates, joins: joinStatusUpdateUser, fields: statusUpdateFields }
const statusUpdate = record('status_update', {
  ...declaration,
  scope: { below: feedback, by: feedbackStatusUpdates.feedbackId },
  key: {},
})
const updatesOfItem = record('status_update', {
  ...declaration,
  scope: { parent: standingFeedback, by: feedbackStatusUpdates.feedbackId },
  key: {},
})

export const listStatusUpdates = makeListReader(updatesOfItem, ListStatusUpdates, {
  sorts: { createdAt: feedbackStatusUpdates.createdAt },
}).page

const statusIsLive = sql`s.subscription_id = ${caller.subscription} AND s.deleted_at IS NULL`
/** A number is an id. A text is a name, or an id as text. */
const selectStatus = (column: 'id' | 'name') => sql`coalesce(
  (SELECT s.${sql.raw(column)} FROM ${feedbackStatuses} s WHERE NOT ${param('isId')} AND ${statusIsLive} AND s.slug = ${param('status')}),
  (SELECT s.${sql.raw(column)} FROM ${feedbackStatuses} s WHERE ${statusIsLive}
    AND s.id = CAST(${param('status')} AS INTEGER) AND CAST(s.id AS TEXT) = ${param('status')}))`

const setStatus = updateWhere(feedback, feedback.byKey, { status_id: selectStatus('id') })
const chooseNotice = createNoticeOfUpdate(feedback.id, sql`FROM ${feedbackItems} WHERE ${feedback.byKey}`)

const insertStatusUpdate = statement<never, Values>(
  insertInto(feedbackStatusUpdates, {
    subscriptionId: caller.subscription,
    feedbackId: feedback.id,
    userId: caller.user,
    status: selectStatus('name'),
    message: param('message'),
    notify: param('notify'),
    createdAt: caller.now,
  }),
)
const emitCreated = statement<never, Values>(() => {
  const { key, product, hidesActor } = feedback.eventSource
  return eventSql({
    type: 'feedback.status_update_created',
    ...{ key, product, hidesActor },
    person: sql`${feedbackStatusUpdates.userId}`,
    data: sql`json_set(${recordJson(statusUpdateFields)}, '$.external_key', ${feedbackItems.externalKey})`,
    from: sql`FROM ${feedbackStatusUpdates} CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = ${feedbackStatusUpdates.feedbackId}
      ${joinStatusUpdateUser} WHERE ${statusUpdate.justInserted}`,
  })
})

export function createStatusUpdate(
  db: Database,
  key: FeedbackKey,
  { status, message, notify }: z.output<typeof CreateStatusUpdate>,
) {
  const isId = typeof status === 'number'
  const name = isId ? String(status) : slugifyName(status)
  const values = { ...key, status: name, isId, message, notify }
  return statusUpdate.save(db, {
    guards: feedback.writeGuards(key),
    references: referenceTo(isId ? 'feedbackStatus' : 'statusNameOrId', '/status', isId ? status : name),
    statements: [
      ...setStatus(values),
      ...chooseNotice(notify, values),
      insertStatusUpdate(values),
      emitCreated(values),
    ],
    returning: statusUpdate.inserted(),
  })
}
