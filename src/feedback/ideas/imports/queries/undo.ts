import { sql } from 'drizzle-orm'
import { feedbackItems, feedbackTags } from '../../../../db/schema/feedback'
import { caller, insertInto } from '../../../../db/statement'
import type { Round } from '../../../../workspace/imports/bulk'
import { make, OVER, undoing } from '../../../../workspace/imports/statements'
import { hanging } from './write'

const { round, records, changed, keep, forget } = undoing('feedback', feedbackItems)

const CHANGED = sql`'The item was changed since.'`
const IN_USE = sql`'Somebody has voted or commented on the item since, or a work item was made of it.'`

/** Something hangs on it that the run did not bring. */
const used = sql`${hanging} <> r.previous`

const whyCreated = sql`CASE WHEN ${changed} THEN ${CHANGED} WHEN ${used} THEN ${IN_USE} END`
const whyUpdated = sql`CASE WHEN ${changed} THEN ${CHANGED} END`

const tenant = sql`+${feedbackItems.subscriptionId} = ${caller.subscription} AND ${feedbackItems.deletedAt} IS NULL`
const before = (name: string) => sql.raw(`"${name}" = r.previous ->> '${name}'`)

// Before the items are what they were: by their versions it is known whether they will be.
const untag = sql`DELETE FROM ${feedbackTags} WHERE ${feedbackTags.subscriptionId} = ${caller.subscription}
  AND ${feedbackTags.feedbackId} IN (SELECT ${feedbackItems.id} FROM ${records('updated')} WHERE NOT (${changed}))`
const tag = insertInto(
  feedbackTags,
  { subscriptionId: caller.subscription, feedbackId: feedbackItems.id, tagId: sql`t.value` },
  sql`FROM ${records('updated')} CROSS JOIN json_each(r.previous, '$.tags') t WHERE NOT (${changed}) ON CONFLICT DO NOTHING`,
)
const COLUMNS = [
  'type',
  'title',
  'target_audience',
  'value_proposition',
  'long_description',
  'collections',
  'attributes',
]
const restore = sql`UPDATE ${feedbackItems} SET ${sql.join([...COLUMNS, 'category_id', 'status_id'].map(before), sql`, `)},
    updated_at = ${caller.now}, version = ${feedbackItems.version} + 1
  FROM ${round('updated')} WHERE ${feedbackItems.id} = r.record_id AND ${tenant} AND NOT (${changed})`

// For good: no restoration finds them, the next purge does, and their slugs are free.
const remove = sql`UPDATE ${feedbackItems} SET deleted_at = ${OVER}, slug = '#' || ${feedbackItems.id},
    version = ${feedbackItems.version} + 1
  FROM ${round('created')}
  WHERE ${feedbackItems.id} = r.record_id AND ${tenant} AND NOT (${changed}) AND NOT (${used})`

/** Takes back what a run did with items. */
export const undo = make<Round>(
  keep('updated', whyUpdated),
  untag,
  tag,
  restore,
  forget('updated'),
  keep('created', whyCreated),
  remove,
  forget('created'),
)
