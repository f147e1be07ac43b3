import { type SQL, sql } from 'drizzle-orm'
import { importRows, imports, importWarnings } from '../../db/schema/imports'
import { solutionVersionItems, solutionVersions } from '../../db/schema/solution-versions'
import { workItemLinks, workItems, workItemTags } from '../../db/schema/work-items'
import { caller, inline, insertInto, param, statements } from '../../db/sql/statement'
import { isBoundRun, runIdOfBatch } from '../../workspace/imports/fields'
import { selectOpenVersionId } from '../../workspace/imports/lookups/statements'
import { createMissingRecords, removeMissingRecords } from '../../workspace/imports/missing/statements'
import {
  fromBoundImportRows,
  fromBoundRowsWithJournal,
  numberOfRow,
  RUN_LOOKUP_SCOPE,
} from '../../workspace/imports/statements'
import { linkEventSql } from '../links/statements'
import { solutionVersion } from '../solution-versions/fields'
import {
  fromImportedLinks,
  fromImportedVersions,
  isCreatableVersion,
  itemsAreLinked,
  linkedRow,
  linkIsReversed,
  linkType,
  selectIdOfLinked,
  selectIdOfRow,
  selectIdOfWrittenRow,
  selectVersionNames,
  slugsPath,
  versionExists,
} from './fields'
import { LINK_CIRCLE_REASON, LINK_FIELD, MAX_LINKS_PER_ITEM, TOO_MANY_LINKS_REASON } from './links'

const createVersions = (rows: SQL) =>
  statements(
    createMissingRecords({
      kind: 'versions',
      table: solutionVersions,
      names: sql`${selectVersionNames} FROM ${rows} CROSS JOIN ${fromImportedVersions} WHERE ${isCreatableVersion}`,
      isKnown: versionExists(sql`n.slug`, RUN_LOOKUP_SCOPE.product),
      keyPrefix: 'SV',
      values: { productId: RUN_LOOKUP_SCOPE.product, externalKey: sql`n.key` },
    }),
  )

export const createVersionsOfAllRows = createVersions(fromBoundImportRows)
export const createVersionsOfNewItems = createVersions(fromBoundRowsWithJournal('created'))

const selectLastPosition = sql`(SELECT coalesce(max(o.position), -1) FROM ${solutionVersionItems} o
  WHERE o.subscription_id = ${caller.subscription} AND o.solution_version_id = version)`

export const linkVersions = insertInto(
  solutionVersionItems,
  {
    subscriptionId: caller.subscription,
    solutionVersionId: sql`version`,
    workItemId: sql`item`,
    position: sql`${selectLastPosition} + row_number() OVER (PARTITION BY version ORDER BY row)`,
  },
  sql`FROM (SELECT ${importRows.recordId} AS item, ${importRows.row} AS row,
      ${selectOpenVersionId(sql`v.value`, RUN_LOOKUP_SCOPE.product)} AS version
    FROM ${fromBoundRowsWithJournal('created', 'updated')} CROSS JOIN ${fromImportedVersions})
  WHERE version IS NOT NULL ON CONFLICT DO NOTHING`,
)

export const removeUnusedVersions = removeMissingRecords(
  'versions',
  solutionVersions,
  solutionVersion,
  sql`EXISTS (SELECT 1 FROM ${solutionVersionItems} i CROSS JOIN ${workItems} w ON w.id = i.work_item_id
      AND w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL
    WHERE i.subscription_id = ${caller.subscription} AND i.solution_version_id = ${solutionVersions.id})`,
)

export const replaceTags = [
  sql`DELETE FROM ${workItemTags} WHERE ${workItemTags.subscriptionId} = ${caller.subscription}
    AND ${workItemTags.workItemId} IN (SELECT ${importRows.recordId} FROM ${fromBoundRowsWithJournal('updated')}
      WHERE json_type(p.value, ${slugsPath}) = 'array')`,
  insertInto(
    workItemTags,
    {
      subscriptionId: caller.subscription,
      productId: RUN_LOOKUP_SCOPE.product,
      slug: sql`s.value`,
      workItemId: importRows.recordId,
    },
    sql`FROM ${fromBoundRowsWithJournal('created', 'updated')} CROSS JOIN json_each(p.value, ${slugsPath}) s
      WHERE s.type = 'text' ON CONFLICT DO NOTHING`,
  ),
]

const LINK_OUTCOME = inline('new links')
const isNewLink = sql`${importRows.subscriptionId} = ${caller.subscription} AND ${importRows.importId} = ${runIdOfBatch}
  AND ${importRows.outcome} = ${LINK_OUTCOME}`
