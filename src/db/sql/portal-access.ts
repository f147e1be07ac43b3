import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { portals } from '../schema/portals'
import { segmentMembers } from '../schema/segments-and-mail'
import { apiKeys, subscriptions, users } from '../schema/tenancy'
import { isCallerKey, isLastUseStale } from './access'
import { caller, compileSql, inline, type Template } from './statement'

/** `source` of the members who take part in a portal as users of the workspace's own product. */
export const END_USER_SOURCE = 'end_user'

/** The member whom the token of an end user means, as last read. */
export interface KnownEndUser {
  source: string | null
  name: string
}

/** The verified token of an end user. */
export interface EndUser {
  sub: string
  email: string
  name: string | undefined
  /** The secret that verified the token, encrypted as the portal stores it. */
  sealedSecret: string
  /** Undefined for a person who is no member yet. */
  known: KnownEndUser | undefined
}

export interface PortalShape {
  /** True for a visitor without a secret key or a session. */
  isVisitor: boolean
  /** True for a visitor with the publishable key of a page. */
  isPublishable?: boolean
  /** With a publishable key only. The actor has the id of the member, or 0. */
  endUser?: EndUser | undefined
  /** True for the batch that makes the end user a member. */
  joins?: boolean
}

export interface PortalOfRequest extends PortalShape {
  slug: string
  /** Own host of the portal that the request arrived at. */
  host?: string | undefined
  /** Origin of the page with the publishable key. */
  origin?: string | undefined
}

