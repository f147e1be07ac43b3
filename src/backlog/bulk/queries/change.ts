import { type SQL, sql } from 'drizzle-orm'
import { type DerivedField, updateWhere } from '../../../db/records/change'
import { workItemBulkRows, workItems } from '../../../db/schema/work-items'
import { caller, memoize, type Statement, statement, type Values } from '../../../db/sql/statement'
import { isStoryOf, raiseKpisOf } from '../../work-items/links/queries'
import { raiseFormerParents } from '../../work-items/parents/queries'
import { workItem } from '../../work-items/queries/any'
import { epicOf, story } from '../../work-items/queries/record'
import { buildDetach } from '../../work-items/queries/remove'
import { FIELDS } from './create'
import { LIST_FIELDS, type List } from './links'
import { rowsByTarget, validRowsOf } from './rows'

const isLiveTenantItem = sql`+${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL`

const updateValue = (value: string) =>
  sql`(SELECT ${sql.raw(value)} FROM ${rowsByTarget('b')}
    WHERE b.subscription_id = ${caller.subscription} AND b.target_id = ${workItems.id} AND b.op = 'update' AND b.problem IS NULL)`
const updateNames = (name: string) => updateValue(`json_type(b.body, '$.${name}') IS NOT NULL`)
const updateBodyValue = (name: string) => updateValue(`b.body ->> '$.${name}'`)

// `featureId` wins and sets the epic too; an `epicId` alone keeps a feature of this epic.
const newFeatureId = sql`CASE WHEN ${workItems.type} <> 'userstory' THEN NULL WHEN ${updateNames('featureId')} THEN ${updateBodyValue('featureId')}
  WHEN ${updateNames('epicId')} AND ${epicOf(sql`${workItems.featureId}`)} IS NOT ${updateBodyValue('epicId')} THEN NULL
  ELSE ${workItems.featureId} END`
const newEpicId = sql`CASE WHEN ${workItems.type} = 'epic' THEN NULL
  WHEN (${newFeatureId}) IS NOT NULL THEN ${epicOf(sql`(${newFeatureId})`)}
  WHEN ${updateNames('epicId')} THEN ${updateBodyValue('epicId')} ELSE ${workItems.epicId} END`

type ItemUpdate = ReturnType<typeof updateWhere>

function buildUpdate({ fields, hang, lists }: UpdateScope<readonly string[]>): ItemUpdate {
  const set = Object.fromEntries(
    fields.map((name) => {
      const column = FIELDS.get(name)?.column
      return [name, sql`CASE WHEN ${updateNames(name)} THEN ${updateBodyValue(name)} ELSE ${column} END`]
    }),
  )
  const parents = hang ? { epicId: newEpicId, featureId: newFeatureId } : {}
  return updateWhere(
    workItem,
    sql`${isLiveTenantItem} AND ${workItems.id} IN (SELECT b.item_id FROM ${validRowsOf('update')})`,
    { ...set, ...parents } as Parameters<typeof updateWhere>[2],
    { derived: LIST_FIELDS.filter(({ name }) => lists.includes(name)).map(replacedList) },
  )
}

const replacedList = ({ name, field }: (typeof LIST_FIELDS)[number]): DerivedField => ({
  name,
  json: updateValue(`b.body -> '$.was.${name}'`),
  differs: sql`${updateNames(`was.${name}`)} AND ${updateValue(`b.body -> '$.was.${name}'`)} IS NOT ${field.json()}`,
})

const updatesByFields = memoize(buildUpdate)

const moveStories = updateWhere(
  story,
  isStoryOf(sql`(SELECT b.item_id FROM ${workItemBulkRows} b WHERE b.subscription_id = ${caller.subscription}
    AND b.op IN ('update', 'adopt') AND b.type = 'feature' AND b.problem IS NULL)`),
  { epicId: epicOf(sql`${workItems.featureId}`) },
)