const selectLastLinkId = sql`(SELECT coalesce(max(made.id), 0) FROM ${workItemLinks} made)`
// Somebody may have removed the last links of the run, and the journal keeps their ids.
const selectLastJournaledLinkId = sql`(SELECT coalesce(max(${importRows.row}), 0) FROM ${importRows} WHERE ${isNewLink})`

const idOfRow = selectIdOfWrittenRow(numberOfRow)
const idOfLinkedRow = selectIdOfWrittenRow(linkedRow)
const selectImportedLinks = sql`SELECT row, link_type, iif(is_reversed, other, own) AS from_id, iif(is_reversed, own, other) AS to_id
  FROM (SELECT ${numberOfRow} AS row, ${linkType} AS link_type, ${linkIsReversed} AS is_reversed,
      coalesce(${idOfRow}, ${selectIdOfRow(RUN_LOOKUP_SCOPE)}) AS own,
      coalesce(${idOfLinkedRow}, ${selectIdOfLinked(RUN_LOOKUP_SCOPE)}) AS other
    FROM ${fromBoundImportRows} CROSS JOIN ${fromImportedLinks}
    WHERE ${idOfRow} IS NOT NULL OR ${idOfLinkedRow} IS NOT NULL)
  WHERE own <> other AND NOT ${itemsAreLinked(sql`own`, sql`other`, sql`link_type`)}`

// The links of a slice have the highest ids.
const isLinkOfSlice = sql`${isNewLink} AND ${importRows.row} > coalesce((SELECT ${importRows.row} FROM ${importRows}
  WHERE ${isNewLink} AND ${importRows.version} <> ${param('to')} ORDER BY ${importRows.row} DESC LIMIT 1), 0)`
const selectLinksOfSlice = sql`SELECT ${importRows.row} AS id, ${importRows.value} ->> 0 AS link_type,
    ${importRows.value} ->> 1 AS from_id, ${importRows.value} ->> 2 AS to_id FROM ${importRows} WHERE ${isLinkOfSlice}`

// The search of a slice takes at most a second. A longer circle stays.
const MAX_STEPS_OF_CIRCLES = 100_000

/** Links whose second item blocks the first through older links. */
const selectLinksOfCircles = sql`WITH RECURSIVE reached (id, start, item) AS (
    SELECT id, from_id, to_id FROM (${selectLinksOfSlice}) WHERE link_type = 'blocks'
    UNION SELECT reached.id, reached.start, l.to_id FROM reached CROSS JOIN ${workItemLinks} l
      ON l.subscription_id = ${caller.subscription} AND l.from_id = reached.item AND l.type = 'blocks' AND l.id < reached.id
    LIMIT ${inline(MAX_STEPS_OF_CIRCLES)})
  SELECT id FROM reached WHERE item = start`

const countLinksAt = (end: 'from_id' | 'to_id') => sql`(SELECT count(*) FROM ${workItemLinks} l
  WHERE l.subscription_id = ${caller.subscription} AND l.${sql.raw(end)} = item)`
/** The newest links of items with too many links. */
const selectLinksAboveLimit = sql`WITH ends (id, item) AS MATERIALIZED (
    SELECT id, from_id FROM (${selectLinksOfSlice}) UNION ALL SELECT id, to_id FROM (${selectLinksOfSlice})),
  counts (item, total) AS MATERIALIZED (
    SELECT item, ${countLinksAt('from_id')} + ${countLinksAt('to_id')} FROM (SELECT DISTINCT item FROM ends))
  SELECT id FROM (SELECT id, item, row_number() OVER (PARTITION BY item ORDER BY id DESC) AS place FROM ends) newest
    JOIN counts USING (item) WHERE total >= ${inline(MAX_LINKS_PER_ITEM)} + place`

const markLinks = (ids: SQL, reason: string) =>
  sql`UPDATE ${importRows} SET reason = ${inline(reason)} WHERE ${isLinkOfSlice} AND ${importRows.row} IN (${ids})`

// Larger than the number of any warning about cells.
const NUMBER_OF_LINK_WARNINGS = 1_000_000

