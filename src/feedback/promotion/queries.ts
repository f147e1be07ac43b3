import { type SQL, sql } from 'drizzle-orm'
import { insertItemFrom, selectNewItemId } from '../../backlog/work-items/statements'
import type { Database } from '../../db/client/client'
import { guard } from '../../db/client/refuse'
import { type DerivedField, updateWhere } from '../../db/records/change'
import { raiseTargetVersions } from '../../db/records/links'
import { feedbackItems, feedbackStatuses } from '../../db/schema/feedback'
import { feedbackTags, tags } from '../../db/schema/tags'
import { workItems } from '../../db/schema/work-items'
import { referenceTo, workItemIdOfKey } from '../../db/sql/references'
import { caller, inline, param, type Values } from '../../db/sql/statement'
import { workItemTargetOfIdea } from '../../link-targets'
import { type FeedbackKey, feedback } from '../ideas/statements'

/** A change of the progress of a work item changes all its ideas in one transaction. */
export const MAX_IDEAS_PER_ITEM = 200

const fromPromotedItem = sql`FROM ${feedbackItems} WHERE ${feedback.byKey}`
const fromItemTags = sql`FROM ${feedbackTags} t CROSS JOIN ${tags} ON ${tags.id} = t.tag_id AND ${tags.deletedAt} IS NULL
  WHERE t.subscription_id = ${caller.subscription} AND t.feedback_id = ${feedback.id}`

const selectLinked = (column: SQL) => sql`(SELECT ${column} FROM ${workItems} w WHERE w.id = ${feedbackItems.workItemId}
  AND w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL)`
const selectLinkedOfPath = (column: SQL) =>
  sql`(SELECT ${selectLinked(column)} FROM ${feedbackItems} WHERE ${feedback.byKey})`

const guardLink = (isOther: SQL) =>
  guard<Values>(
    sql`'conflict:This item is already linked to ' || ${selectLinkedOfPath(sql`w.external_key`)} || '. Unlink the work item first.'`,
    isOther,
  )
const alreadyLinked = guardLink(sql`${selectLinkedOfPath(sql`w.id`)} IS NOT NULL`)

const selectFirstStatusId = (progress: SQL) => sql`(SELECT s.id FROM ${feedbackStatuses} s
  WHERE s.subscription_id = ${caller.subscription} AND s.progress = ${progress} AND s.deleted_at IS NULL
  ORDER BY s.position, s.id LIMIT 1)`

const becomesLinkedTo = (id: SQL): DerivedField[] =>
  [
    ['work_item_internal_id', selectLinked(sql`w.id`)] as const,
    ['work_item_external_id', selectLinked(sql`w.external_key`)] as const,
    ['work_item_type', sql`coalesce(${selectLinked(sql`w.type`)}, 'active')`] as const,
  ].map(([name, shown]) => ({
    name,
    json: sql`json_quote(${shown})`,
    differs: sql`${feedbackItems.workItemId} IS NOT ${id}`,
    source: { column: feedbackItems.workItemId, value: id },
  }))

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
  const newItemId = sql`(${selectNewItemId(type)})`
  const linkWorkItem = updateWhere(
    feedback,
    feedback.byKey,
    { status_id: sql`coalesce(${selectFirstStatusId(sql`'to-do'`)}, ${feedbackItems.statusId})` },
    { derived: becomesLinkedTo(newItemId) },
  )
  return (values: Values) => [...insertWorkItem(values), ...linkWorkItem(values), emitPromoted(values)]
}

const PROMOTION_BY_TYPE = {
  epic: buildPromotion('epic'),
  feature: buildPromotion('feature'),
  userstory: buildPromotion('userstory'),
}

export const promoteFeedbackItem = (db: Database, key: FeedbackKey, type: keyof typeof PROMOTION_BY_TYPE) =>
  feedback.save(db, {
    guards: [...feedback.writeGuards(key), alreadyLinked(key)],
    statements: PROMOTION_BY_TYPE[type](key),
    returning: feedback.returningByKey(key),
  })

