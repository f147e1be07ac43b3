import { type SQL, sql } from 'drizzle-orm'
import { type DerivedField, updateWhere } from '../../../db/records/change'
import { workItemBulkRows, workItems } from '../../../db/schema/work-items'
import { caller, memoize, type Statement, statement, type Values } from '../../../db/sql/statement'
import { emitFollowingIdeas } from '../../../feedback/following/statements'
import { createPeopleNotice, namedPeople } from '../../../people/notices/statements'
import { createKpiUpdates, itemIsStoryOf } from '../../work-items/links/queries'
import { createFormerParentsUpdate } from '../../work-items/parents/queries'
import { workItem } from '../../work-items/queries/any'
import { selectEpicIdOfFeature, story } from '../../work-items/queries/record'
import { buildChildDetachment } from '../../work-items/queries/remove'
import { BULK_FIELD_BY_NAME } from './create'
import { LINK_LIST_FIELDS, type LinkList } from './links'
import { fromValidRowsOf, stagedRowsByTarget } from './rows'

const itemIsLive = sql`+${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL`

const selectUpdateValue = (value: string) =>
  sql`(SELECT ${sql.raw(value)} FROM ${stagedRowsByTarget('b')}
    WHERE b.subscription_id = ${caller.subscription} AND b.target_id = ${workItems.id} AND b.op = 'update' AND b.problem IS NULL)`
const updateHasField = (name: string) => selectUpdateValue(`json_type(b.body, '$.${name}') IS NOT NULL`)
const selectUpdateBodyValue = (name: string) => selectUpdateValue(`b.body ->> '$.${name}'`)

// `featureId` wins and sets the epic too; an `epicId` alone keeps a feature of this epic.
const featureIdAfterUpdate = sql`CASE WHEN ${workItems.type} <> 'userstory' THEN NULL WHEN ${updateHasField('featureId')} THEN ${selectUpdateBodyValue('featureId')}
  WHEN ${updateHasField('epicId')} AND ${selectEpicIdOfFeature(sql`${workItems.featureId}`)} IS NOT ${selectUpdateBodyValue('epicId')} THEN NULL
  ELSE ${workItems.featureId} END`
const epicIdAfterUpdate = sql`CASE WHEN ${workItems.type} = 'epic' THEN NULL
  WHEN (${featureIdAfterUpdate}) IS NOT NULL THEN ${selectEpicIdOfFeature(sql`(${featureIdAfterUpdate})`)}
  WHEN ${updateHasField('epicId')} THEN ${selectUpdateBodyValue('epicId')} ELSE ${workItems.epicId} END`

type ItemUpdate = ReturnType<typeof updateWhere>

function buildItemUpdate({ fields, hang, lists }: UpdateScope<readonly string[]>): ItemUpdate {
  const set = Object.fromEntries(
    fields.map((name) => {
      const column = BULK_FIELD_BY_NAME.get(name)?.column
      return [name, sql`CASE WHEN ${updateHasField(name)} THEN ${selectUpdateBodyValue(name)} ELSE ${column} END`]
    }),
  )
  const parents = hang ? { epicId: epicIdAfterUpdate, featureId: featureIdAfterUpdate } : {}
  return updateWhere(
    workItem,
    sql`${itemIsLive} AND ${workItems.id} IN (SELECT b.item_id FROM ${fromValidRowsOf('update')})`,
    { ...set, ...parents } as Parameters<typeof updateWhere>[2],
    { derived: LINK_LIST_FIELDS.filter(({ name }) => lists.includes(name)).map(createReplacedListField) },
  )
}

const createReplacedListField = ({ name, field }: (typeof LINK_LIST_FIELDS)[number]): DerivedField => ({
  name,
  json: selectUpdateValue(`b.body -> '$.was.${name}'`),
  differs: sql`${updateHasField(`was.${name}`)} AND ${selectUpdateValue(`b.body -> '$.was.${name}'`)} IS NOT ${field.json()}`,
})

const getItemUpdate = memoize(buildItemUpdate)
const emitIdeasOfUpdated = statement<never, Values>(
  emitFollowingIdeas(sql`SELECT b.item_id FROM ${fromValidRowsOf('update')}`),
)

const moveStoriesWithFeatures = updateWhere(
  story,
  itemIsStoryOf(sql`(SELECT b.item_id FROM ${workItemBulkRows} b WHERE b.subscription_id = ${caller.subscription}
    AND b.op IN ('update', 'adopt') AND b.type = 'feature' AND b.problem IS NULL)`),
  { epicId: selectEpicIdOfFeature(sql`${workItems.featureId}`) },
)

const itemIsUpdated = sql`${itemIsLive} AND ${workItems.id} IN (SELECT b.item_id FROM ${fromValidRowsOf('update')})`
const raiseVersionsOfUpdatedParents = createFormerParentsUpdate([
  { which: itemIsUpdated, epicId: epicIdAfterUpdate, featureId: featureIdAfterUpdate },
  {
    which: itemIsStoryOf(sql`(SELECT b.item_id FROM ${fromValidRowsOf('update')} AND b.type = 'feature'
      AND json_type(b.body, '$.epicId') IS NOT NULL)`),
    epicId: sql`(SELECT b.body ->> '$.epicId' FROM ${stagedRowsByTarget('b')} WHERE b.subscription_id = ${caller.subscription}
      AND b.target_id = ${workItems.featureId} AND b.op = 'update' AND b.problem IS NULL)`,
  },
])

