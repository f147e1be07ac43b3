import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { productId } from '../../../db/access'
import { orDefault } from '../../../db/bulk'
import { importRows } from '../../../db/schema/imports'
import { counters } from '../../../db/schema/tenancy'
import { workItems, workItemTags } from '../../../db/schema/work-items'
import { caller, inline, insertInto, param } from '../../../db/statement'
import type { Written } from '../../../workspace/imports/bulk'
import {
  FIRST,
  given,
  identify,
  judging,
  make,
  note,
  noted,
  ofRun,
  row,
  runId,
  stored,
  updates,
} from '../../../workspace/imports/statements'
import { PREFIX, story } from '../../work-items/queries/record'
import { lastRank } from '../../work-items/rank/statements'
import { ImportedWorkItem } from '../schema'

// What `stored` in kind.ts makes of a row.
const [key, jiraKey, type, parentRow, parentKey] = [stored(1), stored(2), stored(3), stored(4), stored(5)]
const [parentJiraKey, neededKey, cells] = [stored(6), stored(7), stored(10)]
const FIELDS = 8
const SLUGS = 9
const tenant = sql`${workItems.subscriptionId} = ${caller.subscription}`
/** The columns that a row may give, with what they hold where none does. */
export const COLUMNS = Object.entries(getTableColumns(workItems)).flatMap(([name, column]) => {
  const field = (story.fields as Record<string, unknown>)[name === 'personas' ? 'persona' : name]
  return field && name in ImportedWorkItem.shape ? [{ name, column: sql.identifier(column.name), stored: column }] : []
})
const givenIn = ({ stored }: (typeof COLUMNS)[number]) => sql.raw(`(p.value ->> '$[${FIELDS}].${stored.name}')`)
const own = (table: string, { stored }: (typeof COLUMNS)[number]) => sql.raw(`${table}."${stored.name}"`)
const join = (parts: readonly SQL[], by = sql`, `) => sql.join([...parts], by)

const becomes = COLUMNS.map((column) => sql`coalesce(${givenIn(column)}, ${own('w', column)})`)
const differs = sql`(${join(COLUMNS.map((column) => own('w', column)))}) IS NOT (${join(becomes)})`
const dated = (name: 'start_date' | 'end_date') => sql.raw(`coalesce(p.value ->> '$[${FIELDS}].${name}', w.${name})`)

const was = sql`json_object(${join([
  ...COLUMNS.map((column) => sql`${inline(column.stored.name)}, ${own('w', column)}`),
  sql.raw(`'epic_id', w.epic_id, 'feature_id', w.feature_id`),
  sql`'slugs', (SELECT json_group_array(slug) FROM ${workItemTags}
    WHERE ${workItemTags.subscriptionId} = ${caller.subscription} AND ${workItemTags.workItemId} = w.id)`,
])})`

/** Where rows find records: those of the product that were there before the run, which makes records of other keys itself. */
interface Place {
  product: SQL
  before: SQL
}
const RUN: Place = { product: ofRun('productId'), before: ofRun('createdAt') }
const NO_RUN: Place = { product: productId, before: sql`(${caller.now} + 1)` }

const standing = (
  name: string,
  { product, before }: Place,
) => sql`${sql.raw(name)}.subscription_id = ${caller.subscription}
  AND +${sql.raw(name)}.product_id = ${product} AND ${sql.raw(name)}.deleted_at IS NULL
  AND ${sql.raw(name)}.created_at < ${before}`

/** The id of the record that a key, or one in Jira, names. */
const recordOf = (called: SQL, jira: SQL, place: Place, also: SQL) => sql`coalesce(
  (SELECT k.id FROM ${workItems} k WHERE ${standing('k', place)} AND k.external_key = ${called} AND ${also}),
  (SELECT min(k.id) FROM ${workItems} k WHERE k.product_id = ${place.product} AND k.jira_key = ${jira}
    AND k.jira_key <> '' AND +k.subscription_id = ${caller.subscription} AND k.deleted_at IS NULL
    AND k.created_at < ${place.before} AND ${also}))`

