import { sql } from 'drizzle-orm'
import { insertItemFrom, selectNewItemId } from '../../backlog/work-items/statements'
import type { Database } from '../../db/client/client'
import { guard } from '../../db/client/refuse'
import { feedbackItems, feedbackStatuses } from '../../db/schema/feedback'
import { feedbackTags, tags } from '../../db/schema/tags'
import { workItems } from '../../db/schema/work-items'
import { caller, statement, type Values } from '../../db/sql/statement'
import { type FeedbackKey, feedback } from '../ideas/statements'

const fromPromotedItem = sql`FROM ${feedbackItems} WHERE ${feedback.byKey}`
const fromItemTags = sql`FROM ${feedbackTags} t CROSS JOIN ${tags} ON ${tags.id} = t.tag_id AND ${tags.deletedAt} IS NULL
  WHERE t.subscription_id = ${caller.subscription} AND t.feedback_id = ${feedback.id}`

const selectPromotedKey = sql`(SELECT w.external_key FROM ${feedbackItems} CROSS JOIN ${workItems} w ON w.id = ${feedbackItems.workItemId}
    AND w.deleted_at IS NULL WHERE ${feedback.byKey})`
const alreadyPromoted = guard<Values>(
  sql`'conflict:This item is already promoted: ' || ${selectPromotedKey} || '. Remove the work item first.'`,
  sql`${selectPromotedKey} IS NOT NULL`,
)

// First status with the progress of a new work item.
const selectOpenStatusId = sql`(SELECT s.id FROM ${feedbackStatuses} s WHERE s.subscription_id = ${caller.subscription}
  AND s.progress = 'to-do' AND s.deleted_at IS NULL ORDER BY s.position, s.id LIMIT 1)`

const emitPromoted = feedback.emit('promoted', feedback.byKey, {
  previous: sql`json_object('work_item_internal_id', NULL, 'work_item_external_id', NULL, 'work_item_type', 'active')`,
})

function buildPromotion(type: Parameters<typeof insertItemFrom>[0]) {
  const insertWorkItem = insertItemFrom(type, {
    product: sql`${feedbackItems.productId}`,
    summary: sql`${feedbackItems.title}`,
    description: sql`${feedbackItems.longDescription}`,
    tags: sql`(SELECT json_group_array(${tags.name} ORDER BY ${tags.id}) ${fromItemTags})`,
    slugs: sql`SELECT ${tags.slug} AS slug ${fromItemTags}`,
    from: fromPromotedItem,
    idea: sql`(SELECT ${feedbackItems.externalKey} ${fromPromotedItem})`,
  })
  const linkWorkItem = statement<never, Values>(sql`UPDATE ${feedbackItems} SET work_item_id = ${selectNewItemId(type)},
      status_id = coalesce(${selectOpenStatusId}, ${feedbackItems.statusId}), version = version + 1, updated_at = ${caller.now}
    WHERE ${feedback.byKey}`)
  return (values: Values) => [...insertWorkItem(values), linkWorkItem(values), emitPromoted(values)]
}

const PROMOTION_BY_TYPE = {
  epic: buildPromotion('epic'),
  feature: buildPromotion('feature'),
  userstory: buildPromotion('userstory'),
}

export const promoteFeedbackItem = (db: Database, key: FeedbackKey, type: keyof typeof PROMOTION_BY_TYPE) =>
  feedback.save(db, {
    guards: [...feedback.writeGuards(key), alreadyPromoted(key)],
    statements: PROMOTION_BY_TYPE[type](key),
    returning: feedback.returningByKey(key),
  })
