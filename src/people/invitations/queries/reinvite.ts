import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { invitations } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { type Returning, returning } from '../../../db/sql/returning'
import { caller, inline, param, type Statement, statement, type Values } from '../../../db/sql/statement'
import type { NewMailing } from '../../mail/statements'
import { fromInvitationOfUser } from '../fields'
import { MAX_REINVITED, type ReinviteMembers } from '../schema'
import {
  hasCooledDown,
  inviteStatement,
  isOfMailing,
  isSuppressed,
  mailingValues,
  sendInvitations,
} from '../statements'

const isOfTenant = sql`${users.subscriptionId} = ${caller.subscription}`
const canBeInvited = sql`${users.deletedAt} IS NULL
  AND NOT EXISTS (SELECT 1 ${fromInvitationOfUser} AND (${invitations.status} = 'accepted' OR NOT (${hasCooledDown})))`

const requestedUsers = (by: SQL) =>
  sql`json_each(${param('given')}) g LEFT JOIN ${users} ON ${isOfTenant} AND ${by} = g.value`
const fromInvitableUsers = (by: SQL) =>
  sql`FROM json_each(${param('given')}) g CROSS JOIN ${users} ON ${isOfTenant} AND ${by} = g.value WHERE ${canBeInvited}`

const isPendingInvitation = sql`${invitations.subscriptionId} = ${caller.subscription} AND ${invitations.status} = 'pending'`
const joinInvitedUser = sql`CROSS JOIN ${users} ON ${users.id} = ${invitations.userId} AND +${isOfTenant}`

const pendingUsers = sql`(SELECT user_id AS id FROM (
    SELECT * FROM (SELECT user_id FROM ${invitations} WHERE ${isOfMailing})
    UNION ALL SELECT * FROM (SELECT user_id FROM ${invitations}
      WHERE ${isPendingInvitation} AND ${invitations.mailing} <> ${param('@mailing')} ORDER BY ${invitations.sentAt} LIMIT ${inline(MAX_REINVITED)}))
  LIMIT ${inline(MAX_REINVITED)}) g CROSS JOIN ${users} ON ${users.id} = g.id AND +${isOfTenant} AND ${users.deletedAt} IS NULL`

export interface ReinviteResult {
  given: string | number | null
  outcome: 'sent' | 'unknown' | 'unwanted' | 'accepted' | 'early'
  sentAt: number | null
  at: number
  id: number | null
  email: string | null
  role: string | null
  firstName: string | null
  createdAt: number | null
  updatedAt: number | null
}

const invitationValue = (value: SQL) => sql`(SELECT ${value} ${fromInvitationOfUser})`

const returningResults = (value: SQL, from: SQL): ((values: Values) => Returning<ReinviteResult>) =>
  returning<ReinviteResult, Values>(
    {
      given: value,
      outcome: sql`CASE WHEN ${users.id} IS NULL OR ${users.deletedAt} IS NOT NULL THEN 'unknown'
        WHEN EXISTS (SELECT 1 ${fromInvitationOfUser} AND ${invitations.mailing} = ${param('@mailing')}) THEN 'sent'
        WHEN ${isSuppressed} THEN 'unwanted' WHEN ${invitationValue(sql`${invitations.status}`)} = 'accepted' THEN 'accepted' ELSE 'early' END`,
      sentAt: invitationValue(sql`${invitations.sentAt}`),
      at: caller.now,
      id: users.id,
      email: users.email,
      role: users.role,
      firstName: users.firstName,
      createdAt: users.createdAt,
      updatedAt: users.updatedAt,
    },
    sql`FROM ${from}`,
  )

const byId = {
  invite: inviteStatement(fromInvitableUsers(sql`${users.id}`)),
  results: returningResults(sql`g.value`, requestedUsers(sql`${users.id}`)),
}
const byEmail = {
  invite: inviteStatement(fromInvitableUsers(sql`${users.email}`)),
  results: returningResults(sql`g.value`, requestedUsers(sql`${users.email}`)),
}
const all = {
  invite: inviteStatement(
    sql`FROM ${invitations} ${joinInvitedUser} WHERE ${isPendingInvitation} AND ${hasCooledDown} AND ${users.deletedAt} IS NULL`,
    sql`ORDER BY ${invitations.sentAt} LIMIT ${inline(MAX_REINVITED)}`,
  ),
  results: returningResults(sql`NULL`, pendingUsers),
}

const incrementVersions = statement<
  never,
  Values
>(sql`UPDATE ${users} SET version = version + 1, updated_at = ${caller.now}
  WHERE ${users.id} IN (SELECT ${invitations.userId} FROM ${invitations} WHERE ${isOfMailing}) AND +${isOfTenant}`)

export async function reinviteUsers(
  db: Database,
  { userIds, emails }: z.output<typeof ReinviteMembers>,
  mailing: NewMailing,
): Promise<readonly ReinviteResult[]> {
  const source = userIds ? byId : emails ? byEmail : all
  const values = {
    ...mailingValues(mailing),
    given: JSON.stringify([...new Set<string | number>(userIds ?? emails ?? [])]),
  }
  const statements: Statement<never>[] = [
    source.invite(mailing, values),
    incrementVersions(values),
    ...sendInvitations(mailing),
  ]
  return (await db.write({ statements, returning: source.results(values) })).rows
}
