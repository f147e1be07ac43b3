import { sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { productId } from '../../../db/access'
import { choice, equals, type Filter, since, walking } from '../../../db/filter'
import { workItems, workItemTags } from '../../../db/schema/work-items'
import { search } from '../../../db/search'
import { caller, param } from '../../../db/statement'
import { slugify } from '../../../text/slug'
import type { WorkItemType } from './record'

/** Items below the record with the id; 0 means no parent. */
function below(column: typeof workItems.epicId | typeof workItems.featureId): Filter<number> {
  const stored = sql.identifier(column.name)
  return {
    where: (name, id) => (id ? sql`${column} = ${param(name)}` : sql`${column} IS NULL`),
    variant: (id) => (id ? 'one' : 'none'),
    from: (name, id) =>
      id
        ? sql`(SELECT c.id AS item FROM ${workItems} parent CROSS JOIN ${workItems} c
              ON c.subscription_id = ${caller.subscription} AND c.${stored} = parent.id
            WHERE parent.id = ${param(name)} AND parent.product_id = ${productId}) child
            CROSS JOIN ${workItems} ON ${workItems.id} = child.item`
        : undefined,
    walks: () => true,
  }
}

const withJiraKey: Filter<string> = {
  ...walking(equals(workItems.jiraKey)),
  variant: (key) => (key ? 'one' : 'none'),
  from: (name, key) =>
    key
      ? sql`(SELECT id AS item FROM ${workItems} WHERE product_id = ${productId} AND jira_key = ${param(name)}
          AND jira_key <> '') same CROSS JOIN ${workItems} ON ${workItems.id} = same.item`
      : undefined,
}

const naming = (column: SQLiteColumn, value: (name: string) => ReturnType<typeof sql>): Filter<number> =>
  walking({ where: (name) => sql`EXISTS (SELECT 1 FROM json_each(${column}) WHERE ${value(name)})` })

const tagged: Filter<string> = walking({
  where: (
    name,
  ) => sql`EXISTS (SELECT 1 FROM ${workItemTags} WHERE ${workItemTags.subscriptionId} = ${caller.subscription}
    AND ${workItemTags.productId} = ${workItems.productId} AND ${workItemTags.slug} = ${param(name)}
    AND ${workItemTags.workItemId} = ${workItems.id})`,
  value: slugify,
})

/** Filters for lists of the types. The first filter with rows in `from` drives the query. */
export const filtersOf = (...types: [WorkItemType, ...WorkItemType[]]) => ({
  q: search(types[0], workItems.id, { inProduct: types }),
  jiraKey: withJiraKey,
  featureId: below(workItems.featureId),
  epicId: below(workItems.epicId),
  progress: walking(equals(workItems.progress)),
  externalProgress: walking(equals(workItems.externalProgress)),
  teamId: walking(equals(workItems.teamId)),
  userId: naming(workItems.userIds, (name) => sql`value = ${param(name)}`),
  personaId: naming(workItems.personas, (name) => sql`value ->> 'personaId' = ${param(name)}`),
  tag: tagged,
  backlog: walking(choice({ true: sql`${workItems.backlog} = 1`, false: sql`${workItems.backlog} = 0` })),
  updatedSince: since(workItems.updatedAt),
})