// Guards run before the check of references, and must not reveal items of other products.
const targetItemId = sql`(SELECT o.id FROM ${workItems} o WHERE o.id = ${workItemIdOfKey(sql`${param('workItem')}`)}
  AND o.deleted_at IS NULL AND o.product_id = (SELECT ${feedbackItems.productId} FROM ${feedbackItems} WHERE ${feedback.byKey}))`
const otherAlreadyLinked = guardLink(sql`${selectLinkedOfPath(sql`w.id`)} <> ${targetItemId}`)
const ideaIsNotLinked = (id: SQL) => sql`${feedback.byKey} AND ${feedbackItems.workItemId} IS NOT ${id}`
const tooManyIdeas = guard<Values>(
  `conflict:A work item can have at most ${MAX_IDEAS_PER_ITEM} feedback items. Merge similar items, or unlink an item first.`,
  sql`EXISTS (SELECT 1 FROM ${feedbackItems} WHERE ${ideaIsNotLinked(targetItemId)}) AND (SELECT count(*) FROM (
    SELECT 1 FROM ${feedbackItems} i WHERE i.subscription_id = ${caller.subscription} AND i.work_item_id = ${targetItemId}
      AND i.deleted_at IS NULL LIMIT ${inline(MAX_IDEAS_PER_ITEM)})) = ${inline(MAX_IDEAS_PER_ITEM)}`,
)

// Finds the ideas by id: the unary plus keeps SQLite from scanning the ideas of the workspace.
const selectIdeaKeys = (
  which: SQL,
) => sql`(SELECT json_group_array(key) FROM (SELECT i.external_key AS key FROM ${feedbackItems} i
  WHERE +i.subscription_id = ${caller.subscription} AND i.deleted_at IS NULL AND i.merged_into IS NULL AND ${which} ORDER BY i.id))`
const selectIdeaIds = sql`SELECT f.id FROM ${feedbackItems} f WHERE f.subscription_id = ${caller.subscription}
  AND f.work_item_id = ${workItems.id}`
const emitItemLinked = raiseTargetVersions(workItemTargetOfIdea, {
  ids: sql`SELECT ${targetItemId} WHERE EXISTS (SELECT 1 FROM ${feedbackItems} WHERE ${ideaIsNotLinked(targetItemId)})`,
  newValue: selectIdeaKeys(sql`i.id IN (${selectIdeaIds} UNION SELECT ${feedback.id})`),
})
const emitItemUnlinked = raiseTargetVersions(workItemTargetOfIdea, {
  ids: sql`SELECT ${selectLinkedOfPath(sql`w.id`)}`,
  newValue: selectIdeaKeys(sql`i.id IN (${selectIdeaIds}) AND i.id <> ${feedback.id}`),
})

const linkIdea = updateWhere(
  feedback,
  ideaIsNotLinked(targetItemId),
  {
    status_id: sql`coalesce(${selectFirstStatusId(sql`(SELECT w.progress FROM ${workItems} w WHERE w.id = ${targetItemId})`)}, ${feedbackItems.statusId})`,
  },
  { derived: becomesLinkedTo(targetItemId) },
)
const unlinkIdea = updateWhere(
  feedback,
  sql`${feedback.byKey} AND ${selectLinked(sql`w.id`)} IS NOT NULL`,
  {},
  { derived: becomesLinkedTo(sql`NULL`) },
)

export function linkFeedbackItem(
  db: Database,
  key: FeedbackKey,
  { path, key: workItem }: { path: string; key: string },
) {
  const values = { ...key, workItem }
  return feedback.save(db, {
    guards: [...feedback.writeGuards(key), otherAlreadyLinked(values), tooManyIdeas(values)],
    references: referenceTo('workItemOfIdea', path, workItem),
    statements: [...emitItemLinked(values), ...linkIdea(values)],
    returning: feedback.returningByKey(key),
  })
}

export const unlinkFeedbackItem = (db: Database, key: FeedbackKey, ifMatch: string | null) =>
  feedback.save(db, {
    guards: feedback.writeGuards(key, ifMatch),
    statements: [...emitItemUnlinked(key), ...unlinkIdea(key)],
    returning: feedback.returningByKey(key),
  })
