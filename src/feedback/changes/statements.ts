import { type SQL, sql } from 'drizzle-orm'
import { markReadOnlyRows, missingReferencesProblem } from '../../db/client/bulk'
import { type DerivedField, updateWhere } from '../../db/records/change'
import { feedbackChanges, feedbackItems } from '../../db/schema/feedback'
import { feedbackNotices } from '../../db/schema/notices'
import { feedbackTags, tags } from '../../db/schema/tags'
import { coversProduct } from '../../db/sql/access'
import { toField } from '../../db/sql/field'
import { recordJson } from '../../db/sql/selection'
import {
  caller,
  inline,
  insertInto,
  memoize,
  param,
  type Statement,
  statement,
  statements,
  type Values,
} from '../../db/sql/statement'
import type { NotifyChoice } from '../../people/notices/schema'
import { createNoticeSilencer, createNoticeTakeover } from '../../people/notices/statements'
import type { ModifyFeedbackItem } from '../ideas/schema'
import { createTagStatements, currentTagsJson, feedback, fromNamedTags, tagsJson } from '../ideas/statements'
import { buildMerge } from '../merging/statements'

const isValidRowOf = (op: 'update' | 'delete' | 'merge') =>
  sql`b.subscription_id = ${caller.subscription} AND b.op = ${inline(op)} AND b.problem IS NULL`
const selectItemIdsOf = (op: 'update' | 'delete' | 'merge') =>
  sql`SELECT b.item_id FROM ${feedbackChanges} b WHERE ${isValidRowOf(op)}`
// Finds items by id: the unary plus keeps SQLite from scanning the ideas of the workspace.
const itemIsOf = (op: 'update' | 'delete') => sql`+${feedbackItems.subscriptionId} = ${caller.subscription}
  AND ${feedbackItems.id} IN (${selectItemIdsOf(op)})`

const stagedRowValue = (place: number) => sql.raw(`(i.value ->> ${place})`)
const itemIsLive = sql`f.subscription_id = ${caller.subscription} AND f.deleted_at IS NULL
  AND ${coversProduct(sql`f.product_id`)}`

/** Each row is `[n, op, key, key of the target, body, tags, indexes into refs, 1 if invalid]`. */
export const stageChanges = statement<never, Values>(
  insertInto(
    feedbackChanges,
    {
      subscriptionId: caller.subscription,
      n: stagedRowValue(0),
      op: stagedRowValue(1),
      externalKey: stagedRowValue(2),
      itemId: sql`f.id`,
      productId: sql`f.product_id`,
      intoId: sql`(SELECT f.id FROM ${feedbackItems} f WHERE ${itemIsLive} AND f.external_key = ${stagedRowValue(3)})`,
      body: sql`i.value -> 4`,
      tags: sql`nullif(i.value -> 5, 'null')`,
      problem: sql`CASE WHEN ${stagedRowValue(7)} THEN 'wrong'
        ELSE ${missingReferencesProblem(sql`i.value -> 6`, ['category', 'image', 'feedbackStatus', 'feedbackItem'])} END`,
    },
    sql`FROM json_each(${param('rows')}) i LEFT JOIN ${feedbackItems} f ON ${itemIsLive} AND f.external_key = ${stagedRowValue(2)}`,
  ),
)

const bodyValue = (name: string) => sql.raw(`"feedback_changes"."body" ->> '$.${name}'`)
const bodyLacks = (name: string) => sql.raw(`json_type("feedback_changes"."body", '$.${name}') IS NULL`)
const itemMeets = (condition: SQL) =>
  sql`EXISTS (SELECT 1 FROM ${feedbackItems} f WHERE f.id = ${feedbackChanges.itemId} AND ${condition})`

export const markInvalidChanges = statement<never, Values>(sql`UPDATE ${feedbackChanges} SET problem = CASE
    WHEN ${feedbackChanges.itemId} IS NULL THEN 'absent'
    WHEN ${itemMeets(sql`f.merged_into IS NOT NULL`)} THEN 'merged'
    WHEN ${bodyLacks('voting_end_time')} AND ${itemMeets(sql`${bodyValue('voting_start_time')} > f.voting_end_time`)} THEN 'start'
    WHEN ${bodyLacks('voting_start_time')} AND ${itemMeets(sql`${bodyValue('voting_end_time')} < f.voting_start_time`)} THEN 'end' END
  WHERE ${feedbackChanges.subscriptionId} = ${caller.subscription} AND ${feedbackChanges.problem} IS NULL`)

export const markReadOnlyChanges = markReadOnlyRows(
  feedbackChanges,
  sql`SELECT ${recordJson(feedback.fields, true)} AS data ${feedback.from} WHERE ${feedbackItems.id} = ${feedbackChanges.itemId}`,
)

