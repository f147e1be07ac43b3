import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { orDefault } from '../../db/bulk'
import { importRows } from '../../db/schema/imports'
import { workItems, workItemTags } from '../../db/schema/work-items'
import { caller, inline, insertInto, param, statements } from '../../db/statement'
import type { Bulk } from '../../workspace/imports/bulk'
import { runId } from '../../workspace/imports/fields'
import {
  FIRST,
  noted,
  type Place,
  RUN,
  row,
  stored,
  type Upsert,
  undoing,
  upserting,
} from '../../workspace/imports/statements'
import { shownPercentage, story } from '../work-items/queries/record'
import { keysOf, rankOfKey } from '../work-items/rank/statements'
import { ImportedWorkItem } from './schema'

// Indexes into the array made by `stored` in importing.ts.
const [key, jiraKey, type, parentRow, parentKey] = [stored(2), stored(3), stored(4), stored(5), stored(6)]
const [parentJiraKey, neededKey] = [stored(7), stored(8)]
const FIELDS = 9
const slugs = inline('$[10]')

const given = (name: string) => sql.raw(`(p.value ->> '$[${FIELDS}].${name}')`)
const COLUMNS = Object.entries(getTableColumns(workItems)).filter(([name]) => {
  const member = name === 'personas' ? 'persona' : name
  return member in story.fields && member in ImportedWorkItem.shape
})

/**
 * Value in the row. A percentage equal to the shown percentage counts as missing, because an export holds the shown
 * percentage and items below may change the percentage.
 */
const changedTo = (column: SQLiteColumn) =>
  column === workItems.progressPercentage
    ? sql`nullif(${given(column.name)}, ${shownPercentage()})`
    : given(column.name)

const standing = (
  name: string,
  { product, since }: Place,
) => sql`${sql.raw(name)}.subscription_id = ${caller.subscription}
  AND +${sql.raw(name)}.product_id = ${product} AND ${sql.raw(name)}.deleted_at IS NULL
  AND ${sql.raw(name)}.created_at < ${since}`

/**
 * Id of the record with the key or the Jira key, created before the run, because the run creates records too. Without
 * the hint, SQLite scans the items of the product for the Jira key.
 */
const recordOf = (called: SQL, jira: SQL, place: Place, also: SQL) => sql`coalesce(
  (SELECT k.id FROM ${workItems} k WHERE ${standing('k', place)} AND k.external_key = ${called} AND ${also}),
  (SELECT min(k.id) FROM ${workItems} k INDEXED BY work_items_jira_key WHERE k.product_id = ${place.product}
    AND k.jira_key = ${jira} AND k.jira_key <> '' AND +k.subscription_id = ${caller.subscription} AND k.deleted_at IS NULL
    AND k.created_at < ${place.since} AND ${also}))`

const upsert: Upsert = {
  table: workItems,
  joins: (place) =>
    sql`LEFT JOIN ${workItems} ON ${workItems.id} = ${recordOf(key, jiraKey, place, sql`k.type = ${type}`)}`,
  become: Object.fromEntries(
    COLUMNS.map(([, column]) => [column.name, { column, value: sql`coalesce(${changedTo(column)}, ${column})` }]),
  ),
  was: {
    epic_id: workItems.epicId,
    feature_id: workItems.featureId,
    slugs: sql`(SELECT json_group_array(slug) FROM ${workItemTags}
      WHERE ${workItemTags.subscriptionId} = ${caller.subscription} AND ${workItemTags.workItemId} = ${workItems.id})`,
  },
  differs: sql`${parentKey} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${workItems} a
    WHERE a.id = coalesce(${workItems.featureId}, ${workItems.epicId}) AND a.subscription_id = ${caller.subscription}
      AND (a.external_key = ${parentKey} OR a.jira_key = ${parentJiraKey} AND a.jira_key <> ''))`,
  refusals: (place, changes) => [
    {
      when: sql`${neededKey} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${workItems} n
        WHERE ${standing('n', place)} AND n.external_key = ${neededKey})`,
      field: 'parent',
      value: neededKey,
      reason: 'There is no such item in this product.',
    },
    {
      when: sql`${changes} AND coalesce(${given('start_date')}, ${workItems.startDate}) > coalesce(${given('end_date')}, ${workItems.endDate})`,
      field: 'endDate',
      reason: 'Must not be before the startDate that the item has.',
    },
  ],
  parentRow,
  preview: sql`CASE WHEN ${row} <= ${param('shown')} THEN json_patch(json_object('type', ${type},
    'externalKey', ${workItems.externalKey}, 'parent', ${parentKey}), p.value -> ${inline(FIELDS)}) END`,
}
const { note, update, judge } = upserting(upsert)

const keys = keysOf(noted('created'), { type, n: importRows.row })
const create = insertInto(
  workItems,
  {
    id: sql`p.id`,
    subscriptionId: caller.subscription,
    productId: RUN.product,
    type,
    externalKey: sql`p.key`,
    rank: rankOfKey(sql`p.key`),
    ...Object.fromEntries(COLUMNS.map(([name, column]) => [name, orDefault(column, given(column.name))])),
    createdAt: caller.now,
    updatedAt: caller.now,
  },
  sql`FROM (SELECT p.value AS value, ${importRows.recordId} AS id, ${keys.key} AS key FROM ${noted('created')}) p ORDER BY p.id`,
)

