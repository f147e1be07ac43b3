import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { guard } from '../../db/client/refuse'
import { type DerivedField, insertStatement, updateStatement, updateWhere } from '../../db/records/change'
import { makeDateOrderGuards } from '../../db/records/date-order'
import { makeExportReader } from '../../db/records/export'
import { makeLifecycle } from '../../db/records/lifecycle'
import { createLinkStatements } from '../../db/records/links'
import { makeListReader } from '../../db/records/list'
import { solutionVersionItems, solutionVersions } from '../../db/schema/solution-versions'
import { workItemRollups, workItems } from '../../db/schema/work-items'
import { productId } from '../../db/sql/access'
import { equalsAny, unindexed } from '../../db/sql/filter'
import { lastTakenKey, takeNumber } from '../../db/sql/numbering'
import { referencesTo } from '../../db/sql/references'
import { caller, insertInto, param, statement, type Values } from '../../db/sql/statement'
import { createDraftOfVersion } from '../../feedback/changelog/drafts/statements'
import { createReleaseNotice } from '../../people/notices/statements'
import {
  createRollup,
  fromItemsOfVersion,
  type SolutionVersionKey,
  selectVersionItemKeys,
  solutionVersion,
} from './fields'
import {
  CreateSolutionVersion,
  DuplicateSolutionVersion,
  ListSolutionVersions,
  ModifySolutionVersion,
  type ReleaseSolutionVersion,
  type VersionItem,
} from './schema'

type ItemKeys = readonly string[] | undefined

const bindItemKeys = (items: ItemKeys): Values => ({ '=items': JSON.stringify([...new Set(items)]) })

const fromNamedItems = sql`json_each(${param('=items')}) g CROSS JOIN ${workItems} w ON w.subscription_id = ${caller.subscription}
  AND w.external_key = g.value AND w.deleted_at IS NULL`

const selectNewVersionId = sql`(SELECT ${solutionVersions.id} FROM ${solutionVersions} WHERE ${solutionVersion.justInserted})`

function buildReplaceItems(version: SQL) {
  const { solutionVersionId, workItemId, position } = solutionVersionItems
  const { replace } = createLinkStatements({
    ...{ table: solutionVersionItems, holder: solutionVersionId, holderId: version },
    isDropped: sql`EXISTS (SELECT 1 FROM ${workItems} w WHERE w.id = ${workItemId}
      AND w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL
      AND w.external_key NOT IN (SELECT value FROM json_each(${param('=items')})))`,
    targets: [
      [workItemId, sql`w.id`],
      [position, sql`g.key`],
    ],
    from: sql`FROM ${fromNamedItems} WHERE true`,
    onConflict: sql`UPDATE SET position = excluded.position WHERE ${position} <> excluded.position`,
  })
  return (items: ItemKeys, key: Values) => (items ? replace({ ...key, ...bindItemKeys(items) }) : [])
}

const newVersionColumns = { productId, externalKey: lastTakenKey('SV') }
const insertVersion = insertStatement(solutionVersion, CreateSolutionVersion, {
  values: newVersionColumns,
  except: ['items'],
})
const emitCreated = solutionVersion.emit('created')
const insertVersionItems = buildReplaceItems(selectNewVersionId)

export const createSolutionVersion = (db: Database, { items, ...body }: z.output<typeof CreateSolutionVersion>) =>
  solutionVersion.save(db, {
    references: referencesTo('workItemKey', '/items', items),
    statements: [takeNumber('SV'), insertVersion(body), ...insertVersionItems(items, {}), emitCreated({})],
    returning: solutionVersion.inserted(),
  })

const selectPointsBelow = sql`(SELECT s.points FROM ${workItemRollups} s WHERE s.subscription_id = ${caller.subscription}
  AND s.work_item_id = w.id AND s.leaves > 0)`
const selectItems = statement<z.input<typeof VersionItem>, Values>(
  sql`SELECT w.external_key AS "externalKey", w.type, w.summary, w.progress,
      coalesce(${selectPointsBelow}, w.points, 0) / 1e6 AS "points" ${fromItemsOfVersion(solutionVersion.id)} ORDER BY i.position, w.id`,
)

export const getSolutionVersion = solutionVersion.get

export async function getVersionWithItems(db: Database, key: SolutionVersionKey) {
  const [rows, itemDetails] = await db.read(solutionVersion.select(key), selectItems(key))
  const { data, version } = solutionVersion.toReply(rows)
  return { data: { ...data, itemDetails }, version }
}

