import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { assets } from '../../../db/schema/assets'
import { changelogEntries, changelogFollowers, changelogIdeas, changelogVersions } from '../../../db/schema/changelog'
import { feedbackItems } from '../../../db/schema/feedback'
import { portals } from '../../../db/schema/portals'
import { suppressions } from '../../../db/schema/segments-and-mail'
import { solutionVersions } from '../../../db/schema/solution-versions'
import { products, subscriptions, users } from '../../../db/schema/tenancy'
import {
  boundLimit,
  caller,
  inline,
  makeStatementVariants,
  param,
  statement,
  type Values,
} from '../../../db/sql/statement'
import { type ChangelogEntryKey, changelogEntry } from '../../../feedback/changelog/fields'
import { joinPreferences, kindIsStopped } from '../../../people/preferences/statements'
import { notFoundError } from '../../../text/errors'
import { toIso } from '../../../text/moments'
import { isPublicIdea, isShownEntry, publicProductIds, verifiedDomain } from '../statements'
import {
  type ChangelogPreview,
  type ListPortalChangelog,
  MAX_COUNTED_FOLLOWERS,
  type PortalChangelogEntry,
} from './schema'

// A page looks at this many published entries of the workspace.
const MAX_SCANNED_ENTRIES = 200
const MAX_LINKS = inline(20)
// Characters of the texts of a page; a page has at least one entry.
const MAX_PAGE_CHARACTERS = 1_000_000

const isPublished = sql`e.subscription_id = ${caller.subscription} AND e.deleted_at IS NULL AND e.published_at IS NOT NULL`

const ideasJson = sql`(SELECT json_group_array(json_object('key', key, 'title', title, 'votes', vote, 'comments', comment))
  FROM (SELECT ${feedbackItems.externalKey} AS key, ${feedbackItems.title} AS title, ${feedbackItems.vote} AS vote, ${feedbackItems.comment} AS comment
    FROM ${changelogIdeas} l CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = l.feedback_id
    WHERE l.subscription_id = ${caller.subscription} AND l.changelog_entry_id = e.id AND ${feedbackItems.subscriptionId} = ${caller.subscription}
      AND ${feedbackItems.deletedAt} IS NULL AND ${feedbackItems.mergedInto} IS NULL AND ${isPublicIdea}
    ORDER BY ${feedbackItems.id} LIMIT ${MAX_LINKS}))`
const versionsJson = sql`(SELECT json_group_array(name) FROM (SELECT v.name FROM ${changelogVersions} l
    CROSS JOIN ${solutionVersions} v ON v.id = l.solution_version_id AND v.subscription_id = ${caller.subscription}
  WHERE l.subscription_id = ${caller.subscription} AND l.changelog_entry_id = e.id AND v.deleted_at IS NULL
    AND v.released_at IS NOT NULL AND v.product_id IN (${publicProductIds}) ORDER BY v.id LIMIT ${MAX_LINKS}))`

interface EntryRow {
  id: number
  key: string
  title: string
  html: string
  labels: string
  cover: number | null
  product: string | null
  versions: string
  ideas: string
  publishedAt: number
  updatedAt: number
}

const entryColumns = sql`e.id AS "id", e.external_key AS "key", e.title AS "title", e.content AS "html", e.labels AS "labels",
  (SELECT ${assets.id} FROM ${assets} WHERE ${assets.subscriptionId} = ${caller.subscription} AND ${assets.id} = e.cover_id
    AND ${assets.deletedAt} IS NULL) AS "cover",
  (SELECT ${products.externalKey} FROM ${products} WHERE ${products.id} = e.product_id AND ${products.subscriptionId} = ${caller.subscription}) AS "product",
  ${versionsJson} AS "versions", ${ideasJson} AS "ideas", e.published_at AS "publishedAt", e.updated_at AS "updatedAt"`

export type PortalEntry = z.output<typeof PortalChangelogEntry>

const toEntry = (row: EntryRow): PortalEntry => ({
  ...{ key: row.key, title: row.title, html: row.html, cover: row.cover, product: row.product },
  labels: JSON.parse(row.labels) as string[],
  versions: JSON.parse(row.versions) as string[],
  ideas: JSON.parse(row.ideas) as PortalEntry['ideas'],
  publishedAt: toIso(row.publishedAt),
  updatedAt: toIso(row.updatedAt),
})

/** Entries of one moment are few, so the range of the index begins at the moment. */
const isAfterCursor = sql`AND e.published_at <= ${param('at')} AND NOT (e.published_at = ${param('at')} AND e.id >= ${param('id')})`
const inOrder = sql`ORDER BY e.published_at DESC, e.id DESC`
const scannedEntries = (after: SQL) =>
  sql`SELECT e.id, e.published_at FROM ${changelogEntries} e WHERE ${isPublished} ${after} ${inOrder}`