const LACKING = sql`'There is no such item in this product.'`
const MISORDERED = sql`'Must not be before the startDate that the item has.'`

/** Each row beside the record that it means, and what becomes of that: NULL where nothing does. */
const judged = (place: Place, shown: SQL) => sql`SELECT row, id, previous, parent_row, cells, shown, needed AS value,
    CASE WHEN lacks THEN 'rejected' WHEN id IS NULL THEN 'created' WHEN NOT ${sql.raw('changes')} THEN NULL
      WHEN misordered THEN 'rejected' ELSE 'updated' END AS outcome,
    CASE WHEN lacks THEN 'parent' ELSE 'endDate' END AS field, CASE WHEN lacks THEN ${LACKING} ELSE ${MISORDERED} END AS reason
  FROM (SELECT ${row} AS row, w.id AS id, ${was} AS previous, ${parentRow} AS parent_row, ${cells} AS cells, ${shown} AS shown,
      ${neededKey} AS needed,
      ${neededKey} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${workItems} n
        WHERE ${standing('n', place)} AND n.external_key = ${neededKey}) AS lacks,
      ${dated('start_date')} > ${dated('end_date')} AS misordered,
      ${param('onConflict')} = 'update' AND (${differs} OR ${parentKey} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${workItems} a
        WHERE a.id = coalesce(w.feature_id, w.epic_id) AND a.subscription_id = ${caller.subscription}
          AND (a.external_key = ${parentKey} OR a.jira_key = ${parentJiraKey} AND a.jira_key <> ''))) AS changes
    FROM ${given} LEFT JOIN ${workItems} w ON w.id = ${recordOf(key, jiraKey, place, sql`k.type = ${type}`)})`

const preview = sql`CASE WHEN ${row} <= ${param('shown')} THEN json_patch(json_object('type', ${type},
  'externalKey', w.external_key, 'parent', ${parentKey}), p.value -> ${inline(FIELDS)}) END`

export const judge = judging(judged(NO_RUN, preview))

const prefix = sql`CASE ${type} WHEN 'epic' THEN ${inline(PREFIX.epic)} WHEN 'feature' THEN ${inline(PREFIX.feature)} ELSE ${inline(PREFIX.userstory)} END`

const count = sql`INSERT INTO ${counters} (subscription_id, prefix, value)
  SELECT ${caller.subscription}, ${prefix} AS prefix, count(*) FROM ${noted('created')} WHERE true GROUP BY 2
  ON CONFLICT DO UPDATE SET value = value + excluded.value`

/** What is made, with the numbers that were taken for it, in the order of the rows. */
const numbered = sql`(SELECT p.value AS value, ${row} AS row, ${counters.prefix} || '-' AS prefix, ${counters.value}
    - count(*) OVER (PARTITION BY ${counters.prefix})
    + row_number() OVER (PARTITION BY ${counters.prefix} ORDER BY ${importRows.row}) AS number
  FROM ${noted('created')} CROSS JOIN ${counters} ON ${counters.subscriptionId} = ${caller.subscription}
    AND ${counters.prefix} = ${prefix} ORDER BY ${importRows.row}) p`

const create = insertInto(
  workItems,
  {
    subscriptionId: caller.subscription,
    productId: RUN.product,
    type,
    externalKey: sql`p.prefix || p.number`,
    rank: lastRank(sql`p.number`),
    ...Object.fromEntries(COLUMNS.map((column) => [column.name, orDefault(column.stored, givenIn(column))])),
    createdAt: caller.now,
    updatedAt: caller.now,
  },
  sql`FROM ${numbered}`,
)

const created = sql`${numbered} CROSS JOIN ${workItems} ON ${tenant} AND ${workItems.externalKey} = p.prefix || p.number`
/** Hangs an item on another: a story on an epic or a feature, whose epic it follows, a feature on an epic. */
const hang = (pairs: SQL) => sql`UPDATE ${workItems} SET
    epic_id = CASE a.type WHEN 'epic' THEN a.id ELSE a.epic_id END, feature_id = CASE a.type WHEN 'feature' THEN a.id END
  FROM (${pairs} ${FIRST}) pair CROSS JOIN ${workItems} a ON a.id = pair.above AND +a.subscription_id = ${caller.subscription}
  WHERE ${workItems.id} = pair.item AND +${tenant}
    AND (${workItems.type} = 'userstory' AND a.type <> 'userstory' OR ${workItems.type} = 'feature' AND a.type = 'epic')`