export const listSolutionVersions = makeListReader(solutionVersion, ListSolutionVersions, {
  sorts: { createdAt: solutionVersions.createdAt, releaseDate: solutionVersions.releaseDate },
  filters: { status: unindexed(equalsAny(solutionVersions.status)) },
}).page

export const exportSolutionVersions = makeExportReader(solutionVersion, solutionVersions.createdAt, {
  except: ['progress', 'points'],
})

const versionMeets = (condition: SQL) =>
  sql`EXISTS (SELECT 1 FROM ${solutionVersions} WHERE ${solutionVersion.byKey} AND ${condition})`

const versionAlreadyReleased = guard<Values>(
  'conflict:This version is released. You can archive the version, or duplicate it and change the copy.',
  versionMeets(sql`${solutionVersions.releasedAt} IS NOT NULL`),
)
const versionDatesOutOfOrder = makeDateOrderGuards(solutionVersion, {
  start: 'startDate',
  end: 'releaseDate',
  noun: 'version',
})

const updateVersion = updateStatement(solutionVersion, ModifySolutionVersion, { except: ['items'] })
const replaceVersionItems = buildReplaceItems(solutionVersion.id)

const createDerivedField = (name: string, json: SQL, becomes: SQL): DerivedField => ({
  name,
  json,
  differs: sql`${json} IS NOT ${becomes}`,
  newValue: becomes,
})
const currentRollup = createRollup()
const newRollup = createRollup({
  from: sql`json_each(${param('=items')}) g CROSS JOIN ${workItems} r ON r.subscription_id = ${caller.subscription}
    AND r.external_key = g.value AND r.deleted_at IS NULL`,
  isBelowRoot: sql`EXISTS (SELECT 1 FROM ${workItems} p WHERE p.id IN (r.epic_id, r.feature_id) AND p.deleted_at IS NULL
    AND p.external_key IN (SELECT value FROM json_each(${param('=items')})))`,
})
const derivedItemFields = [
  createDerivedField('items', selectVersionItemKeys, sql`${param('=items')}`),
  createDerivedField('progress', currentRollup.progress, newRollup.progress),
  createDerivedField('points', currentRollup.points, newRollup.points),
]

export const modifySolutionVersion = (
  db: Database,
  key: SolutionVersionKey,
  { items, ...body }: z.output<typeof ModifySolutionVersion>,
  ifMatch: string | null,
) =>
  solutionVersion.save(db, {
    guards: [
      ...solutionVersion.writeGuards(key, ifMatch),
      versionAlreadyReleased(key),
      ...versionDatesOutOfOrder(key, body),
    ],
    references: referencesTo('workItemKey', '/items', items),
    statements: [
      ...updateVersion({ ...key, ...bindItemKeys(items) }, body, items ? derivedItemFields : []),
      ...replaceVersionItems(items, key),
    ],
    returning: solutionVersion.returningByKey(key),
  })

const { removal, restoration } = makeLifecycle(solutionVersion)
const releasedVersionNotArchived = guard<Values>(
  'conflict:This version is released. Archive the version before you remove it.',
  versionMeets(sql`${solutionVersions.status} = 'released'`),
)

export function removeSolutionVersion(db: Database, key: SolutionVersionKey, ifMatch: string | null) {
  const { guards, ...rest } = removal(key, ifMatch)
  return db.write({ guards: [...guards, releasedVersionNotArchived(key)], ...rest })
}

export const restoreSolutionVersion = (db: Database, key: SolutionVersionKey) =>
  solutionVersion.save(db, restoration(key))

const versionNotReleasable = guard<Values>(
  'conflict:Only a version that is planned or in progress can be released.',
  versionMeets(sql`${solutionVersions.status} NOT IN ('planned', 'in-progress')`),
)
const selectOpenItems = sql`(SELECT json_group_array(json_array(place, external_key, progress)) FROM (
    SELECT row_number() OVER (ORDER BY i.position, w.id) - 1 AS place, w.external_key, w.progress ${fromItemsOfVersion(solutionVersion.id)})
  WHERE progress <> 'done' HAVING count(*) > 0)`
const versionHasOpenItems = guard<Values>(
  sql`'unfinished_items:' || ${selectOpenItems}`,
  sql`${selectOpenItems} IS NOT NULL`,
)
const markVersionReleased = updateWhere(
  solutionVersion,
  solutionVersion.byKey,
  {
    status: sql`'released'`,
    releasedAt: sql`${caller.now}`,
    releaseDate: sql`coalesce(${solutionVersions.releaseDate}, ${caller.now})`,
  },
  { happening: 'released' },
)