interface PageRow extends EntryRow {
  /** Of this entry and the entries before. */
  characters: number
}

type PageValues = { at: number | null; id: number | null; label: string | null; limit: number }

/** Variants: `first` or `after`, with or without `label`. */
const selectPage = makeStatementVariants<PageRow, PageValues>((variant) => {
  const after = variant.startsWith('after') ? isAfterCursor : sql``
  const labeled = variant.endsWith('label')
    ? sql`AND EXISTS (SELECT 1 FROM json_each(e.labels) WHERE value = ${param('label')})`
    : sql``
  return sql`SELECT ${entryColumns}, chosen.before + length(e.content) AS "characters" FROM (
      SELECT page.id, sum(page.characters) OVER (ORDER BY page.published_at DESC, page.id DESC) - page.characters AS before
      FROM (SELECT e.id, e.published_at, length(e.content) AS characters
        FROM (${scannedEntries(after)} LIMIT ${inline(MAX_SCANNED_ENTRIES)}) scanned
          CROSS JOIN ${changelogEntries} e ON e.id = scanned.id
        WHERE ${isShownEntry} ${labeled} ${inOrder} ${boundLimit('limit')}) page) chosen
      CROSS JOIN ${changelogEntries} e ON e.id = chosen.id
    WHERE chosen.before < ${inline(MAX_PAGE_CHARACTERS)} ${inOrder}`
})

const selectEndOfScan = makeStatementVariants<{ at: number; id: number }, PageValues>(
  (
    variant,
  ) => sql`SELECT published_at AS "at", id AS "id" FROM (${scannedEntries(variant.startsWith('after') ? isAfterCursor : sql``)}
    LIMIT 1 OFFSET ${inline(MAX_SCANNED_ENTRIES - 1)})`,
)

interface AskedPage extends Omit<z.output<typeof ListPortalChangelog>, 'after' | 'label'> {
  after?: string | undefined
  label?: string | undefined
}

const writeCursor = ({ at, id }: { at: number; id: number }) => `${at}-${id}`

/** A page of published entries, the newest first. Costs one trip. */
export async function listPortalChangelog(db: Database, { limit, after, label }: AskedPage) {
  const [at = null, id = null] = after?.split('-').map(Number) ?? []
  const variant = `${after ? 'after' : 'first'}${label === undefined ? '' : ' label'}`
  const values = { at, id, label: label ?? null, limit: limit + 1 }
  const [rows, [end]] = await db.read(selectPage(variant, values), selectEndOfScan(variant, values))
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const isCut = rows.length > limit || (last?.characters ?? 0) >= MAX_PAGE_CHARACTERS
  const next = isCut && last ? { at: last.publishedAt, id: last.id } : end
  return { entries: shown.map(toEntry), next: next ? writeCursor(next) : null }
}

const newestEntries = sql`(${scannedEntries(sql``)} LIMIT ${inline(MAX_SCANNED_ENTRIES)}) scanned
  CROSS JOIN ${changelogEntries} e ON e.id = scanned.id`

const MAX_LISTED_LABELS = inline(12)
const selectLabels = statement<{
  label: string
}>(sql`SELECT j.value AS "label" FROM ${newestEntries}, json_each(e.labels) j
  WHERE ${isShownEntry} GROUP BY j.value ORDER BY count(*) DESC, j.value LIMIT ${MAX_LISTED_LABELS}`)

/** The labels of the newest entries, the most frequent first. */
export async function listEntryLabels(db: Database): Promise<string[]> {
  const [rows] = await db.read(selectLabels({}))
  return rows.map(({ label }) => label)
}

const selectKeys = statement<{ key: string }>(
  sql`SELECT e.external_key AS "key" FROM ${newestEntries} WHERE ${isShownEntry} ${inOrder}`,
)

/** Keys of the newest entries. */
export async function listEntryKeys(db: Database): Promise<string[]> {
  const [rows] = await db.read(selectKeys({}))
  return rows.map(({ key }) => key)
}

const selectEntry = statement<EntryRow, { published_external_key: string }>(
  sql`SELECT ${entryColumns} FROM ${changelogEntries} e WHERE ${isPublished}
    AND e.external_key = ${param('published_external_key')} AND ${isShownEntry}`,
)

/** A published entry. Costs one trip. */
export async function getPortalEntry(db: Database, key: { published_external_key: string }): Promise<PortalEntry> {
  const [[row]] = await db.read(selectEntry(key))
  if (!row) throw notFoundError('changelog_entry_not_found')
  return toEntry(row)
}

interface FeedHead {
  slug: string
  domain: string | null
  name: string
  workspace: number
  updatedAt: number
}

