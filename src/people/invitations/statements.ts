import { type SQL, sql } from 'drizzle-orm'
import { eventSql } from '../../db/events'
import { invitations, suppressions } from '../../db/schema/segments-and-mail'
import { subscriptions, users } from '../../db/schema/tenancy'
import { caller, inline, insertInto, param, type Statement, statement, type Values } from '../../db/statement'
import { mails, type NewMailing } from '../mail/statements'
import { COOLDOWN, PURPOSE, VALID } from './letter'

// Without the hint, SQLite reads all invitations of the workspace in order of the result.
const BY_MAILING = sql.raw('INDEXED BY invitations_mailing')

/** Invitations that a mailing carries; `@mailing` is the random name of the mailing. */
export const ofMailing = sql`${invitations.subscriptionId} = ${caller.subscription} AND ${invitations.mailing} = ${param('@mailing')}`

/**
 * Whether the cooldown since the last invitation has passed. Removing and adding a user does not reset the cooldown.
 */
export const rested = sql`${invitations.sentAt} <= ${caller.now} - ${inline(COOLDOWN)}`

/** Whether a row of `users` is suppressed for all mail of the workspace. */
export const wantsNoMail = sql`EXISTS (SELECT 1 FROM ${suppressions} WHERE ${suppressions.subscriptionId} = ${caller.subscription}
  AND ${suppressions.email} = ${users.email} AND ${suppressions.segmentId} = 0)`

const isPending = sql`${invitations.status} = 'pending'`

/**
 * Invites rows of `users`, selected by `FROM … WHERE …`. Sends a pending invitation again; restarts any other
 * invitation with a new round, which invalidates earlier links. Put the statement before the mailing's statements, with
 * the same values.
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

export const carriedBy = ({ randomName }: NewMailing): Values => ({ '@mailing': randomName })

/** Emits `member.invited` for the invitations of a mailing, and accepts the mailing. */
export const mailsInvitations = (letter: NewMailing): Statement<never>[] => {
  const values = carriedBy(letter)
  return [told(values), ...mailed(letter, values)]
}

/** Compiles the upsert once, and binds the mailing. */
export function invites(who: SQL, most?: SQL): (letter: NewMailing, values: Values) => Statement<never> {
  const make = statement<never, Values>(() => invite(who, most))
  return (letter, values) => make({ ...values, ...carriedBy(letter) })
}

export const cancelInvitation = (user: SQL): ((key: Values) => Statement<never>) =>
  statement<never, Values>(sql`UPDATE ${invitations} SET status = 'canceled'
    WHERE ${invitations.subscriptionId} = ${caller.subscription} AND ${invitations.userId} = ${user} AND ${isPending}`)