/** Items that are stored already are known only here, and a dry run does not find these circles. */
const refuseLinks = [
  markLinks(selectLinksOfCircles, LINK_CIRCLE_REASON),
  markLinks(selectLinksAboveLimit, TOO_MANY_LINKS_REASON),
  insertInto(
    importWarnings,
    {
      subscriptionId: caller.subscription,
      importId: runIdOfBatch,
      number: sql`${inline(NUMBER_OF_LINK_WARNINGS)} + (${importRows.reason} = ${inline(LINK_CIRCLE_REASON)})`,
      field: inline(LINK_FIELD),
      reason: importRows.reason,
      rowCount: sql`count(DISTINCT ${importRows.previous})`,
    },
    sql`FROM ${importRows} WHERE ${isLinkOfSlice} AND ${importRows.reason} IS NOT NULL GROUP BY ${importRows.reason}
      ON CONFLICT DO UPDATE SET row_count = ${importWarnings.rowCount} + excluded.row_count`,
  ),
  sql`DELETE FROM ${workItemLinks} WHERE ${workItemLinks.id} IN (SELECT ${importRows.row} FROM ${importRows}
    WHERE ${isLinkOfSlice} AND ${importRows.reason} IS NOT NULL) AND +${workItemLinks.subscriptionId} = ${caller.subscription}`,
  sql`DELETE FROM ${importRows} WHERE ${isLinkOfSlice} AND ${importRows.reason} IS NOT NULL`,
]

/** The journal has the ids of the links, for the undo, and their slice. One of the linked items is new or changed. */
export const linkItems = [
  insertInto(
    importRows,
    {
      subscriptionId: caller.subscription,
      importId: runIdOfBatch,
      outcome: LINK_OUTCOME,
      version: param('to'),
      row: sql`max(${selectLastLinkId}, ${selectLastJournaledLinkId}) + row_number() OVER (ORDER BY first_row, from_id, to_id, link_type)`,
      value: sql`json_array(link_type, from_id, to_id)`,
      previous: sql`first_row`,
    },
    sql`FROM (SELECT min(row) AS first_row, link_type, from_id, to_id FROM (${selectImportedLinks})
      GROUP BY link_type, min(from_id, to_id), max(from_id, to_id))`,
  ),
  insertInto(
    workItemLinks,
    {
      id: importRows.row,
      subscriptionId: caller.subscription,
      productId: RUN_LOOKUP_SCOPE.product,
      type: sql`${importRows.value} ->> 0`,
      fromId: sql`${importRows.value} ->> 1`,
      toId: sql`${importRows.value} ->> 2`,
      createdAt: caller.now,
    },
    sql`FROM ${importRows} WHERE ${isNewLink} AND ${importRows.row} > ${selectLastLinkId}
      AND ${importRows.version} = ${param('to')}`,
  ),
  ...refuseLinks,
]

export const emitNewLinks = linkEventSql(
  'created',
  sql`FROM ${importRows} CROSS JOIN ${workItemLinks}
  ON ${workItemLinks.id} = ${importRows.row} AND +${workItemLinks.subscriptionId} = ${caller.subscription}
  WHERE ${isNewLink} AND ${importRows.version} = ${param('to')}`,
)

const isLinkOfBoundRun = sql`${importRows.subscriptionId} = ${caller.subscription}
  AND ${importRows.importId} = ${param('importId')} AND ${importRows.outcome} = ${LINK_OUTCOME}`
// Deleting a link writes fewer rows than removing an item.
const selectLinksOfRound = sql`(SELECT ${importRows.row} FROM ${importRows} WHERE ${isLinkOfBoundRun}
  ORDER BY ${importRows.row} LIMIT 4 * ${param('limit')})`

export const linksRemain = sql`EXISTS (SELECT 1 FROM ${importRows} WHERE ${isLinkOfBoundRun})`

/** A later link may have the id of a link of the run that somebody removed. */
const isRemovedLink = sql`${workItemLinks.id} IN ${selectLinksOfRound}
    AND +${workItemLinks.subscriptionId} = ${caller.subscription}
    AND EXISTS (SELECT 1 FROM ${importRows} WHERE ${isLinkOfBoundRun} AND ${importRows.row} = ${workItemLinks.id}
      AND ${importRows.value} = json_array(${workItemLinks.type}, ${workItemLinks.fromId}, ${workItemLinks.toId}))
    AND ${workItemLinks.createdAt} <= (SELECT ${imports.finishedAt} FROM ${imports} WHERE ${isBoundRun})`
export const removeLinksOfRun = [
  linkEventSql('deleted', sql`FROM ${workItemLinks} WHERE ${isRemovedLink}`),
  sql`DELETE FROM ${workItemLinks} WHERE ${isRemovedLink}`,
  sql`DELETE FROM ${importRows} WHERE ${isLinkOfBoundRun} AND ${importRows.row} IN ${selectLinksOfRound}`,
]
