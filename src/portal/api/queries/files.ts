import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { assets, attachments } from '../../../db/schema/assets'
import { changelogEntries } from '../../../db/schema/changelog'
import { feedbackItems } from '../../../db/schema/feedback'
import { portals } from '../../../db/schema/portals'
import { caller, inline, param, statement } from '../../../db/sql/statement'
import { notFoundError } from '../../../text/errors'
import { isShownEntry, isShownIdea } from '../statements'

export interface PortalFileRow {
  objectKey: string
  sha256: string
  size: number
  mime: string
  name: string
  isLogo: 0 | 1
  isPublic: 0 | 1
}

const isLogo = sql`EXISTS (SELECT 1 FROM ${portals} WHERE ${portals.subscriptionId} = ${caller.subscription}
  AND ${assets.id} IN (${portals.logo}, ${portals.darkLogo}))`

const isOfPublicPortal = sql`EXISTS (SELECT 1 FROM ${portals} WHERE ${portals.subscriptionId} = ${caller.subscription}
  AND ${portals.visibility} = 'public')`

const isAttached = sql`EXISTS (SELECT 1 FROM ${attachments} CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = ${attachments.holderId}
  WHERE ${attachments.subscriptionId} = ${caller.subscription} AND ${attachments.assetId} = ${assets.id}
    AND ${attachments.kind} = 'feedback' AND ${feedbackItems.subscriptionId} = ${caller.subscription}
    AND ${feedbackItems.deletedAt} IS NULL AND ${feedbackItems.mergedInto} IS NULL AND ${isShownIdea})`

const isCover = sql`EXISTS (SELECT 1 FROM ${feedbackItems} WHERE ${feedbackItems.subscriptionId} = ${caller.subscription}
  AND ${feedbackItems.externalKey} = ${param('ideaKey')} AND ${feedbackItems.deletedAt} IS NULL AND ${isShownIdea}
  AND ${assets.id} IN (SELECT value FROM json_each(${feedbackItems.coverPhotos})))`

const isEntryCover = sql`EXISTS (SELECT 1 FROM ${changelogEntries} e WHERE e.subscription_id = ${caller.subscription}
  AND e.cover_id = ${assets.id} AND e.deleted_at IS NULL AND e.published_at IS NOT NULL AND ${isShownEntry})`

const selectFile = statement<
  PortalFileRow,
  { assetId: number; ideaKey: string }
>(sql`SELECT ${assets.objectKey} AS "objectKey",
    ${assets.sha256} AS "sha256", ${assets.size} AS "size", ${assets.mime} AS "mime", ${assets.name} AS "name", ${isLogo} AS "isLogo",
    ${isOfPublicPortal} AS "isPublic"
  FROM ${assets} WHERE ${assets.id} = ${param('assetId')} AND ${assets.subscriptionId} = ${caller.subscription}
    AND ${assets.deletedAt} IS NULL AND (${isLogo} OR ${isAttached} OR ${isCover} OR ${isEntryCover}) LIMIT ${inline(1)}`)

/** A logo of the portal, a file of an idea that the caller may see, or the cover of a published changelog entry. */
export async function getPortalFile(db: Database, assetId: number, ideaKey: string) {
  const [[row]] = await db.read(selectFile({ assetId, ideaKey }))
  if (!row) throw notFoundError('asset_not_found')
  return { ...row, isLogo: row.isLogo === 1, isPublic: row.isPublic === 1 }
}
