import { sql } from 'drizzle-orm'
import type { Database, Store } from '../../../db/client/client'
import { updateWhere } from '../../../db/records/change'
import { changelogEntries } from '../../../db/schema/changelog'
import { isInThisHome } from '../../../db/sql/fence'
import { caller, inline, param, statement } from '../../../db/sql/statement'
import { withWaitingGroups } from '../../../db/sql/turns'
import type { NotifyChoice } from '../../../people/notices/schema'
import { type ChangelogEntryKey, changelogEntry } from '../fields'
import { createAnnouncement, PUBLISHED, takeBack } from './statements'

const entryIsPublished = changelogEntry.refuseIf(
  'conflict:This entry is published already.',
  sql`${changelogEntries.status} = 'published'`,
)
const markPublished = updateWhere(
  changelogEntry,
  changelogEntry.byKey,
  { ...PUBLISHED, notify: sql`coalesce(${param('notify')}, ${changelogEntries.notify})` },
  { happening: 'published' },
)

const announceEntry = createAnnouncement(changelogEntry.byKey)

export const publishChangelogEntry = (db: Database, key: ChangelogEntryKey, notify: NotifyChoice | null) =>
  changelogEntry.save(db, {
    guards: [...changelogEntry.writeGuards(key), entryIsPublished(key)],
    statements: [...markPublished({ ...key, notify }), announceEntry(key)],
    returning: changelogEntry.returningByKey(key),
  })

const notPublished = changelogEntry.refuseIf(
  'conflict:This entry is not published. Only a published entry can be taken back.',
  sql`${changelogEntries.status} <> 'published'`,
)
export const unpublishChangelogEntry = (db: Database, key: ChangelogEntryKey) =>
  changelogEntry.save(db, {
    guards: [...changelogEntry.writeGuards(key), notPublished(key)],
    statements: takeBack(key),
    returning: changelogEntry.returningByKey(key),
  })

// Four statements for each workspace: an invocation may run 1,000 statements on D1. The longest waits come first.
const MAX_WORKSPACES_PER_CRON_RUN = inline(50)
const MAX_ENTRIES_PER_CRON_RUN = inline(100)

const isScheduled = sql`${changelogEntries.status} = 'scheduled' AND ${changelogEntries.deletedAt} IS NULL`
const selectDueWorkspaces = statement<{ id: number }>(
  sql`${withWaitingGroups({ group: changelogEntries.subscriptionId, isWaiting: isScheduled })}
    SELECT id AS "id" FROM (SELECT id, (SELECT min(${changelogEntries.publishAt}) FROM ${changelogEntries}
        WHERE ${isScheduled} AND ${changelogEntries.subscriptionId} = waiting_groups.id) AS since FROM waiting_groups)
    WHERE since <= ${caller.now} AND ${isInThisHome(sql.raw('id'))} ORDER BY since LIMIT ${MAX_WORKSPACES_PER_CRON_RUN}`,
)

export const listDueWorkspaces = async (store: Store): Promise<number[]> =>
  (await store.batch(null, selectDueWorkspaces({})))[0].map(({ id }) => id)

const publishDue = updateWhere(
  changelogEntry,
  sql`${changelogEntries.id} IN (SELECT ${changelogEntries.id} FROM ${changelogEntries} INDEXED BY changelog_entries_due
    WHERE ${changelogEntries.subscriptionId} = ${caller.subscription} AND ${isScheduled}
      AND ${changelogEntries.publishAt} <= ${caller.now} ORDER BY ${changelogEntries.publishAt} LIMIT ${MAX_ENTRIES_PER_CRON_RUN})`,
  PUBLISHED,
  { happening: 'published' },
)

const announceDue = createAnnouncement(sql`${changelogEntries.subscriptionId} = ${caller.subscription}`)

/** One batch: a repeated or concurrent batch finds no entry that is due. */
export const publishDueEntries = (store: Store, subscriptionId: number) =>
  store.batch(subscriptionId, ...publishDue({}), announceDue({}))
