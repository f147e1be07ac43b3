import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { type Answer, answer } from '../../../db/answer'
import type { Database } from '../../../db/client'
import { invitations } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { caller, inline, param, type Statement, statement, type Values } from '../../../db/statement'
import type { NewMailing } from '../../mail/statements'
import { ofUser } from '../fields'
import { MAX_REINVITED, type ReinviteMembers } from '../schema'
import { carriedBy, invites, mailsInvitations, ofMailing, rested, wantsNoMail } from '../statements'

const isOurs = sql`${users.subscriptionId} = ${caller.subscription}`
const mayBeInvited = sql`${users.deletedAt} IS NULL
  AND NOT EXISTS (SELECT 1 ${ofUser} AND (${invitations.status} = 'accepted' OR NOT (${rested})))`

const given = (by: SQL) => sql`json_each(${param('given')}) g LEFT JOIN ${users} ON ${isOurs} AND ${by} = g.value`
const asked = (by: SQL) =>
  sql`FROM json_each(${param('given')}) g CROSS JOIN ${users} ON ${isOurs} AND ${by} = g.value WHERE ${mayBeInvited}`

const isPending = sql`${invitations.subscriptionId} = ${caller.subscription} AND ${invitations.status} = 'pending'`
const itsUser = sql`CROSS JOIN ${users} ON ${users.id} = ${invitations.userId} AND +${isOurs}`

/** Users invited by this request, followed by users whose invitation could not be sent. */
const pending = sql`(SELECT user_id AS id FROM (
    SELECT * FROM (SELECT user_id FROM ${invitations} WHERE ${ofMailing})
    UNION ALL SELECT * FROM (SELECT user_id FROM ${invitations}
      WHERE ${isPending} AND ${invitations.mailing} <> ${param('@mailing')} ORDER BY ${invitations.sentAt} LIMIT ${inline(MAX_REINVITED)}))
  LIMIT ${inline(MAX_REINVITED)}) g CROSS JOIN ${users} ON ${users.id} = g.id AND +${isOurs} AND ${users.deletedAt} IS NULL`

export interface Reinvited {
  /** The submitted id or email address; null if the request asked for all. */
  given: string | number | null
  outcome: 'sent' | 'unknown' | 'unwanted' | 'accepted' | 'early'
  /** Milliseconds since 1970 of the last invitation. */
  sentAt: number | null
  at: number
  id: number | null
  email: string | null
  role: string | null
  firstName: string | null
  createdAt: number | null
  updatedAt: number | null
}

const its = (value: SQL) => sql`(SELECT ${value} ${ofUser})`

const results = (value: SQL, from: SQL): ((values: Values) => Answer<Reinvited>) =>
  answer<Reinvited, Values>(
    {
      given: value,
      outcome: sql`CASE WHEN ${users.id} IS NULL OR ${users.deletedAt} IS NOT NULL THEN 'unknown'
        WHEN EXISTS (SELECT 1 ${ofUser} AND ${invitations.mailing} = ${param('@mailing')}) THEN 'sent'
        WHEN ${wantsNoMail} THEN 'unwanted' WHEN ${its(sql`${invitations.status}`)} = 'accepted' THEN 'accepted' ELSE 'early' END`,
      sentAt: its(sql`${invitations.sentAt}`),
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

const byId = { invite: invites(asked(sql`${users.id}`)), results: results(sql`g.value`, given(sql`${users.id}`)) }
const byEmail = {
  invite: invites(asked(sql`${users.email}`)),
  results: results(sql`g.value`, given(sql`${users.email}`)),
}
const all = {
  invite: invites(
    sql`FROM ${invitations} ${itsUser} WHERE ${isPending} AND ${rested} AND ${users.deletedAt} IS NULL`,
    sql`ORDER BY ${invitations.sentAt} LIMIT ${inline(MAX_REINVITED)}`,
  ),
  results: results(sql`NULL`, pending),
}

const raised = statement<never, Values>(sql`UPDATE ${users} SET version = version + 1, updated_at = ${caller.now}
  WHERE ${users.id} IN (SELECT ${invitations.userId} FROM ${invitations} WHERE ${ofMailing}) AND +${isOurs}`)

/** Sends invitations again, or for the first time, and returns the outcome for each user. */
export async function reinvite(
  db: Database,
  { userIds, emails }: z.output<typeof ReinviteMembers>,
  letter: NewMailing,
): Promise<readonly Reinvited[]> {
  const whom = userIds ? byId : emails ? byEmail : all
  const values = { ...carriedBy(letter), given: JSON.stringify([...new Set<string | number>(userIds ?? emails ?? [])]) }
  const statements: Statement<never>[] = [whom.invite(letter, values), raised(values), ...mailsInvitations(letter)]
  return (await db.write({ statements, answer: whom.results(values) })).answer
}
