import { sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { backupSchedule, exportRuns } from '../../../db/schema/exports'
import { isInThisHome } from '../../../db/sql/fence'
import { caller, inline, insertInto, param, statement } from '../../../db/sql/statement'

const BACKUPS_PER_CRON = inline(20)
// Outlasts a cron run. A killed run repeats its backups afterwards.
const SCHEDULE_LEASE_MS = inline(600_000)

const updateDueSchedules = statement<{ subscriptionId: number }>(sql`UPDATE ${backupSchedule}
  SET next_at = ${caller.now} + ${SCHEDULE_LEASE_MS}
  WHERE ${backupSchedule.subscriptionId} IN (SELECT ${backupSchedule.subscriptionId} FROM ${backupSchedule}
    WHERE ${backupSchedule.nextAt} <= ${caller.now} AND ${isInThisHome(backupSchedule.subscriptionId)} ORDER BY ${backupSchedule.nextAt} LIMIT ${BACKUPS_PER_CRON})
  RETURNING ${backupSchedule.subscriptionId} AS "subscriptionId"`)

export const claimDueBackups = async (store: Store): Promise<number[]> =>
  (await store.batch(null, updateDueSchedules({})))[0].map(({ subscriptionId }) => subscriptionId)

interface NewBackup {
  subscriptionId: number
  objectKey: string
}

const insertExports = statement<never, { backups: string; keptFor: number }>(
  insertInto(
    exportRuns,
    {
      subscriptionId: sql`(b.value ->> 'subscriptionId')`,
      kind: sql`'backup'`,
      objectKey: sql`(b.value ->> 'objectKey')`,
      keptFor: param('keptFor'),
      nextAttemptAt: caller.now,
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    sql`FROM json_each(${param('backups')}) b`,
  ),
)

const updateSchedules = statement<never, { backups: string; nextAt: number }>(sql`UPDATE ${backupSchedule}
  SET next_at = ${param('nextAt')} WHERE ${backupSchedule.subscriptionId} IN (
    SELECT b.value ->> 'subscriptionId' FROM json_each(${param('backups')}) b)`)

export async function insertBackups(
  store: Store,
  backups: readonly NewBackup[],
  { keptFor, nextAt }: { keptFor: number; nextAt: number },
): Promise<void> {
  const values = { backups: JSON.stringify(backups) }
  await store.batch(null, insertExports({ ...values, keptFor }), updateSchedules({ ...values, nextAt }))
}
