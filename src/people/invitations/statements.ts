import { type SQL, sql } from 'drizzle-orm'
import { eventSql } from '../../db/events'
import { invitations, suppressions } from '../../db/schema/segments-and-mail'
import { subscriptions, users } from '../../db/schema/tenancy'
import { caller, inline, insertInto, param, type Statement, statement, type Values } from '../../db/statement'
import { mails, type NewMailing } from '../mail/statements'
import { COOLDOWN, PURPOSE, VALID } from './letter'

// Left to itself, SQLite walks all invitations of the workspace for their order.
const BY_MAILING = sql.raw('INDEXED BY invitations_mailing')

/** Invitations that a mailing carries: those of this batch. */
export const ofMailing = sql`${invitations.subscriptionId} = ${caller.subscription} AND ${invitations.mailing} = ${param('@mailing')}`

/** Whether an invitation may be sent again by now: nobody gets one every minute, also not by being made and removed. */
export const rested = sql`${invitations.sentAt} <= ${caller.now} - ${inline(COOLDOWN)}`

/** Whether a row of `users` gets no mail of the workspace at all. */
export const wantsNoMail = sql`EXISTS (SELECT 1 FROM ${suppressions} WHERE ${suppressions.subscriptionId} = ${caller.subscription}
  AND ${suppressions.email} = ${users.email} AND ${suppressions.segmentId} = 0)`

const isPending = sql`${invitations.status} = 'pending'`

/**
 * Invites rows of `users`: `who` is `FROM … WHERE …`. An invitation that is pending is sent again; any other begins anew,
 * and links of before lead nowhere. It stands before `mailsInvitations`, whose values it is given.
 */
export const invite = (who: SQL, most = sql``) =>
  insertInto(
    invitations,
    {
      subscriptionId: caller.subscription,
      userId: users.id,
      status: sql`'pending'`,
      sentAt: caller.now,
      expiresAt: sql`${caller.now} + ${inline(VALID)}`,
      mailing: param('@mailing'),
    },
    sql`${who} AND NOT ${wantsNoMail} ${most}
      ON CONFLICT (subscription_id, user_id) DO UPDATE SET status = 'pending', sent_at = excluded.sent_at,
        expires_at = excluded.expires_at, mailing = excluded.mailing, round = round + NOT (${isPending}),
        resend_count = iif(${isPending}, resend_count + 1, 0) WHERE ${rested}`,
  )

const workspace = sql`(SELECT ${subscriptions.name} FROM ${subscriptions} WHERE ${subscriptions.id} = ${caller.subscription})`

/** SQL: why the workspace invites a row of `users`. */
export const purposeOfUser = sql`iif(${users.role} = 'idm_member', ${inline(PURPOSE.member)}, ${inline(PURPOSE.user)})`

const mailed = mails(
  'invitation',
  sql`SELECT ${invitations.userId} AS "userId", json_object('invitation', ${invitations.userId} || '-' || ${invitations.round},
      'purpose', (SELECT ${purposeOfUser} FROM ${users} WHERE ${users.id} = ${invitations.userId}
        AND +${users.subscriptionId} = ${caller.subscription})) AS "variables"
    FROM ${invitations} ${BY_MAILING} WHERE ${ofMailing}`,
  { everyone: sql`json_object('workspace', ${workspace})` },
)

const told = statement<never, Values>(
  eventSql({
    type: 'member.invited',
    key: sql`CASE n WHEN 1 THEN CAST(first AS TEXT) ELSE '' END`,
    data: sql`json_object('count', n)`,
    from: sql`FROM (SELECT count(*) AS n, min(${invitations.userId}) AS first FROM ${invitations} ${BY_MAILING} WHERE ${ofMailing}) WHERE n > 0`,
  }),
)

/** What statements on the invitations that a mailing carries are given. */
export const carriedBy = ({ randomName }: NewMailing): Values => ({ '@mailing': randomName })

/** Tells of the invitations that a mailing carries, and sends it. */
export const mailsInvitations = (letter: NewMailing): Statement<never>[] => {
  const values = carriedBy(letter)
  return [told(values), ...mailed(letter, values)]
}

/** Makes the statement of that. */
export function invites(who: SQL, most?: SQL): (letter: NewMailing, values: Values) => Statement<never> {
  const make = statement<never, Values>(() => invite(who, most))
  return (letter, values) => make({ ...values, ...carriedBy(letter) })
}

/** Makes the statement that takes back the invitation of a user who is removed. */
export const cancelInvitation = (user: SQL): ((key: Values) => Statement<never>) =>
  statement<never, Values>(sql`UPDATE ${invitations} SET status = 'canceled'
    WHERE ${invitations.subscriptionId} = ${caller.subscription} AND ${invitations.userId} = ${user} AND ${isPending}`)
