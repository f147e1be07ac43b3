import { sql } from 'drizzle-orm'
import { imports } from '../../../db/schema/imports'
import { suppressions } from '../../../db/schema/segments-and-mail'
import { log, users } from '../../../db/schema/tenancy'
import { caller, directlyAfter, insertInto, param, type Statement, statement } from '../../../db/sql/statement'
import type { DryRunSlice, ImportSliceValues } from '../../../workspace/imports/bulk'
import { isRunOfBatch } from '../../../workspace/imports/fields'
import { selectSegmentId } from '../../../workspace/imports/lookups/statements'
import { markStoppedAgain, selectHeldIds, suppression } from '../../suppressions/statements'

const value = (place: number) => sql.raw(`(s.value ->> ${place})`)
/** An unknown segment stops all mail. */
const segmentId = sql`iif(${value(4)} IS NULL, 0, coalesce(${selectSegmentId(value(4))}, 0))`
const fromBoundSuppressions = sql`json_each(${param('suppressions')}) s`

/** A known person can have another address than the row, and a bounce is about the address of the row only. */
const selectStopped = sql`SELECT address, segment_id, reason, place FROM (
    SELECT ${value(0)} AS address, ${segmentId} AS segment_id, ${value(3)} AS reason, s.key AS place FROM ${fromBoundSuppressions}
    UNION ALL SELECT ${users.email}, ${segmentId}, ${value(3)}, s.key FROM ${fromBoundSuppressions}
      CROSS JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription} AND ${users.source} = ${value(1)}
        AND ${users.externalId} = ${value(2)} AND ${users.deletedAt} IS NULL
      WHERE ${value(2)} IS NOT NULL AND ${value(3)} <> 'hard_bounce')`
const isSuppressed = sql`EXISTS (SELECT 1 FROM ${suppressions} held WHERE held.subscription_id = ${caller.subscription}
  AND held.email = stopped.address AND held.segment_id = stopped.segment_id)`

const insertSuppressions = statement<never, ImportSliceValues>(
  insertInto(
    suppressions,
    {
      subscriptionId: caller.subscription,
      email: sql`stopped.address`,
      segmentId: sql`stopped.segment_id`,
      reason: sql`stopped.reason`,
      createdAt: caller.now,
    },
    sql`FROM (${selectStopped} ORDER BY place) stopped WHERE NOT ${isSuppressed} ON CONFLICT DO NOTHING`,
  ),
)

// Must directly follow the insertion, because changes() counts the insertion.
const countInRun = statement<never, ImportSliceValues>(sql`UPDATE ${imports}
  SET mapping = json_set(${imports.mapping}, '$.suppressed', coalesce(${imports.mapping} ->> '$.suppressed', 0) + changes())
  WHERE ${isRunOfBatch} AND changes() > 0`)

const emitSuppressions = suppression.emit(
  'created',
  sql`${suppressions.subscriptionId} = ${caller.subscription} AND ${suppressions.createdAt} = ${caller.now}
    AND ${suppressions.email} IN (SELECT address FROM (${selectStopped}))
    AND NOT EXISTS (SELECT 1 FROM ${log} e INDEXED BY log_resource WHERE e.subscription_id = ${caller.subscription}
      AND e.resource_key = CAST(${suppressions.id} AS TEXT) AND e.type = 'suppression.created')`,
  { many: true },
)

const markImported = statement<never, ImportSliceValues>(
  markStoppedAgain(selectHeldIds(sql`SELECT address AS email, segment_id FROM (${selectStopped})`)),
)

const NONE = '[]'

/** Follows the changes of people, so that present addresses are stopped. An import never ends a suppression. */
export function suppressImportedPeople(slice: ImportSliceValues): Statement<never>[] {
  if (slice.suppressions === NONE) return []
  const inserted = insertSuppressions(slice)
  return [markImported(slice), inserted, directlyAfter(inserted, countInRun(slice)), emitSuppressions(slice)]
}

export const countImportedSuppressions = statement<{ count: number }, DryRunSlice>(sql`SELECT count(*) AS "count" FROM (
  SELECT DISTINCT address, segment_id FROM (${selectStopped})) stopped WHERE NOT ${isSuppressed}`)
