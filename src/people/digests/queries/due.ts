import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { changelogEntries } from '../../../db/schema/changelog'
import { feedbackComments, feedbackItems, feedbackStatuses } from '../../../db/schema/feedback'
import { noticeDigests, noticePeople, notices } from '../../../db/schema/notices'
import { portals } from '../../../db/schema/portals'
import { settings } from '../../../db/schema/settings'
import { solutionVersions } from '../../../db/schema/solution-versions'
import { products } from '../../../db/schema/tenancy'
import { workItemComments, workItems } from '../../../db/schema/work-items'
import { caller, columnList, inline, param, statement } from '../../../db/sql/statement'
import { isPublicIdea, isShownEntry, verifiedDomain } from '../../../portal/api/statements'
import type { NoticeKind } from '../../notices/schema'
import { joinEntryOfNotice } from './publication'

// Rows of a batch that accepts a mailing stay below 30 seconds of D1.
const MAX_PEOPLE_PER_MAILING = 10_000
export const MAX_ROWS_PER_MAILING = 20_000

export interface DueRow {
  userId: number
  /** Null for a person without notices. */
  noticeId: number | null
}

const selectDue = statement<DueRow>(sql`SELECT d.user_id AS "userId", p.notice_id AS "noticeId"
  FROM (SELECT ${noticeDigests.userId}, ${noticeDigests.dueAt} FROM ${noticeDigests}
    WHERE ${noticeDigests.subscriptionId} = ${caller.subscription} AND ${noticeDigests.dueAt} <= ${caller.now}
    ORDER BY ${noticeDigests.dueAt}, ${noticeDigests.userId} LIMIT ${inline(MAX_PEOPLE_PER_MAILING)}) d
  LEFT JOIN ${noticePeople} p ON p.subscription_id = ${caller.subscription} AND p.user_id = d.user_id
  ORDER BY d.due_at, d.user_id, p.notice_id DESC LIMIT ${inline(MAX_ROWS_PER_MAILING + 1)}`)

interface MailSettings {
  ideaUrl: string | null
  /** JSON */
  mailTemplates: string
}

const selectMailSettings =
  statement<MailSettings>(sql`SELECT ${columnList(settings, ['ideaUrl', 'mailTemplates'])} FROM ${settings}
  WHERE ${settings.subscriptionId} = ${caller.subscription}`)

export async function listDueRows(store: Store, subscriptionId: number) {
  const [rows, [mailSettings]] = await store.batch(subscriptionId, selectDue({}), selectMailSettings({}))
  return { rows, mailSettings }
}

/** Id of the idea itself, or of the idea that it was merged into. */
export const finalIdeaId = (id: SQL) => sql`(WITH RECURSIVE way (id, further) AS (
    SELECT m.id, m.merged_into FROM ${feedbackItems} m WHERE m.id = ${id} AND +m.subscription_id = ${caller.subscription}
    UNION ALL SELECT m.id, m.merged_into FROM way CROSS JOIN ${feedbackItems} m
      ON m.id = way.further AND +m.subscription_id = ${caller.subscription})
  SELECT id FROM way WHERE further IS NULL)`

export interface NoticeDetail {
  id: number
  kind: NoticeKind
  createdAt: number
  /** Key of the idea, of the work item or of the changelog entry. */
  key: string
  slug: string | null
  title: string
  /** Null for a changelog entry of all products. */
  productId: number | null
  status: string | null
  message: string | null
  version: string | null
  /** HTML of a public comment, or of a changelog entry. */
  comment: string | null
  /** Slug of the portal that shows the idea or the changelog entry. */
  portal: string | null
  /** Own host of the portal. */
  portalDomain: string | null
}

const MAX_COMMENT_CHARACTERS = inline(4_000)
const isOfTenant = (alias: string) => sql`+${sql.raw(alias)}.subscription_id = ${caller.subscription}`

const portalShowsRecord = sql`(EXISTS (SELECT 1 FROM ${feedbackItems} WHERE ${feedbackItems.id} = i.id AND ${isPublicIdea})
  OR EXISTS (SELECT 1 FROM ${changelogEntries} e WHERE e.id = entry.id AND ${isShownEntry}))`
const ofPortalWithRecord = (value: SQLWrapper) =>
  sql`(SELECT ${value} FROM ${portals} WHERE ${portals.subscriptionId} = ${caller.subscription} AND ${portalShowsRecord})`

/** Leaves out notices that say nothing any more: of removed records, and of a release that was taken back. */
const selectDetails = statement<NoticeDetail, { notices: string }>(sql`
  SELECT n.id AS "id", n.kind AS "kind", n.created_at AS "createdAt", coalesce(i.external_key, w.external_key, entry.external_key) AS "key", i.slug AS "slug",
    coalesce(i.title, w.summary, entry.title) AS "title", coalesce(i.product_id, w.product_id, entry.product_id) AS "productId", st.name AS "status",
    n.message AS "message", v.name AS "version", iif(c.is_private = 0 OR wc.is_private = 0 OR entry.id,
      substr(coalesce(c.text, wc.text, entry.content), 1, ${MAX_COMMENT_CHARACTERS}), NULL) AS "comment",
    ${ofPortalWithRecord(portals.slug)} AS "portal", ${ofPortalWithRecord(verifiedDomain)} AS "portalDomain"
  FROM json_each(${param('notices')}) named
    CROSS JOIN ${notices} n ON n.id = named.value AND ${isOfTenant('n')} AND n.withdrawn_at IS NULL
    LEFT JOIN ${feedbackComments} c ON c.id = n.comment_id AND ${isOfTenant('c')} AND c.deleted_at IS NULL
    LEFT JOIN ${workItemComments} wc ON wc.id = n.item_comment_id AND ${isOfTenant('wc')} AND wc.deleted_at IS NULL
    LEFT JOIN ${feedbackItems} i ON i.id = ${finalIdeaId(sql`coalesce(n.feedback_id, c.feedback_id)`)} AND i.deleted_at IS NULL
    LEFT JOIN ${feedbackStatuses} st ON st.id = i.status_id AND ${isOfTenant('st')}
    LEFT JOIN ${solutionVersions} v ON v.id = n.solution_version_id AND ${isOfTenant('v')} AND v.deleted_at IS NULL
      AND v.released_at = n.created_at
    LEFT JOIN ${workItems} w ON w.id = coalesce(n.work_item_id, wc.work_item_id) AND ${isOfTenant('w')} AND w.deleted_at IS NULL
    ${joinEntryOfNotice}
    LEFT JOIN ${products} ON ${products.id} = coalesce(i.product_id, w.product_id, entry.product_id)
      AND +${products.subscriptionId} = ${caller.subscription} AND ${products.deletedAt} IS NULL
  WHERE (${products.id} IS NOT NULL OR entry.id IS NOT NULL AND entry.product_id IS NULL) AND CASE n.kind WHEN 'status' THEN st.id WHEN 'release' THEN i.id IS NOT NULL AND v.id IS NOT NULL
    WHEN 'reply' THEN i.id IS NOT NULL AND c.id IS NOT NULL WHEN 'mention' THEN c.id IS NOT NULL OR wc.id IS NOT NULL
    WHEN 'changelog' THEN entry.id ELSE w.id END`)

export const listDetails = async (store: Store, subscriptionId: number, ids: readonly number[]) =>
  (await store.batch(subscriptionId, selectDetails({ notices: JSON.stringify(ids) })))[0]
