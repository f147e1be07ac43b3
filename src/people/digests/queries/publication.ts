import { sql } from 'drizzle-orm'
import { changelogEntries, changelogFollowers } from '../../../db/schema/changelog'
import { notices } from '../../../db/schema/notices'
import { caller, param, statement, type Values } from '../../../db/sql/statement'

const isEntryOfNotice = sql`entry.id = n.changelog_entry_id AND +entry.subscription_id = ${caller.subscription}
  AND entry.status = 'published' AND entry.published_at = n.created_at AND entry.deleted_at IS NULL`

/** A notice of an entry that was taken back says nothing, also when the entry is published again. */
export const entryIsPublished = sql`(n.changelog_entry_id IS NULL OR EXISTS (SELECT 1 FROM ${changelogEntries} entry WHERE ${isEntryOfNotice}))`

export const joinEntryOfNotice = sql`LEFT JOIN ${changelogEntries} entry ON ${isEntryOfNotice}`

export const hasLeftChangelog = sql`(n.kind = 'changelog' AND NOT EXISTS (SELECT 1 FROM ${changelogFollowers} f
  WHERE f.subscription_id = ${caller.subscription} AND f.user_id = d.user_id AND f.left_at IS NULL))`

/** Entries whose mail leaves mail nobody when they are published again. */
export const markAnnounced = statement<never, Values>(sql`UPDATE ${changelogEntries} SET announced_at = ${caller.now}
  WHERE +${changelogEntries.subscriptionId} = ${caller.subscription} AND ${changelogEntries.announcedAt} IS NULL
    AND ${changelogEntries.id} IN (SELECT n.changelog_entry_id FROM json_each(${param('shown')}) shown
      CROSS JOIN ${notices} n ON n.id = shown.value AND +n.subscription_id = ${caller.subscription} AND n.changelog_entry_id IS NOT NULL)`)