const insertReleaseNotice = createReleaseNotice(
  sql`${solutionVersions.id}`,
  sql`FROM ${solutionVersions} WHERE ${solutionVersion.byKey}`,
)

const insertChangelogDraft = createDraftOfVersion(solutionVersion.id, solutionVersion.byKey)

/** Stands before the release. */
const keepPlannedValues = statement<never, Values>(sql`UPDATE ${solutionVersions}
  SET planned_status = status, planned_release_date = release_date, revocable_until = ${param('revocableUntil')}
  WHERE ${solutionVersion.byKey}`)

export const releaseSolutionVersion = (
  db: Database,
  key: SolutionVersionKey,
  { force = false, notify = 'later', draftChangelog = false }: NonNullable<z.output<typeof ReleaseSolutionVersion>>,
  revocableUntil: number,
) =>
  solutionVersion.save(db, {
    guards: [
      ...solutionVersion.writeGuards(key),
      versionNotReleasable(key),
      ...(force ? [] : [versionHasOpenItems(key)]),
    ],
    statements: [
      keepPlannedValues({ ...key, revocableUntil }),
      ...markVersionReleased(key),
      ...(notify === 'none' ? [] : [insertReleaseNotice({ ...key, notify })]),
      ...(draftChangelog ? insertChangelogDraft(key) : []),
    ],
    returning: solutionVersion.returningByKey(key),
  })

const versionNotReleased = guard<Values>(
  'conflict:The version is not released. Only a version with the status "released" can be taken back.',
  versionMeets(sql`${solutionVersions.status} <> 'released'`),
)
const releaseIsFinal = guard<Values>(
  'conflict:The release can no longer be taken back: its mail has left, or the time to take it back is over. You can archive the version, or duplicate it and change the copy.',
  versionMeets(sql`coalesce(${solutionVersions.revocableUntil}, 0) <= ${caller.now}`),
)
/** Notices name the time of their release, so the notices of this release say nothing from now on. */
const markVersionUnreleased = updateWhere(
  solutionVersion,
  solutionVersion.byKey,
  {
    status: sql`${solutionVersions.plannedStatus}`,
    releasedAt: sql`NULL`,
    releaseDate: sql`${solutionVersions.plannedReleaseDate}`,
  },
  { happening: 'unreleased' },
)

export const unreleaseSolutionVersion = (db: Database, key: SolutionVersionKey) =>
  solutionVersion.save(db, {
    guards: [...solutionVersion.writeGuards(key), versionNotReleased(key), releaseIsFinal(key)],
    statements: markVersionUnreleased(key),
    returning: solutionVersion.returningByKey(key),
  })

const markVersionArchived = updateWhere(solutionVersion, solutionVersion.byKey, { status: sql`'archived'` })

export const archiveSolutionVersion = (db: Database, key: SolutionVersionKey) =>
  solutionVersion.save(db, {
    guards: solutionVersion.writeGuards(key),
    statements: markVersionArchived(key),
    returning: solutionVersion.returningByKey(key),
  })

const insertVersionCopy = insertStatement(solutionVersion, DuplicateSolutionVersion, {
  values: {
    ...newVersionColumns,
    description: sql`s.description`,
    startDate: sql`s.start_date`,
    releaseDate: sql`s.release_date`,
  },
  from: sql`FROM (SELECT * FROM ${solutionVersions} WHERE ${solutionVersion.byKey}) s`,
})
const copyVersionItems = statement<never, Values>(
  insertInto(
    solutionVersionItems,
    {
      subscriptionId: caller.subscription,
      solutionVersionId: selectNewVersionId,
      workItemId: sql`i.work_item_id`,
      position: sql`i.position`,
    },
    sql`FROM ${solutionVersionItems} i WHERE i.subscription_id = ${caller.subscription}
      AND i.solution_version_id = ${solutionVersion.id}`,
  ),
)

export const duplicateSolutionVersion = (
  db: Database,
  key: SolutionVersionKey,
  body: z.output<typeof DuplicateSolutionVersion>,
) =>
  solutionVersion.save(db, {
    guards: solutionVersion.writeGuards(key),
    statements: [takeNumber('SV'), insertVersionCopy(body, key), copyVersionItems(key), emitCreated({})],
    returning: solutionVersion.inserted(),
  })
