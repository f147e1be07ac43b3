import { sql } from 'drizzle-orm'
import { portals } from '../schema/portals'
import { segmentMembers } from '../schema/segments-and-mail'
import { apiKeys, subscriptions, users } from '../schema/tenancy'
import { isCallerKey, isLastUseStale } from './access'
import { caller, compileSql, type Template } from './statement'

export interface PortalShape {
  /** True for a visitor without a key or a session, who reads a public portal. */
  isVisitor: boolean
  /** True for a visitor with the publishable key of a page. */
  isPublishable?: boolean
}

/** An erasure deletes the workspace piece by piece, so the portal closes first. */
const isPortalInPath = sql`${portals.subscriptionId} = ${caller.subscription} AND ${portals.slug} = ${caller.portal}
  AND NOT EXISTS (SELECT 1 FROM ${subscriptions} WHERE ${subscriptions.id} = ${caller.subscription}
    AND ${subscriptions.eraseAt} <= ${caller.now})`

const callerAsUser = sql`FROM ${users} u WHERE u.id = ${caller.user} AND u.subscription_id = ${caller.subscription}
  AND u.deleted_at IS NULL`

const isPersonKnown = sql`EXISTS (SELECT 1 ${callerAsUser})`

const isReader = sql`(${portals.visibility} = 'public' OR EXISTS (SELECT 1 ${callerAsUser}
  AND (u.role <> 'idm_member' OR ${portals.segments} = '[]' OR EXISTS (SELECT 1 FROM json_each(${portals.segments}) readers
    CROSS JOIN ${segmentMembers} mine ON mine.subscription_id = ${caller.subscription} AND mine.segment_id = readers.value
      AND mine.user_id = u.id))))`

const refusalOf = (isWrite: boolean) => sql`CASE WHEN ${portals.subscriptionId} IS NULL THEN 'portal_not_found'
  WHEN NOT ${isReader} THEN iif(${isPersonKnown}, 'portal_private', 'sign_in_required')
  ${isWrite ? sql`WHEN NOT ${isPersonKnown} THEN 'sign_in_required'` : sql``} END`

export interface PortalAccess {
  /** False for a key that is not active. */
  isActive: 0 | 1
  stale: 0 | 1 | null
  refusal: string | null
}

const isCallerPublishableKey = sql`${isCallerKey} AND ${apiKeys.kind} = 'publishable' AND ${apiKeys.expiresAt} > ${caller.now}`
const isOriginOfKey = sql`EXISTS (SELECT 1 FROM json_each(${apiKeys.origins}) o WHERE o.value = ${caller.foreignOrigin})`

const selectPublishableAccess = sql`SELECT ${apiKeys.id} IS NOT NULL AS "isActive", ${isLastUseStale} AS "stale",
    CASE WHEN NOT ${isOriginOfKey} THEN 'origin_not_of_key:' || coalesce(${caller.foreignOrigin}, '') ELSE ${refusalOf(false)} END AS "refusal"
  FROM (SELECT 1) LEFT JOIN ${apiKeys} ON ${isCallerPublishableKey} LEFT JOIN ${portals} ON ${isPortalInPath}`

const selectPortalAccess = ({
  isVisitor,
}: PortalShape) => sql`SELECT ${isVisitor ? sql`1` : sql`${apiKeys.id} IS NOT NULL`} AS "isActive",
    ${isVisitor ? sql`NULL` : isLastUseStale} AS "stale", ${refusalOf(false)} AS "refusal"
  FROM (SELECT 1) ${isVisitor ? sql`` : sql`LEFT JOIN ${apiKeys} ON ${isCallerKey}`} LEFT JOIN ${portals} ON ${isPortalInPath}`

const accessTemplates = {
  visitor: compileSql(selectPortalAccess({ isVisitor: true })),
  key: compileSql(selectPortalAccess({ isVisitor: false })),
  publishable: compileSql(selectPublishableAccess),
}

export const findPortalAccessTemplate = ({ isVisitor, isPublishable }: PortalShape): Template =>
  isPublishable ? accessTemplates.publishable : isVisitor ? accessTemplates.visitor : accessTemplates.key

/** Reason to refuse a write of a person in the portal; null if the write may go on. */
export const portalRefusalOfWrite = sql`(SELECT ${refusalOf(true)} FROM (SELECT 1) LEFT JOIN ${portals} ON ${isPortalInPath})`
