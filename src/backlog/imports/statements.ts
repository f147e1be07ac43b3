import { type SQL, sql } from 'drizzle-orm'
import { importRows } from '../../db/schema/imports'
import { solutionVersionItems, solutionVersions } from '../../db/schema/solution-versions'
import { workItems } from '../../db/schema/work-items'
import { caller, insertInto, statements } from '../../db/sql/statement'
import { selectOpenVersionId } from '../../workspace/imports/lookups/statements'
import { createMissingRecords, removeMissingRecords } from '../../workspace/imports/missing/statements'
import { fromBoundImportRows, fromBoundRowsWithJournal, RUN_LOOKUP_SCOPE } from '../../workspace/imports/statements'
import { fromImportedVersions, isCreatableVersion, selectVersionNames, versionExists } from './fields'

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
  sql`EXISTS (SELECT 1 FROM ${solutionVersionItems} i CROSS JOIN ${workItems} w ON w.id = i.work_item_id
      AND w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL
    WHERE i.subscription_id = ${caller.subscription} AND i.solution_version_id = ${solutionVersions.id})`,
)
