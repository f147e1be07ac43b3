import { type SQL, sql } from 'drizzle-orm'
import { updateWhere } from '../../../db/records/change'
import { changelogEntries } from '../../../db/schema/changelog'
import { caller, type Statement, type Values } from '../../../db/sql/statement'
import { createChangelogNotice } from '../../../people/notices/statements'
import { changelogEntry } from '../fields'

export const PUBLISHED = { status: sql`'published'`, publishAt: sql`NULL`, publishedAt: sql`${caller.now}` }

/** Stands after the publication. An entry whose mail has left mails nobody again. */
export const createAnnouncement = (where: SQL) =>
  createChangelogNotice(
    sql`${changelogEntries.id}`,
    sql`${changelogEntries.notify}`,
    sql`FROM ${changelogEntries} WHERE ${where} AND ${changelogEntries.status} = 'published'
      AND ${changelogEntries.publishedAt} = ${caller.now} AND ${changelogEntries.deletedAt} IS NULL
      AND ${changelogEntries.announcedAt} IS NULL AND ${changelogEntries.notify} <> 'none'`,
  )
function createPublication(which: SQL): (key: Values) => Statement<never>[] {
  const where = sql`${which} AND ${changelogEntries.status} <> 'published'`
  const publish = updateWhere(changelogEntry, where, PUBLISHED, { happening: 'published' })
  const announce = createAnnouncement(which)
  return (key) => [...publish(key), announce(key)]
}

/** The entry that the batch has created. */
export const publishInserted = createPublication(changelogEntry.justInserted)
/** The entry, unless it is published. */
export const publishUnpublished = createPublication(changelogEntry.byKey)

/** Makes a published entry a draft. */
export const takeBack = updateWhere(
  changelogEntry,
  sql`${changelogEntry.byKey} AND ${changelogEntries.status} = 'published'`,
  { status: sql`'draft'`, publishedAt: sql`NULL` },
  { happening: 'unpublished' },
)

/** Makes a scheduled entry a draft. */
export const unschedule = updateWhere(
  changelogEntry,
  sql`${changelogEntry.byKey} AND ${changelogEntries.status} = 'scheduled'`,
  { status: sql`'draft'`, publishAt: sql`NULL` },
)
