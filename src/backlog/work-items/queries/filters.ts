import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { workItemForeignIds, workItems, workItemTags } from '../../../db/schema/work-items'
import { productId } from '../../../db/sql/access'
import {
  atLeast,
  choice,
  equals,
  equalsAny,
  type Filter,
  hasAttributes,
  namesRecord,
  namesRecordOrNone,
  unindexed,
} from '../../../db/sql/filter'
import { searchFilter } from '../../../db/sql/search'
import { caller, param } from '../../../db/sql/statement'
import { slugifyName } from '../../../text/slug'
import { PROGRESS_VALUES } from '../schema'
import type { WorkItemType } from './record'

function createParentFilter(column: typeof workItems.epicId | typeof workItems.featureId): Filter<number> {
  const stored = sql.identifier(column.name)
  return {
    where: (name, id) => (id ? sql`${column} = ${param(name)}` : sql`${column} IS NULL`),
    variant: (id) => (id ? 'one' : 'none'),
    source: (name, id) =>
      id
        ? sql`(SELECT c.id AS item FROM ${workItems} parent CROSS JOIN ${workItems} c
              ON c.subscription_id = ${caller.subscription} AND c.${stored} = parent.id
            WHERE parent.id = ${param(name)} AND parent.product_id = ${productId}) child
            CROSS JOIN ${workItems} ON ${workItems.id} = child.item`
        : undefined,
    isUnindexed: () => true,
  }
}

const jiraKeyFilter: Filter<string> = {
  ...unindexed(equals(workItems.jiraKey)),
  variant: (key) => (key ? 'one' : 'none'),
  source: (name, key) =>
    key
      ? sql`(SELECT id AS item FROM ${workItems} WHERE product_id = ${productId} AND jira_key = ${param(name)}
          AND jira_key <> '') same CROSS JOIN ${workItems} ON ${workItems.id} = same.item`
      : undefined,
}

const createListEntryFilter = (column: SQLiteColumn, value: (name: string) => ReturnType<typeof sql>): Filter<number> =>
  unindexed({ where: (name) => sql`EXISTS (SELECT 1 FROM json_each(${column}) WHERE ${value(name)})` })

const tagFilter: Filter<string> = unindexed({
  where: (
    name,
  ) => sql`EXISTS (SELECT 1 FROM ${workItemTags} WHERE ${workItemTags.subscriptionId} = ${caller.subscription}
    AND ${workItemTags.productId} = ${workItems.productId} AND ${workItemTags.slug} = ${param(name)}
    AND ${workItemTags.workItemId} = ${workItems.id})`,
  value: slugifyName,
})

const showsRemoved = (asked: { removed?: string }) => (asked.removed ?? 'exclude') !== 'exclude'

/**
 * A modify accepts any progress, so a further progress is known if an item has it. The check leaves out removed items, so
 * that a list with removed items has no check.
 */
const progressFilter: Filter<readonly string[]> = {
  ...unindexed(equalsAny(workItems.progress)),
  references(given, asked) {
    if (showsRemoved(asked)) return []
    const { true: wholes = [], false: parts = wholes } = Object.groupBy(given, (value) => `${value.includes(',')}`)
    return parts
      .filter((value) => !PROGRESS_VALUES.some((known) => known === value))
      .map((value) => ({ kind: 'usedProgress', value: JSON.stringify([value, ...wholes]) }))
  },
}

export const selectItemOfForeignId = (
  text: SQL,
) => sql`SELECT DISTINCT x.work_item_id AS id FROM ${workItemForeignIds} x
  WHERE x.subscription_id = ${caller.subscription} AND x.foreign_id = ${text} AND +x.product_id = ${productId}`

/** Filters for lists of the types. The first filter with rows in `from` drives the query. */
export const createListFilters = (...types: [WorkItemType, ...WorkItemType[]]) => ({
  q: searchFilter(types[0], workItems.id, { inProduct: types, selectNamed: selectItemOfForeignId }),
  jiraKey: jiraKeyFilter,
  featureId: namesRecordOrNone('feature', createParentFilter(workItems.featureId)),
  epicId: namesRecordOrNone('epic', createParentFilter(workItems.epicId)),
  progress: progressFilter,
  externalProgress: unindexed(equals(workItems.externalProgress)),
  teamId: namesRecord('team', unindexed(equals(workItems.teamId))),
  userId: namesRecord(
    'user',
    createListEntryFilter(workItems.userIds, (name) => sql`value = ${param(name)}`),
  ),
  personaId: namesRecord(
    'persona',
    createListEntryFilter(workItems.personas, (name) => sql`value ->> 'personaId' = ${param(name)}`),
  ),
  tag: tagFilter,
  backlog: unindexed(choice({ true: sql`${workItems.backlog} = 1`, false: sql`${workItems.backlog} = 0` })),
  attributes: hasAttributes(workItems.attributes),
  updatedSince: atLeast(workItems.updatedAt),
})