const selectFeedHead =
  statement<FeedHead>(sql`SELECT ${portals.slug} AS "slug", ${verifiedDomain} AS "domain", coalesce(${portals.name}, ${subscriptions.name}) AS "name",
    ${portals.subscriptionId} AS "workspace", ${portals.updatedAt} AS "updatedAt"
  FROM ${portals} CROSS JOIN ${subscriptions} ON ${subscriptions.id} = ${portals.subscriptionId}
  WHERE ${portals.subscriptionId} = ${caller.subscription} AND ${portals.slug} = ${caller.portal} AND ${portals.changelog} = 1`)

const FEED_ENTRIES = 20

/** The newest entries and the portal. A portal without a changelog has no feed. Costs one trip. */
export async function readFeed(db: Database) {
  const values = { at: null, id: null, label: null, limit: FEED_ENTRIES }
  const [[head], rows] = await db.read(selectFeedHead({}), selectPage('first', values))
  if (!head) throw notFoundError('portal_not_found')
  return { ...head, updatedAt: toIso(head.updatedAt), entries: rows.map((row) => ({ id: row.id, ...toEntry(row) })) }
}

interface PreviewRow extends Omit<EntryRow, 'publishedAt'> {
  publishedAt: number | null
  isShown: number
  coverUrl: string | null
  wasMailed: number
}

const downloadOfCover = sql`(SELECT '/api/initiatives/' || p.external_key || '/assets/' || ${assets.id} || '/download'
  FROM ${assets} CROSS JOIN ${products} p ON p.id = ${assets.productId} AND p.subscription_id = ${caller.subscription} AND p.deleted_at IS NULL
  WHERE ${assets.subscriptionId} = ${caller.subscription} AND ${assets.id} = e.cover_id AND ${assets.deletedAt} IS NULL)`

const selectPreview = statement<
  PreviewRow,
  Values
>(sql`SELECT ${entryColumns}, coalesce(${isShownEntry}, 0) AS "isShown",
    ${downloadOfCover} AS "coverUrl", e.announced_at IS NOT NULL AS "wasMailed"
  FROM ${changelogEntries} CROSS JOIN ${changelogEntries} e ON e.id = ${changelogEntries.id} WHERE ${changelogEntry.byKey}`)

interface AudienceRow {
  followers: number
  stopped: number
  suppressed: number
  counted: number
}

const followersToCount = sql`(SELECT ${changelogFollowers.userId} FROM ${changelogFollowers}
  WHERE ${changelogFollowers.subscriptionId} = ${caller.subscription} AND ${changelogFollowers.leftAt} IS NULL
  ORDER BY ${changelogFollowers.userId} LIMIT ${inline(MAX_COUNTED_FOLLOWERS)})`
const isSuppressed = sql`EXISTS (SELECT 1 FROM ${suppressions} WHERE ${suppressions.subscriptionId} = ${caller.subscription}
  AND ${suppressions.email} = u.email AND ${suppressions.segmentId} = 0)`
const selectAudience =
  statement<AudienceRow>(sql`SELECT count(*) AS "followers", coalesce(sum(stopped), 0) AS "stopped",
    coalesce(sum(suppressed AND NOT stopped), 0) AS "suppressed", (SELECT count(*) FROM ${followersToCount}) AS "counted"
  FROM (SELECT ${kindIsStopped(sql`'changelog'`)} AS stopped, ${isSuppressed} AS suppressed
    FROM ${followersToCount} slice CROSS JOIN ${users} u ON u.id = slice.user_id AND +u.subscription_id = ${caller.subscription}
      AND u.deleted_at IS NULL ${joinPreferences(sql`u.id`)} WHERE u.id <> ${caller.user})`)

/** The entry as readers of the portal would see it now, and the people whom a publication mails. Costs one trip. */
export async function previewChangelogEntry(
  db: Database,
  key: ChangelogEntryKey,
): Promise<z.input<typeof ChangelogPreview>> {
  const [[row], [audience], [found]] = await db.read(
    selectPreview(key),
    selectAudience({}),
    changelogEntry.selectId(key),
  )
  if (!found || !row || !audience) throw notFoundError(changelogEntry.missing)
  const { publishedAt, updatedAt, ...shown } = toEntry({ ...row, publishedAt: row.publishedAt ?? row.updatedAt })
  const { followers, stopped, suppressed, counted } = audience
  const wasMailed = row.wasMailed === 1
  return {
    ...{ ...shown, coverUrl: row.coverUrl, isShown: row.isShown === 1 },
    publishedAt: row.publishedAt === null ? null : publishedAt,
    mail: {
      ...{ wasMailed, followers, stopped, suppressed, isComplete: counted < MAX_COUNTED_FOLLOWERS },
      recipients: wasMailed ? 0 : followers - stopped - suppressed,
    },
  }
}