/** On what was there before. */
const onRecord = (outcome: 'created' | 'updated') =>
  hang(sql`SELECT ${importRows.recordId} AS item,
    ${recordOf(parentKey, parentJiraKey, RUN, sql`k.type <> 'userstory'`)} AS above
  FROM ${noted(outcome)} WHERE ${parentKey} IS NOT NULL`)

const among = (
  row: SQL,
) => sql`${importRows.subscriptionId} = r.subscription_id AND ${importRows.importId} = r.import_id
  AND ${importRows.outcome} IN ('created', 'updated') AND ${importRows.row} = ${row}`
const inSlice = (
  which: 'row' | 'parent_row',
) => sql`n.subscription_id = ${caller.subscription} AND n.import_id = ${runId}
  AND ${sql.raw(`n.${which}`)} > ${param('from')} AND ${sql.raw(`n.${which}`)} <= ${param('to')} AND n.outcome IN ('created', 'updated')`

/** On what another row of the file has become, this one's or its parent's just now. */
const pairs = sql`SELECT r.record_id AS item, ${importRows.recordId} AS above
  FROM (SELECT n.* FROM ${importRows} n WHERE ${inSlice('row')} AND n.parent_row IS NOT NULL
    UNION SELECT n.* FROM ${importRows} n WHERE ${inSlice('parent_row')}) r
  CROSS JOIN ${importRows} ON ${among(sql`r.parent_row`)}`
const onRow = (below: 'feature' | 'userstory') =>
  hang(sql`SELECT item, above FROM (${pairs}) CROSS JOIN ${workItems} i
    ON i.id = item AND i.type = ${inline(below)}`)

/** The stories below features that were hung on an epic follow them. */
const follow = sql`UPDATE ${workItems} SET epic_id = hung.epic_id
  FROM (SELECT f.id, f.epic_id FROM (SELECT n.record_id FROM ${importRows} n WHERE ${inSlice('row')}
      UNION SELECT n.record_id FROM ${importRows} n WHERE ${inSlice('parent_row')}) r
    CROSS JOIN ${workItems} f ON f.id = r.record_id AND f.type = 'feature' ${FIRST}) hung
  WHERE ${tenant} AND ${workItems.featureId} = hung.id AND ${workItems.deletedAt} IS NULL
    AND ${workItems.epicId} IS NOT hung.epic_id`

const slugs = inline(`$[${SLUGS}]`)
const forgetTags = sql`DELETE FROM ${workItemTags} WHERE ${workItemTags.subscriptionId} = ${caller.subscription}
  AND ${workItemTags.workItemId} IN (SELECT ${importRows.recordId} FROM ${noted('updated')}
    WHERE json_type(p.value, ${slugs}) = 'array')`
const tag = (outcome: 'created' | 'updated') =>
  insertInto(
    workItemTags,
    {
      subscriptionId: caller.subscription,
      productId: RUN.product,
      slug: sql`s.value`,
      workItemId: importRows.recordId,
    },
    sql`FROM ${noted(outcome)} CROSS JOIN json_each(p.value, ${slugs}) s WHERE s.type = 'text' ON CONFLICT DO NOTHING`,
  )

export const write = make<Written>(
  note(judged(RUN, sql`NULL`), { parentRow: sql`CASE WHEN outcome <> 'rejected' THEN parent_row END` }),
  count,
  create,
  identify('created', workItems, sql`p.row`, created),
  ...updates(
    workItems,
    COLUMNS.map((column) => sql`${column.column} = coalesce(${givenIn(column)}, ${own('work_items', column)})`),
  ),
  onRecord('created'),
  onRecord('updated'),
  onRow('feature'),
  onRow('userstory'),
  follow,
  forgetTags,
  tag('created'),
  tag('updated'),
)
