import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database, Store } from '../../../db/client/client'
import { WorkspaceMoved } from '../../../db/client/fence'
import { guard } from '../../../db/client/refuse'
import { erasures } from '../../../db/schema/erasures'
import { exportRuns } from '../../../db/schema/exports'
import { feedbackStatuses } from '../../../db/schema/feedback'
import { portals } from '../../../db/schema/portals'
import { settings } from '../../../db/schema/settings'
import { counters, subscriptions, users } from '../../../db/schema/tenancy'
import { webhookFeeds, webhooks } from '../../../db/schema/webhooks'
import { eventSql } from '../../../db/sql/events'
import { selectNewHome } from '../../../db/sql/fence'
import { lastEventId } from '../../../db/sql/log'
import {
  assignments,
  caller,
  directlyAfter,
  inline,
  insertInto,
  param,
  type Statement,
  statement,
} from '../../../db/sql/statement'
import { exportIsWorking, exportRun } from '../fields'
import { findTenantColumn } from './rows'
import { EXPORTED_TABLES, type ExportedTable } from './tables'
import { type Claim, type ClaimedExport, isClaimedRun } from './work'

/** Tables in which a new workspace has rows. A restore replaces these rows. */
const TABLES_OF_NEW_WORKSPACE = new Set<SQLiteTable>([
  ...[subscriptions, settings, portals, counters, users, feedbackStatuses],
])

const tenantRows = ({ table, walk }: ExportedTable) => sql`FROM ${table}
  ${walk ? sql`INDEXED BY ${sql.identifier(walk.index)}` : sql``}
  WHERE ${findTenantColumn(table)} = ${caller.subscription} ${walk?.condition ? sql`AND ${walk.condition}` : sql``}`

// SQLite limits the depth of an expression, so the conditions stand in groups.
const CONDITIONS_PER_GROUP = 10

function anyOf(conditions: readonly SQL[]): SQL {
  if (conditions.length <= CONDITIONS_PER_GROUP) return sql`(${sql.join([...conditions], sql` OR `)})`
  const groups = Array.from({ length: Math.ceil(conditions.length / CONDITIONS_PER_GROUP) }, (_, n) =>
    anyOf(conditions.slice(n * CONDITIONS_PER_GROUP, (n + 1) * CONDITIONS_PER_GROUP)),
  )
  return anyOf(groups)
}

/** True if the workspace has more than its owner, the default statuses and the settings. */
const workspaceHasRecords = anyOf([
  ...EXPORTED_TABLES.filter(({ table }) => !TABLES_OF_NEW_WORKSPACE.has(table)).map(
    (exported) => sql`EXISTS (SELECT 1 ${tenantRows(exported)})`,
  ),
  sql`EXISTS (SELECT 1 FROM ${users} INDEXED BY users_email
    WHERE ${users.subscriptionId} = ${caller.subscription} LIMIT 1 OFFSET 1)`,
  sql`EXISTS (SELECT 1 FROM ${feedbackStatuses} INDEXED BY feedback_statuses_tenant
    WHERE ${feedbackStatuses.subscriptionId} = ${caller.subscription} AND ${feedbackStatuses.id} > 0
      AND (${feedbackStatuses.version} > 1 OR ${feedbackStatuses.createdAt} > (
        SELECT ${subscriptions.createdAt} FROM ${subscriptions} WHERE ${subscriptions.id} = ${caller.subscription})))`,
])

export const NOT_EMPTY_MESSAGE = 'The workspace is not empty. Restore the export into a new workspace.'

export const workspaceNotEmpty = guard<Record<never, never>>(
  `workspace_not_empty:${NOT_EMPTY_MESSAGE}`,
  workspaceHasRecords,
)
export const restoreIsWorking = guard<Record<never, never>>(
  'conflict:Another restore of this workspace is working. Wait until the restore ends.',
  sql`EXISTS (SELECT 1 FROM ${exportRuns} WHERE ${exportRuns.subscriptionId} = ${caller.subscription}
    AND ${exportRuns.kind} = 'restore' AND ${exportIsWorking})`,
)

const insertRestore = statement<never, { objectKey: string }>(
  insertInto(exportRuns, {
    subscriptionId: caller.subscription,
    kind: sql`'restore'`,
    objectKey: param('objectKey'),
    keptFor: sql`0`,
    nextAttemptAt: caller.now,
    createdAt: caller.now,
    updatedAt: caller.now,
  }),
)
const emitCreated = exportRun.emit('created')

export const createRestore = (db: Database, objectKey: string) =>
  exportRun.save(db, {
    guards: [workspaceNotEmpty({}), restoreIsWorking({})],
    statements: [insertRestore({ objectKey }), emitCreated({})],
    returning: exportRun.inserted(),
  })

