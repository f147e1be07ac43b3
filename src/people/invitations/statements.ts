import { type SQL, sql } from 'drizzle-orm'
import { emitEventsOfMany } from '../../db/records/set-events'
import { invitations, suppressions } from '../../db/schema/segments-and-mail'
import { subscriptions, users } from '../../db/schema/tenancy'
import { caller, inline, insertInto, param, type Statement, statement, type Values } from '../../db/sql/statement'
import { createMailStatements, type NewMailing } from '../mail/statements'
import { INVITATION_COOLDOWN_MS, INVITATION_PURPOSES, INVITATION_TTL_MS } from './invitation-mail'

// Without the hint, SQLite reads all invitations of the workspace in order of the result.
const MAILING_INDEX_HINT = sql.raw('INDEXED BY invitations_mailing')

export const invitationIsOfMailing = sql`${invitations.subscriptionId} = ${caller.subscription} AND ${invitations.mailing} = ${param('@mailing')}`

/** Removing and adding a user does not reset the cooldown. */
export const invitationHasCooledDown = sql`${invitations.sentAt} <= ${caller.now} - ${inline(INVITATION_COOLDOWN_MS)}`

export const userIsSuppressed = sql`EXISTS (SELECT 1 FROM ${suppressions} WHERE ${suppressions.subscriptionId} = ${caller.subscription}
  AND ${suppressions.email} = ${users.email} AND ${suppressions.segmentId} = 0)`

const invitationIsPending = sql`${invitations.status} = 'pending'`

/**
 * Resends a pending invitation, and restarts any other with a new round, which invalidates earlier links.
 * Put the statement before the statements of the mailing.
 */
export const upsertInvitations = (source: SQL, orderAndLimit = sql``) =>
  insertInto(
    invitations,
    {
      subscriptionId: caller.subscription,
      userId: users.id,
      status: sql`'pending'`,
      sentAt: caller.now,
      expiresAt: sql`${caller.now} + ${inline(INVITATION_TTL_MS)}`,
      mailing: param('@mailing'),
    },
    sql`${source} AND NOT ${userIsSuppressed} ${orderAndLimit}
      ON CONFLICT (subscription_id, user_id) DO UPDATE SET status = 'pending', sent_at = excluded.sent_at,
        expires_at = excluded.expires_at, mailing = excluded.mailing, round = round + NOT (${invitationIsPending}),
        resend_count = iif(${invitationIsPending}, resend_count + 1, 0) WHERE ${invitationHasCooledDown}`,
  )

const workspaceName = sql`(SELECT ${subscriptions.name} FROM ${subscriptions} WHERE ${subscriptions.id} = ${caller.subscription})`

export const invitationPurpose = sql`iif(${users.role} = 'idm_member', ${inline(INVITATION_PURPOSES.member)}, ${inline(INVITATION_PURPOSES.user)})`

const acceptInvitationMailing = createMailStatements(
  'invitation',
  sql`SELECT ${invitations.userId} AS "userId", json_object('invitation', ${invitations.userId} || '-' || ${invitations.round},
      'purpose', (SELECT ${invitationPurpose} FROM ${users} WHERE ${users.id} = ${invitations.userId}
        AND +${users.subscriptionId} = ${caller.subscription})) AS "variables"
    FROM ${invitations} ${MAILING_INDEX_HINT} WHERE ${invitationIsOfMailing}`,
  { sharedVariables: sql`json_object('workspace', ${workspaceName})` },
)

const emitMemberInvited = statement<never, Values>(
  emitEventsOfMany(
    { type: 'member.invited', key: sql`CASE count WHEN 1 THEN list ->> '$[0]' ELSE '' END` },
    'userIds',
    sql`SELECT '' AS owner, ${invitations.userId} AS member FROM ${invitations} ${MAILING_INDEX_HINT} WHERE ${invitationIsOfMailing}`,
  ),
)

export const bindInvitationMailing = ({ randomName }: NewMailing): Values => ({ '@mailing': randomName })

export const sendInvitations = (mailing: NewMailing): Statement<never>[] => {
  const values = bindInvitationMailing(mailing)
  return [emitMemberInvited(values), ...acceptInvitationMailing(mailing, values)]
}

export function createInviteStatement(
  source: SQL,
  orderAndLimit?: SQL,
): (letter: NewMailing, values: Values) => Statement<never> {
  const make = statement<never, Values>(() => upsertInvitations(source, orderAndLimit))
  return (letter, values) => make({ ...values, ...bindInvitationMailing(letter) })
}

export const createInvitationCancellation = (user: SQL): ((key: Values) => Statement<never>) =>
  statement<never, Values>(sql`UPDATE ${invitations} SET status = 'canceled'
    WHERE ${invitations.subscriptionId} = ${caller.subscription} AND ${invitations.userId} = ${user} AND ${invitationIsPending}`)