const written = (name: string) => sql`${sql.raw(name)}.subscription_id = ${caller.subscription}
  AND ${sql.raw(name)}.import_id = ${runId} AND ${sql.raw(name)}.outcome IN ('created', 'updated')`
/** Record made from a row of the file, in this slice or in an earlier slice. */
const madeOf = (row: SQL) => sql`(SELECT m.record_id FROM ${importRows} m WHERE ${written('m')} AND m.row = ${row})`
/** Pairs of item and parent: items of this slice, and items of earlier slices with a parent in this slice. */
const hanging = sql`SELECT ${importRows.recordId} AS item, coalesce(${madeOf(parentRow)},
    ${recordOf(parentKey, parentJiraKey, RUN, sql`k.type <> 'userstory'`)}) AS above
  FROM ${noted('created', 'updated')} WHERE ${parentRow} IS NOT NULL OR ${parentKey} IS NOT NULL
  UNION ALL SELECT n.record_id, ${madeOf(sql`n.parent_row`)} FROM ${importRows} n
  WHERE ${written('n')} AND n.parent_row > ${param('from')} AND n.parent_row <= ${param('to')} AND n.row <= ${param('from')}`

/** Attaches features to epics, or stories to an epic or a feature; a story follows the epic of the feature. */
const hang = (below: 'feature' | 'userstory') => sql`UPDATE ${workItems} SET
    epic_id = CASE a.type WHEN 'epic' THEN a.id ELSE a.epic_id END, feature_id = CASE a.type WHEN 'feature' THEN a.id END
  FROM (${hanging} ${FIRST}) pair CROSS JOIN ${workItems} a ON a.id = pair.above AND +a.subscription_id = ${caller.subscription}
  WHERE ${workItems.id} = pair.item AND +${workItems.subscriptionId} = ${caller.subscription}
    AND ${workItems.type} = ${inline(below)} AND a.type NOT IN ('userstory', ${inline(below)})`

/** Stories follow a feature attached to an epic. */
const follow = sql`UPDATE ${workItems} SET epic_id = hung.epic_id
  FROM (SELECT f.id, f.epic_id FROM (${hanging}) CROSS JOIN ${workItems} f ON f.id = item AND f.type = 'feature' ${FIRST}) hung
  WHERE ${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.featureId} = hung.id
    AND ${workItems.deletedAt} IS NULL AND ${workItems.epicId} IS NOT hung.epic_id`

const forgetTags = sql`DELETE FROM ${workItemTags} WHERE ${workItemTags.subscriptionId} = ${caller.subscription}
  AND ${workItemTags.workItemId} IN (SELECT ${importRows.recordId} FROM ${noted('updated')}
    WHERE json_type(p.value, ${slugs}) = 'array')`
const tag = insertInto(
  workItemTags,
  {
    subscriptionId: caller.subscription,
    productId: RUN.product,
    slug: sql`s.value`,
    workItemId: importRows.recordId,
  },
  sql`FROM ${noted('created', 'updated')} CROSS JOIN json_each(p.value, ${slugs}) s WHERE s.type = 'text' ON CONFLICT DO NOTHING`,
)

const write = statements([note, keys.take, create, update, hang('feature'), hang('userstory'), follow, forgetTags, tag])

/** Condition: the item has a child that this undo keeps. */
const used = sql`EXISTS (SELECT 1 FROM (
    SELECT e.id FROM ${workItems} e WHERE e.subscription_id = ${caller.subscription} AND e.epic_id = ${workItems.id}
    UNION SELECT f.id FROM ${workItems} f WHERE f.subscription_id = ${caller.subscription} AND f.feature_id = ${workItems.id}) below
  CROSS JOIN ${workItems} c ON c.id = below.id AND +c.subscription_id = ${caller.subscription} AND c.deleted_at IS NULL
  WHERE NOT EXISTS (SELECT 1 FROM ${importRows} WHERE ${importRows.subscriptionId} = ${caller.subscription}
    AND ${importRows.recordId} = c.id AND ${importRows.importId} = ${param('importId')}
    AND ${importRows.outcome} = 'created' AND ${importRows.version} = c.version))`

const above = (name: 'epic_id' | 'feature_id') => sql`(SELECT a.id FROM ${workItems} a
  WHERE a.id = r.previous ->> ${inline(name)} AND a.subscription_id = ${caller.subscription} AND a.deleted_at IS NULL)`

const { restored, statements: undone } = undoing('backlog', upsert)

const undo = statements(
  undone({
    noun: 'item',
    used,
    inUse: 'Something hangs on the item that the import did not bring, or that was changed since.',
    before: [
      sql`DELETE FROM ${workItemTags} WHERE ${workItemTags.subscriptionId} = ${caller.subscription}
        AND ${workItemTags.workItemId} IN (SELECT ${workItems.id} FROM ${restored()})`,
      insertInto(
        workItemTags,
        {
          subscriptionId: caller.subscription,
          productId: workItems.productId,
          slug: sql`s.value`,
          workItemId: workItems.id,
        },
        sql`FROM ${restored(sql`CROSS JOIN json_each(r.previous, '$.slugs') s`)} ON CONFLICT DO NOTHING`,
      ),
    ],
    restores: [sql`epic_id = ${above('epic_id')}, feature_id = ${above('feature_id')}`],
  }),
)

export const bulk: Bulk = { write, undo, judge }
