import { sql } from 'drizzle-orm'
import { makesItem, newItem } from '../../backlog/work-items/statements'
import type { Database } from '../../db/client'
import { guard } from '../../db/refuse'
import { feedbackItems, feedbackStatuses, feedbackTags, tags } from '../../db/schema/feedback'
import { workItems } from '../../db/schema/work-items'
import { caller, statement, type Values } from '../../db/statement'
import { type FeedbackKey, feedback } from '../ideas/statements'

const own = sql`FROM ${feedbackItems} WHERE ${feedback.addressed}`
const its = sql`FROM ${feedbackTags} t CROSS JOIN ${tags} ON ${tags.id} = t.tag_id AND ${tags.deletedAt} IS NULL
  WHERE t.subscription_id = ${caller.subscription} AND t.feedback_id = ${feedback.id}`

const present = sql`(SELECT w.external_key FROM ${feedbackItems} CROSS JOIN ${workItems} w ON w.id = ${feedbackItems.workItemId}
    AND w.deleted_at IS NULL WHERE ${feedback.addressed})`
const promotedBefore = guard<Values>(
  sql`'conflict:This item is promoted already: ' || ${present} || '. Remove that work item first.'`,
  sql`${present} IS NOT NULL`,
)

// First status with the progress of a new work item.
const begun = sql`(SELECT s.id FROM ${feedbackStatuses} s WHERE s.subscription_id = ${caller.subscription}
  AND s.progress = 'to-do' AND s.deleted_at IS NULL ORDER BY s.position, s.id LIMIT 1)`

const promoted = feedback.event('promoted', feedback.addressed, {
  previous: sql`json_object('work_item_internal_id', NULL, 'work_item_external_id', NULL, 'work_item_type', 'active')`,
})

function promotion(type: Parameters<typeof makesItem>[0]) {
  const make = makesItem(type, {
    product: sql`${feedbackItems.productId}`,
    summary: sql`${feedbackItems.title}`,
    description: sql`${feedbackItems.longDescription}`,
    tags: sql`(SELECT json_group_array(${tags.name} ORDER BY ${tags.id}) ${its})`,
    slugs: sql`SELECT ${tags.slug} AS slug ${its}`,
    from: own,
    idea: sql`(SELECT ${feedbackItems.externalKey} ${own})`,
  })
  const link = statement<never, Values>(sql`UPDATE ${feedbackItems} SET work_item_id = ${newItem(type)},
      status_id = coalesce(${begun}, ${feedbackItems.statusId}), version = version + 1, updated_at = ${caller.now}
    WHERE ${feedback.addressed}`)
  return (values: Values) => [...make(values), link(values), promoted(values)]
}

const PROMOTIONS = { epic: promotion('epic'), feature: promotion('feature'), userstory: promotion('userstory') }

export const promoteFeedbackItem = (db: Database, key: FeedbackKey, type: keyof typeof PROMOTIONS) =>
  feedback.save(db, {
    guards: [...feedback.writable(key), promotedBefore(key)],
    statements: PROMOTIONS[type](key),
    answer: feedback.reply(key),
  })