const isUpdated = sql`${isLiveTenantItem} AND ${workItems.id} IN (SELECT b.item_id FROM ${validRowsOf('update')})`
const raiseParentsOfUpdated = raiseFormerParents([
  { which: isUpdated, epicId: newEpicId, featureId: newFeatureId },
  {
    which: isStoryOf(sql`(SELECT b.item_id FROM ${validRowsOf('update')} AND b.type = 'feature'
      AND json_type(b.body, '$.epicId') IS NOT NULL)`),
    epicId: sql`(SELECT b.body ->> '$.epicId' FROM ${rowsByTarget('b')} WHERE b.subscription_id = ${caller.subscription}
      AND b.target_id = ${workItems.featureId} AND b.op = 'update' AND b.problem IS NULL)`,
  },
])

interface UpdateScope<F> {
  fields: F
  hang: boolean
  lists: readonly List[]
}

export function updateItems({ fields, hang, lists }: UpdateScope<ReadonlySet<string>>): Statement<never>[] {
  const some = [...FIELDS.keys()].filter((name) => fields.has(name))
  if (!some.length && !hang && !lists.length) return []
  const change = updatesByFields(`${some} ${hang} ${lists}`, { fields: some, hang, lists })
  return [...(hang ? [raiseParentsOfUpdated({})] : []), ...change({}), ...(hang ? moveStories({}) : [])]
}

const adoptionsFrom = (
  rows: SQL,
) => sql`${rows} CROSS JOIN ${workItemBulkRows} p ON p.subscription_id = ${caller.subscription}
    AND p.n = b.parent AND p.problem IS NULL
  WHERE b.subscription_id = ${caller.subscription} AND b.op = 'adopt' AND b.problem IS NULL`
const fromAdoptions = adoptionsFrom(sql`${workItemBulkRows} b`)
const adoptingItem = (column: 'item_id' | 'type') =>
  sql`(SELECT ${sql.raw(`p.${column}`)} FROM ${adoptionsFrom(rowsByTarget('b'))}
    AND b.target_id = ${workItems.id} ORDER BY b.n DESC LIMIT 1)`

const isAdopted = sql`${isLiveTenantItem} AND ${workItems.id} IN (SELECT b.item_id FROM ${fromAdoptions})`
const newParents = {
  epicId: sql`CASE ${adoptingItem('type')} WHEN 'epic' THEN ${adoptingItem('item_id')} ELSE ${epicOf(adoptingItem('item_id'))} END`,
  featureId: sql`CASE WHEN ${workItems.type} = 'feature' THEN NULL WHEN ${adoptingItem('type')} = 'feature' THEN ${adoptingItem('item_id')}
    WHEN ${epicOf(sql`${workItems.featureId}`)} IS ${adoptingItem('item_id')} THEN ${workItems.featureId} END`,
}
const updateAdopted = updateWhere(workItem, isAdopted, newParents)
const adoptingFeature = sql`(SELECT p.item_id FROM ${adoptionsFrom(rowsByTarget('b'))}
  AND b.target_id = ${workItems.featureId} ORDER BY b.n DESC LIMIT 1)`
const raiseParentsOfAdopted = raiseFormerParents([
  { which: isAdopted, ...newParents },
  { which: isStoryOf(sql`(SELECT b.item_id FROM ${fromAdoptions} AND b.type = 'feature')`), epicId: adoptingFeature },
])

export const adoptChildren = (): Statement<never>[] => [
  raiseParentsOfAdopted({}),
  ...updateAdopted({}),
  ...moveStories({}),
]

const selectDeleted = sql`SELECT b.item_id FROM ${validRowsOf('delete')}`
const isDeleted = sql`${isLiveTenantItem} AND ${workItems.id} IN (${selectDeleted})`
const emitDeleted = workItem.emit('deleted' as never, isDeleted, { many: true })
const deleteItems = statement<never, Values>(
  sql`UPDATE ${workItems} SET deleted_at = ${caller.now}, version = version + 1 WHERE ${isDeleted}`,
)
const detachFromDeleted = buildDetach(selectDeleted, ['epic', 'feature'])
const hide = raiseKpisOf(selectDeleted, false)

export const removeItems = (): Statement<never>[] => [
  ...hide({}),
  emitDeleted({}),
  deleteItems({}),
  ...detachFromDeleted({}),
]
