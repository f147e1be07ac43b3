import { type SQL, sql } from 'drizzle-orm'
import { importRows } from '../../../db/schema/imports'
import { segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { caller, inline, insertInto, param, statements } from '../../../db/sql/statement'
import { runIdOfBatch } from '../../../workspace/imports/fields'
import { selectManualSegmentId } from '../../../workspace/imports/lookups/statements'
import {
  createMissingRecords,
  createsInBatch,
  emitMissingRecords,
  isCreatedByRun,
  removeMissingRecords,
} from '../../../workspace/imports/missing/statements'
import {
  fromBoundImportRows,
  fromBoundRowsWithJournal,
  isJournalRowOfSlice,
  numberOfRow,
} from '../../../workspace/imports/statements'
import { MAX_SEGMENT_NAME_CHARACTERS } from '../../segments/schema'
import { emitMembershipChanges, segment } from '../../segments/statements'

// Index into the array that imports.ts stores.
const segmentsPath = inline('$[10]')
const rowNamesSegments = sql`json_type(p.value, ${segmentsPath}) = 'array'`
const fromNames = sql`json_each(p.value, ${segmentsPath}) s`
const isCreatableName = sql`length(s.value) <= ${inline(MAX_SEGMENT_NAME_CHARACTERS)}`
const rowIsOfTenant = (table: typeof segments | typeof segmentMembers) =>
  sql`${table.subscriptionId} = ${caller.subscription}`

const segmentExists = (name: SQL) => sql`EXISTS (SELECT 1 FROM ${segments} known
  WHERE known.subscription_id = ${caller.subscription} AND known.name = ${name} AND known.deleted_at IS NULL)`
const isMember = (segment: SQL, user: SQL) => sql`EXISTS (SELECT 1 FROM ${segmentMembers}
  WHERE ${rowIsOfTenant(segmentMembers)} AND ${segmentMembers.segmentId} = ${segment} AND ${segmentMembers.userId} = ${user})`

/** Whether the row names a segment that the person does not belong to. */
export const namesFurtherSegments = sql`(${rowNamesSegments} AND EXISTS (SELECT 1 FROM ${fromNames}
  WHERE iif(${createsInBatch('segments')} AND ${isCreatableName} AND NOT ${segmentExists(sql`s.value`)}, 1,
    EXISTS (SELECT 1 FROM (SELECT ${selectManualSegmentId(sql`s.value`)} AS id) WHERE id IS NOT NULL
      AND NOT ${isMember(sql`id`, sql`${users.id}`)}))))`

const createSegments = (rows: SQL) =>
  statements(
    createMissingRecords({
      kind: 'segments',
      table: segments,
      names: sql`SELECT ${numberOfRow} AS row, s.key AS place, s.value AS name, s.value AS slug
        FROM ${rows} CROSS JOIN ${fromNames} WHERE ${rowNamesSegments} AND ${isCreatableName}`,
      isKnown: segmentExists(sql`n.slug`),
      values: {},
    }),
  )
export const createSegmentsOfAllRows = createSegments(fromBoundImportRows)
export const createSegmentsOfNewPeople = createSegments(fromBoundRowsWithJournal('created'))

export const emitNewSegments = statements([emitMissingRecords('segments', segment)])

// A row that only joins the segment of the request has no previous values, and keeps the person.
const isWritten = sql`(${importRows.outcome} = 'created' OR ${importRows.previous} IS NOT NULL)`
const joinedIds = sql`json_each(${importRows.previous}, '$.joinedSegments') j`
const joinCounts = (rows: SQL) => sql`(SELECT j.value AS id, count(*) AS n ${rows} GROUP BY 1) joined`
const fromJoinedRows = sql`FROM ${importRows} CROSS JOIN ${joinedIds} WHERE ${isJournalRowOfSlice('created', 'updated')}
  AND ${importRows.previous} IS NOT NULL`

/** The journal keeps the ids of the segments for the undo. */
export const joinNamedSegments = statements([
  sql`UPDATE ${importRows} SET previous = json_set(coalesce(${importRows.previous}, '{}'), '$.joinedSegments',
      json(joining.ids))
    FROM (SELECT ${importRows.row} AS number, json_group_array(named.id) AS ids FROM (
        SELECT DISTINCT ${numberOfRow} AS number, ${selectManualSegmentId(sql`s.value`)} AS id
        FROM ${fromBoundImportRows} CROSS JOIN ${fromNames} WHERE ${rowNamesSegments}) named
      CROSS JOIN ${importRows} ON ${isJournalRowOfSlice('created', 'updated')} AND ${importRows.row} = named.number
      WHERE named.id IS NOT NULL AND named.id IS NOT ${param('segmentId')} AND ${isWritten}
        AND NOT ${isMember(sql`named.id`, sql`${importRows.recordId}`)} GROUP BY 1) joining
    WHERE ${isJournalRowOfSlice('created', 'updated')} AND ${importRows.row} = joining.number`,
  emitMembershipChanges(
    'segment.users_added',
    sql`SELECT j.value AS segment_id, ${importRows.recordId} AS user_id ${fromJoinedRows}`,
  ),
  insertInto(
    segmentMembers,
    {
      subscriptionId: caller.subscription,
      segmentId: sql`j.value`,
      userId: importRows.recordId,
      createdAt: caller.now,
    },
    sql`${fromJoinedRows} ON CONFLICT DO NOTHING`,
  ),
  // A segment that the run creates keeps its first version, so that an undo knows that nobody changed it.
  sql`UPDATE ${segments} SET user_count = user_count + joined.n, updated_at = ${caller.now},
      version = version + NOT ${isCreatedByRun('segments', segments, runIdOfBatch)}
    FROM ${joinCounts(fromJoinedRows)} WHERE ${segments.id} = joined.id AND +${rowIsOfTenant(segments)}`,
])

/** `rounds`: the rows that the undo takes back, named `r`. */
export function leaveNamedSegments(rounds: SQL): SQL[] {
  const fromLeft = sql`FROM ${rounds} CROSS JOIN json_each(r.previous, '$.joinedSegments') j
    CROSS JOIN ${segmentMembers} ON ${rowIsOfTenant(segmentMembers)} AND ${segmentMembers.segmentId} = j.value
      AND ${segmentMembers.userId} = r.record_id WHERE r.previous IS NOT NULL`
  return [
    emitMembershipChanges(
      'segment.users_removed',
      sql`SELECT j.value AS segment_id, r.record_id AS user_id ${fromLeft}`,
    ),
    sql`UPDATE ${segments} SET user_count = user_count - joined.n, updated_at = ${caller.now},
        version = version + NOT ${isCreatedByRun('segments', segments, param('importId'))}
      FROM ${joinCounts(fromLeft)} WHERE ${segments.id} = joined.id AND +${rowIsOfTenant(segments)}`,
    sql`DELETE FROM ${segmentMembers} WHERE ${rowIsOfTenant(segmentMembers)}
      AND (${segmentMembers.segmentId}, ${segmentMembers.userId}) IN (SELECT j.value, r.record_id ${fromLeft})`,
  ]
}

export const removeUnusedSegments = removeMissingRecords(
  'segments',
  segments,
  segment,
  sql`EXISTS (SELECT 1 FROM ${segmentMembers} WHERE ${rowIsOfTenant(segmentMembers)}
    AND ${segmentMembers.segmentId} = ${segments.id})`,
)
