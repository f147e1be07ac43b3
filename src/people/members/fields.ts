import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type Key, record } from '../../db/records/record'
import { segmentMembers, segments, suppressions } from '../../db/schema/segments-and-mail'
import { users } from '../../db/schema/tenancy'
import { computedList, type Field, json, longJson, moment, personalField, plainField } from '../../db/sql/field'
import { caller, param } from '../../db/sql/statement'
import type { Attributes } from '../../text/attributes'
import { invitationField } from '../invitations/fields'

export const membershipIsOfUser: SQL = sql`${segmentMembers.subscriptionId} = ${caller.subscription}
  AND ${segmentMembers.userId} = ${users.id}`

// Excludes soft-deleted segments, which keep their members for a restore.
const fromSegmentsOfUser = sql`FROM ${segmentMembers} m
  CROSS JOIN ${segments} s ON s.id = m.segment_id AND s.subscription_id = ${caller.subscription} AND s.deleted_at IS NULL
  WHERE m.subscription_id = ${caller.subscription} AND m.user_id = ${users.id}`
const segmentIdsOfUser = sql`(SELECT json_group_array(id) FROM (SELECT s.id AS id ${fromSegmentsOfUser} ORDER BY m.segment_id))`

const createMemberFields = <A extends Field>(attributes: A) => ({
  id: users.id,
  email: personalField(plainField(users.email), 'email'),
  firstName: personalField(plainField(users.firstName), 'firstName'),
  lastName: personalField(plainField(users.lastName), 'lastName'),
  role: users.role,
  attributes,
  segmentIds: computedList<number>(segmentIdsOfUser),
  invitation: invitationField,
  source: users.source,
  externalId: users.externalId,
  createdAt: moment(users.createdAt),
  updatedAt: moment(users.updatedAt),
})

const memberKeyColumns = { memberId: users.id }
export type MemberKey = Key<typeof memberKeyColumns>

const memberDeclaration = {
  table: users,
  scope: 'workspace' as const,
  key: memberKeyColumns,
  person: users.id,
  fields: createMemberFields(longJson<Attributes>(users.attributes)),
}

export const member = record('member', {
  ...memberDeclaration,
  unique: {
    column: users.email,
    takenMessage: 'Another member has this address. Choose another address, or modify that member.',
  },
})

const callerReadsMail = sql`EXISTS (SELECT 1 FROM json_each(${caller.scopes}) WHERE value IN ('*', 'mail:read'))`
/** No mail leaves for a removed segment. Empty without `mail:read`. */
const suppressionsOfUser = sql`iif(${callerReadsMail}, (SELECT json_group_array(json_object('reason', reason, 'segment', name)) FROM (
  SELECT stop.reason AS reason, s.name AS name FROM ${suppressions} stop
  LEFT JOIN ${segments} s ON s.id = stop.segment_id AND +s.subscription_id = ${caller.subscription} AND s.deleted_at IS NULL
  WHERE stop.subscription_id = ${caller.subscription} AND stop.email = ${users.email}
    AND (stop.segment_id = 0 OR s.id IS NOT NULL) ORDER BY stop.segment_id)), '[]')`

/** Ids of segments mean nothing in another workspace. Rules select the members of dynamic segments. */
export const exportedMember = record('member', {
  ...memberDeclaration,
  fields: {
    ...memberDeclaration.fields,
    suppressed: computedList<{ reason: string; segment: string | null }>(suppressionsOfUser),
    segments: computedList<string>(sql`(SELECT json_group_array(name) FROM (
      SELECT s.name AS name ${fromSegmentsOfUser} AND s.type = 'manual' ORDER BY s.name))`),
  },
})

const personIsLive = sql`u.subscription_id = ${caller.subscription} AND u.deleted_at IS NULL`

/** The member with the id in another system, or the member with the address and without such an id. */
export const memberByExternalId = record('member', {
  ...memberDeclaration,
  key: { source: users.source, externalId: users.externalId },
  keyCondition: sql`${users.id} = coalesce(
    (SELECT u.id FROM ${users} u WHERE ${personIsLive} AND u.source = ${param('source')} AND u.external_id = ${param('externalId')}),
    (SELECT u.id FROM ${users} u WHERE ${personIsLive} AND u.email = ${param('@address')} AND u.external_id IS NULL))`,
})

/** A page of a hundred members is small, hence `json` instead of `longJson`, which counts bytes. */
export const memberFields = createMemberFields(json<Attributes>(users.attributes as SQLiteColumn))