const selectIsEmpty = statement<{ isEmpty: 0 | 1 }>(sql`SELECT NOT ${workspaceHasRecords} AS "isEmpty"`)

export const isWorkspaceEmpty = async (store: Store, subscriptionId: number): Promise<boolean> =>
  (await store.batch(subscriptionId, selectIsEmpty({})))[0][0]?.isEmpty === 1

interface OwnerRow {
  id: number
  email: string
}

const selectOwner = statement<OwnerRow>(sql`SELECT ${users.id} AS "id", ${users.email} AS "email" FROM ${users}
  WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.role} = 'owner' AND ${users.deletedAt} IS NULL
  ORDER BY ${users.id} LIMIT 1`)

export const findOwner = async (store: Store, subscriptionId: number): Promise<OwnerRow | undefined> =>
  (await store.batch(subscriptionId, selectOwner({})))[0][0]

export type SourceWorkspace = { id: number; createdAt: number }

// A file of another database can name the same id. Its workspace was created at another time.
const selectErasedIds = statement<{ userId: number }, SourceWorkspace>(sql`SELECT ${erasures.userId} AS "userId"
  FROM ${subscriptions} CROSS JOIN ${erasures} ON ${erasures.subscriptionId} = ${subscriptions.id}
  WHERE ${subscriptions.id} = ${param('id')} AND ${subscriptions.createdAt} = ${param('createdAt')}`)

/** People whom the workspace of the export has erased. */
export async function listErasedIds(store: Store, source: SourceWorkspace): Promise<Set<number>> {
  const [found] = await store.batch(null, selectErasedIds({ ...source }))
  return new Set(found.map(({ userId }) => userId))
}

const selectHomeOfSource: Statement<{ home: number }> = selectNewHome({})

/** With several homes. Throws WorkspaceMoved if the workspace is in another home. */
export async function listErasedIdsInHome(store: Store, source: SourceWorkspace): Promise<Set<number>> {
  const values = { '@subscription': source.id }
  const [[moved], found] = await store.batch(null, { ...selectHomeOfSource, values }, selectErasedIds({ ...source }))
  if (moved) throw new WorkspaceMoved(moved.home)
  return new Set(found.map(({ userId }) => userId))
}

const completeRun = statement<never, Claim & { size: number; records: number; files: number }>(
  sql`UPDATE ${exportRuns} SET ${assignments(exportRuns, {
    status: sql`'completed'`,
    progress: sql`100`,
    size: param('size'),
    recordCount: param('records'),
    fileCount: param('files'),
    finishedAt: caller.now,
    updatedAt: caller.now,
    // The cron deletes the file.
    nextAttemptAt: caller.now,
    version: sql`${exportRuns.version} + 1`,
  })} WHERE ${isClaimedRun}`,
)

// D1 binds numbers as reals.
const integerParam = (name: string) => sql`CAST(${param(name)} AS INTEGER)`

const emitRestored = statement<never, Claim & { records: number; files: number }>(
  eventSql({
    type: 'workspace.restored',
    key: inline('workspace'),
    data: sql`json_object('name', ${subscriptions.name}, 'exportId', ${integerParam('exportId')},
      'totals', json_object('records', ${integerParam('records')}, 'files', ${integerParam('files')}))`,
    from: sql`FROM ${subscriptions} WHERE ${subscriptions.id} = ${caller.subscription} AND changes() > 0`,
  }),
)

const insertFeed = statement<never>(sql`INSERT INTO ${webhookFeeds} (subscription_id, next_look_at)
  SELECT ${caller.subscription}, ${caller.now}
  WHERE EXISTS (SELECT 1 FROM ${webhooks} WHERE ${webhooks.subscriptionId} = ${caller.subscription})
  ON CONFLICT DO NOTHING`)

// A webhook begins with the events after the restore.
const updateWebhookPositions = statement<never>(sql`UPDATE ${webhooks} SET position = ${lastEventId}
  WHERE ${webhooks.subscriptionId} = ${caller.subscription} AND ${webhooks.keyId} = 0`)

interface RestoreTotals {
  size: number
  records: number
  files: number
}

export async function completeRestore(
  store: Store,
  { subscriptionId, exportId, version }: ClaimedExport,
  totals: RestoreTotals,
): Promise<void> {
  const values = { exportId, version, ...totals }
  const completed = completeRun(values)
  const restored = directlyAfter(completed, emitRestored(values))
  await store.batch(subscriptionId, completed, restored, insertFeed({}), updateWebhookPositions({}))
}
