import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { invitations } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { type Returning, returning } from '../../../db/sql/returning'
import { caller, inline, param, type Statement, statement, type Values } from '../../../db/sql/statement'
import type { NewMailing } from '../../mail/statements'
import { fromInvitationOfUser } from '../fields'
import { MAX_REINVITED_MEMBERS, type ReinviteMembers } from '../schema'
import {
  bindInvitationMailing,
  createInviteStatement,
  invitationHasCooledDown,
  invitationIsOfMailing,
  sendInvitations,
  userIsSuppressed,
} from '../statements'

const userIsOfTenant = sql`${users.subscriptionId} = ${caller.subscription}`
const userCanBeInvited = sql`${users.deletedAt} IS NULL
  AND NOT EXISTS (SELECT 1 ${fromInvitationOfUser} AND (${invitations.status} = 'accepted' OR NOT (${invitationHasCooledDown})))`

const fromRequestedUsers = (by: SQL) =>
  sql`json_each(${param('given')}) g LEFT JOIN ${users} ON ${userIsOfTenant} AND ${by} = g.value`
const fromInvitableUsers = (by: SQL) =>
  sql`FROM json_each(${param('given')}) g CROSS JOIN ${users} ON ${userIsOfTenant} AND ${by} = g.value WHERE ${userCanBeInvited}`

const invitationIsPending = sql`${invitations.subscriptionId} = ${caller.subscription} AND ${invitations.status} = 'pending'`
const joinInvitedUser = sql`CROSS JOIN ${users} ON ${users.id} = ${invitations.userId} AND +${userIsOfTenant}`

const fromPendingInvitees = sql`(SELECT user_id AS id FROM (
    SELECT * FROM (SELECT user_id FROM ${invitations} WHERE ${invitationIsOfMailing})
    UNION ALL SELECT * FROM (SELECT user_id FROM ${invitations}
      WHERE ${invitationIsPending} AND ${invitations.mailing} <> ${param('@mailing')} ORDER BY ${invitations.sentAt} LIMIT ${inline(MAX_REINVITED_MEMBERS)}))
  LIMIT ${inline(MAX_REINVITED_MEMBERS)}) g CROSS JOIN ${users} ON ${users.id} = g.id AND +${userIsOfTenant} AND ${users.deletedAt} IS NULL`

export interface ReinviteResult {
  submitted: string | number | null
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

const selectInvitationValue = (value: SQL) => sql`(SELECT ${value} ${fromInvitationOfUser})`

const returningReinviteResults = (value: SQL, from: SQL): ((values: Values) => Returning<ReinviteResult>) =>
  returning<ReinviteResult, Values>(
    {
      submitted: value,
      outcome: sql`CASE WHEN ${users.id} IS NULL OR ${users.deletedAt} IS NOT NULL THEN 'unknown'
        WHEN EXISTS (SELECT 1 ${fromInvitationOfUser} AND ${invitations.mailing} = ${param('@mailing')}) THEN 'sent'
        WHEN ${userIsSuppressed} THEN 'unwanted' WHEN ${selectInvitationValue(sql`${invitations.status}`)} = 'accepted' THEN 'accepted' ELSE 'early' END`,
      sentAt: selectInvitationValue(sql`${invitations.sentAt}`),
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

const reinviteStatementsById = {
  invite: createInviteStatement(fromInvitableUsers(sql`${users.id}`)),
  results: returningReinviteResults(sql`g.value`, fromRequestedUsers(sql`${users.id}`)),
}
const reinviteStatementsByEmail = {
  invite: createInviteStatement(fromInvitableUsers(sql`${users.email}`)),
  results: returningReinviteResults(sql`g.value`, fromRequestedUsers(sql`${users.email}`)),
}
const reinviteAllStatements = {
  invite: createInviteStatement(
    sql`FROM ${invitations} ${joinInvitedUser} WHERE ${invitationIsPending} AND ${invitationHasCooledDown} AND ${users.deletedAt} IS NULL`,
    sql`ORDER BY ${invitations.sentAt} LIMIT ${inline(MAX_REINVITED_MEMBERS)}`,
  ),
  results: returningReinviteResults(sql`NULL`, fromPendingInvitees),
}

const incrementInviteeVersions = statement<
  never,
  Values
>(sql`UPDATE ${users} SET version = version + 1, updated_at = ${caller.now}
  WHERE ${users.id} IN (SELECT ${invitations.userId} FROM ${invitations} WHERE ${invitationIsOfMailing}) AND +${userIsOfTenant}`)

export async function reinviteUsers(
  db: Database,
  { userIds, emails }: z.output<typeof ReinviteMembers>,
  mailing: NewMailing,
): Promise<readonly ReinviteResult[]> {
  const source = userIds ? reinviteStatementsById : emails ? reinviteStatementsByEmail : reinviteAllStatements
  const values = {
    ...bindInvitationMailing(mailing),
    given: JSON.stringify([...new Set<string | number>(userIds ?? emails ?? [])]),
  }
  const statements: Statement<never>[] = [
    source.invite(mailing, values),
    incrementInviteeVersions(values),
    ...sendInvitations(mailing),
  ]
  return (await db.write({ statements, returning: source.results(values) })).rows
}