interface UpdateScope<F> {
  fields: F
  hang: boolean
  lists: readonly LinkList[]
}

const assignedInBody = sql.raw(`b.body ->> '$.userId'`)
const assignFurther = createPeopleNotice({
  kind: 'assignment',
  values: { workItemId: workItems.id },
  people: namedPeople(assignedInBody, sql`${workItems.userIds}`),
  from: sql`FROM ${workItemBulkRows} b CROSS JOIN ${workItems} ON ${workItems.id} = b.item_id
    WHERE b.subscription_id = ${caller.subscription} AND b.op = 'update' AND b.problem IS NULL AND ${assignedInBody} <> '[]'`,
})

export function updateItems({ fields, hang, lists }: UpdateScope<ReadonlySet<string>>): Statement<never>[] {
  const some = [...BULK_FIELD_BY_NAME.keys()].filter((name) => fields.has(name))
  if (!some.length && !hang && !lists.length) return []
  const change = getItemUpdate(`${some} ${hang} ${lists}`, { fields: some, hang, lists })
  return [
    ...(hang ? [raiseVersionsOfUpdatedParents({})] : []),
    ...(fields.has('userId') ? [assignFurther({})] : []),
    ...change({}),
    ...(fields.has('progress') ? [emitIdeasOfUpdated({})] : []),
    ...(hang ? moveStoriesWithFeatures({}) : []),
  ]
}

const fromAdoptionsIn = (
  rows: SQL,
) => sql`${rows} CROSS JOIN ${workItemBulkRows} p ON p.subscription_id = ${caller.subscription}
    AND p.n = b.parent AND p.problem IS NULL
  WHERE b.subscription_id = ${caller.subscription} AND b.op = 'adopt' AND b.problem IS NULL`
const fromAdoptions = fromAdoptionsIn(sql`${workItemBulkRows} b`)
const selectAdoptingItem = (column: 'item_id' | 'type') =>
  sql`(SELECT ${sql.raw(`p.${column}`)} FROM ${fromAdoptionsIn(stagedRowsByTarget('b'))}
    AND b.target_id = ${workItems.id} ORDER BY b.n DESC LIMIT 1)`

const itemIsAdopted = sql`${itemIsLive} AND ${workItems.id} IN (SELECT b.item_id FROM ${fromAdoptions})`
const adoptedParentColumns = {
  epicId: sql`CASE ${selectAdoptingItem('type')} WHEN 'epic' THEN ${selectAdoptingItem('item_id')} ELSE ${selectEpicIdOfFeature(selectAdoptingItem('item_id'))} END`,
  featureId: sql`CASE WHEN ${workItems.type} = 'feature' THEN NULL WHEN ${selectAdoptingItem('type')} = 'feature' THEN ${selectAdoptingItem('item_id')}
    WHEN ${selectEpicIdOfFeature(sql`${workItems.featureId}`)} IS ${selectAdoptingItem('item_id')} THEN ${workItems.featureId} END`,
}
const updateAdoptedItems = updateWhere(workItem, itemIsAdopted, adoptedParentColumns)
const selectAdoptingFeature = sql`(SELECT p.item_id FROM ${fromAdoptionsIn(stagedRowsByTarget('b'))}
  AND b.target_id = ${workItems.featureId} ORDER BY b.n DESC LIMIT 1)`
const raiseVersionsOfAdoptedParents = createFormerParentsUpdate([
  { which: itemIsAdopted, ...adoptedParentColumns },
  {
    which: itemIsStoryOf(sql`(SELECT b.item_id FROM ${fromAdoptions} AND b.type = 'feature')`),
    epicId: selectAdoptingFeature,
  },
])

export const adoptChildren = (): Statement<never>[] => [
  raiseVersionsOfAdoptedParents({}),
  ...updateAdoptedItems({}),
  ...moveStoriesWithFeatures({}),
]

const selectDeletedItemIds = sql`SELECT b.item_id FROM ${fromValidRowsOf('delete')}`
const itemIsDeleted = sql`${itemIsLive} AND ${workItems.id} IN (${selectDeletedItemIds})`
const emitDeleted = workItem.emit('deleted' as never, itemIsDeleted, { many: true })
const deleteItems = statement<never, Values>(
  sql`UPDATE ${workItems} SET deleted_at = ${caller.now}, version = version + 1 WHERE ${itemIsDeleted}`,
)
const detachChildrenOfDeleted = buildChildDetachment(selectDeletedItemIds, ['epic', 'feature'])
const updateKpisOfDeleted = createKpiUpdates(selectDeletedItemIds, false)

export const removeItems = (): Statement<never>[] => [
  ...updateKpisOfDeleted({}),
  emitDeleted({}),
  deleteItems({}),
  ...detachChildrenOfDeleted({}),
]