/** An erasure deletes the workspace piece by piece, so the portal closes first. */
const isPortalInPath = sql`${portals.subscriptionId} = ${caller.subscription} AND ${portals.slug} = ${caller.portal}
  AND (${caller.portalHost} IS NULL OR (${portals.domain} = ${caller.portalHost} AND ${portals.domainVerified} = 1))
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

/** The member with the id of the end user, or else the member with the address, unless another end user has the address. */
export const endUserMemberId = (subscription: SQLWrapper) => sql`coalesce(
  (SELECT u.id FROM ${users} u WHERE u.subscription_id = ${subscription} AND u.source = ${inline(END_USER_SOURCE)}
    AND u.external_id = ${caller.endUserId}),
  (SELECT u.id FROM ${users} u WHERE u.subscription_id = ${subscription} AND u.email = ${caller.endUserEmail}
    AND u.source IS NOT ${inline(END_USER_SOURCE)}))`

const isSecretCurrent = sql`(${portals.endUserSecret} = ${caller.endUserSecret}
  OR ${portals.previousSecret} = ${caller.endUserSecret} AND ${portals.previousUntil} > ${caller.now})`
const callerHas = (condition: SQL) => sql`EXISTS (SELECT 1 FROM ${users} u WHERE u.id = ${caller.user}
  AND u.subscription_id = ${caller.subscription} AND ${condition})`
const isAddressTaken = sql`EXISTS (SELECT 1 FROM ${users} u WHERE u.subscription_id = ${caller.subscription}
  AND u.email = ${caller.endUserEmail})`

const joinRefusal = sql`WHEN ${portals.signUp} <> 'anyone' THEN 'end_user_unknown' WHEN ${isAddressTaken} THEN 'end_user_address_taken'`

/** A secret or member that has changed since it was read makes the request read both again. */
const endUserRefusalOf = (kind: 'read' | 'write' | 'join') => sql`CASE
  WHEN ${portals.subscriptionId} IS NULL THEN 'portal_not_found'
  WHEN ${isSecretCurrent} IS NOT 1 OR coalesce(${endUserMemberId(caller.subscription)}, 0) <> ${caller.user} THEN 'end_user_changed'
  WHEN ${callerHas(sql`u.deleted_at IS NOT NULL`)} THEN 'end_user_removed'
  WHEN ${callerHas(sql`u.role <> 'idm_member'`)} THEN 'end_user_of_team'
  WHEN NOT ${isReader} THEN 'portal_private'
  ${{ read: sql``, write: sql`WHEN NOT ${isPersonKnown} THEN 'sign_in_required'`, join: joinRefusal }[kind]} END`

export interface PortalAccess {
  /** False for a key that is not active. */
  isActive: 0 | 1
  stale: 0 | 1 | null
  refusal: string | null
}

const isPublishableKey = sql`${apiKeys.kind} = 'publishable' AND ${apiKeys.expiresAt} > ${caller.now}`
const isOriginOfKey = sql`EXISTS (SELECT 1 FROM json_each(${apiKeys.origins}) o WHERE o.value = ${caller.foreignOrigin})`
const originRefusal = sql`WHEN NOT ${isOriginOfKey} THEN 'origin_not_of_key:' || coalesce(${caller.foreignOrigin}, '')`

const selectPublishableAccess = (
  refusal: SQL,
) => sql`SELECT ${apiKeys.id} IS NOT NULL AS "isActive", ${isLastUseStale} AS "stale",
    CASE ${originRefusal} ELSE ${refusal} END AS "refusal"
  FROM (SELECT 1) LEFT JOIN ${apiKeys} ON ${isCallerKey} AND ${isPublishableKey} LEFT JOIN ${portals} ON ${isPortalInPath}`

const selectPortalAccess = ({
  isVisitor,
}: PortalShape) => sql`SELECT ${isVisitor ? sql`1` : sql`${apiKeys.id} IS NOT NULL`} AS "isActive",
    ${isVisitor ? sql`NULL` : isLastUseStale} AS "stale", ${refusalOf(false)} AS "refusal"
  FROM (SELECT 1) ${isVisitor ? sql`` : sql`LEFT JOIN ${apiKeys} ON ${isCallerKey}`} LEFT JOIN ${portals} ON ${isPortalInPath}`

const accessTemplates = {
  visitor: compileSql(selectPortalAccess({ isVisitor: true })),
  key: compileSql(selectPortalAccess({ isVisitor: false })),
  publishable: compileSql(selectPublishableAccess(refusalOf(false))),
  endUser: compileSql(selectPublishableAccess(endUserRefusalOf('read'))),
}

type PortalCallerKind = keyof typeof accessTemplates

const kindOf = ({ isVisitor, isPublishable, endUser }: PortalShape): PortalCallerKind => {
  if (isPublishable) return endUser ? 'endUser' : 'publishable'
  return isVisitor ? 'visitor' : 'key'
}

export const findPortalAccessTemplate = (portal: PortalShape): Template => accessTemplates[kindOf(portal)]

/** For templates that depend on the caller of a portal. */
export const nameOfPortalShape = (portal: PortalShape): string => `${kindOf(portal)}${portal.joins ? ' joins' : ''}`

const selectRefusal = (refusal: SQL) =>
  sql`(SELECT ${refusal} FROM (SELECT 1) LEFT JOIN ${portals} ON ${isPortalInPath})`
const refusalOfWrite = selectRefusal(refusalOf(true))
const refusalOfEndUserWrite = selectRefusal(endUserRefusalOf('write'))
const refusalOfJoin = selectRefusal(endUserRefusalOf('join'))

/** Cases with a reason to refuse the key of a write, in a statement that joins the key of the caller. */
export function keyRefusalCases(portal: PortalShape | undefined): SQL[] {
  if (portal?.isVisitor && !portal.isPublishable) return []
  const inactive = sql`WHEN ${apiKeys.id} IS NULL THEN 'unauthorized'`
  return portal?.isPublishable
    ? [inactive, sql`WHEN NOT (${isPublishableKey}) THEN 'unauthorized'`, originRefusal]
    : [inactive]
}

/** Reason to refuse a write of a person in the portal; null if the write may go on. */
export const portalRefusalOfWrite = (portal: PortalShape): SQL =>
  portal.joins ? refusalOfJoin : portal.endUser ? refusalOfEndUserWrite : refusalOfWrite