const rowsWithTags = sql`${feedbackChanges} b CROSS JOIN json_each(b.tags) t`
const tagStatements = createTagStatements({
  item: sql`b.item_id`,
  product: sql`b.product_id`,
  rows: rowsWithTags,
  where: isValidRowOf('update'),
})
// Without the hint, SQLite scans all operations for each item.
const changeByItem = sql`${feedbackChanges} b INDEXED BY feedback_changes_item`
const namedTagsOf = (
  item: SQL,
) => sql`${fromNamedTags(sql`b.product_id`, sql`${changeByItem} CROSS JOIN json_each(b.tags) t`)}
  WHERE ${isValidRowOf('update')} AND b.item_id = ${item}`
const detachTags = sql`DELETE FROM ${feedbackTags} WHERE ${feedbackTags.subscriptionId} = ${caller.subscription}
  AND ${feedbackTags.feedbackId} IN (${selectItemIdsOf('update')} AND b.tags IS NOT NULL)
  AND ${feedbackTags.tagId} IN (SELECT ${tags.id} FROM ${tags} WHERE ${tags.id} = ${feedbackTags.tagId}
    AND ${tags.subscriptionId} = ${caller.subscription} AND ${tags.deletedAt} IS NULL)
  AND ${feedbackTags.tagId} NOT IN (SELECT ${tags.id} ${namedTagsOf(sql`${feedbackTags.feedbackId}`)})`
const insertMissingTags = statements([tagStatements.insertTags, tagStatements.emitNewTags])
const replaceTags = [detachTags, tagStatements.attachTags].map((source) => statement<never, Values>(source))

const selectChange = (value: SQL) => sql`(SELECT ${value} FROM ${changeByItem}
  WHERE ${isValidRowOf('update')} AND b.item_id = ${feedbackItems.id})`
const tagsAfterChange = tagsJson(sql`${namedTagsOf(sql`${feedbackItems.id}`)} ORDER BY ${tags.id}`)
const derivedTagsField: DerivedField = {
  name: 'tags',
  json: currentTagsJson,
  differs: sql`(${selectChange(sql`b.tags IS NOT NULL`)} AND ${currentTagsJson} IS NOT ${tagsAfterChange})`,
  newValue: sql`iif(${selectChange(sql`b.tags IS NOT NULL`)}, ${tagsAfterChange}, ${currentTagsJson})`,
}

type ChangedField = Exclude<
  keyof typeof ModifyFeedbackItem.shape,
  'tags' | 'notify' | 'slug' | 'is_anonymous' | 'source' | 'external_id'
>

const getUpdate = memoize(({ fields, hasTags }: { fields: readonly ChangedField[]; hasTags: boolean }) => {
  const set = Object.fromEntries(
    fields.map((name) => {
      const { column } = toField(feedback.fields[name])
      if (!column) throw new Error(`${name} is no field that a write can set`)
      const isChanged = selectChange(sql.raw(`json_type(b.body, '$.${column.name}') IS NOT NULL`))
      const value = selectChange(sql.raw(`b.body ->> '$.${column.name}'`))
      return [name, sql`CASE WHEN ${isChanged} THEN ${value} ELSE ${column} END`]
    }),
  )
  return updateWhere(feedback, itemIsOf('update'), set, { derived: hasTags ? [derivedTagsField] : [] })
})

export function updateIdeas(fields: readonly string[], hasTags: boolean): Statement<never>[] {
  if (!fields.length && !hasTags) return []
  const change = getUpdate(`${fields} ${hasTags}`, { fields: fields as ChangedField[], hasTags })
  return [
    ...(hasTags ? insertMissingTags({}) : []),
    ...change({}),
    ...(hasTags ? replaceTags.map((make) => make({})) : []),
  ]
}

const selectNotify = (item: SQL) => sql`(SELECT coalesce(b.body ->> '$.notify', 'later') FROM ${changeByItem}
  WHERE ${isValidRowOf('update')} AND b.item_id = ${item})`
const silenceNotices = createNoticeSilencer(sql`IN (${selectItemIdsOf('update')} AND b.body ->> '$.notify' = 'none')`)
const takeNotices = createNoticeTakeover(
  sql`IN (${selectItemIdsOf('update')})`,
  selectNotify(sql`${feedbackNotices.feedbackId}`),
)
/** Stands after the update. */
export const chooseNotices = (choices: readonly (NotifyChoice | undefined)[]): Statement<never>[] => [
  ...(choices.includes('none') ? silenceNotices({}) : []),
  ...(choices.some((choice) => choice !== 'none') ? takeNotices({}) : []),
]

const emitDeleted = feedback.emit('deleted', itemIsOf('delete'), { many: true })
const deleteItems = statement<never, Values>(
  sql`UPDATE ${feedbackItems} SET deleted_at = ${caller.now}, version = version + 1 WHERE ${itemIsOf('delete')}`,
)
export const removeIdeas = (): Statement<never>[] => [emitDeleted({}), deleteItems({})]

const merge = buildMerge(
  sql`(SELECT b.item_id, b.into_id FROM ${feedbackChanges} b WHERE ${isValidRowOf('merge')} ORDER BY b.n LIMIT -1) pair`,
)
export const mergeIdeas = (): Statement<never>[] => merge.map((make) => make({}))
