import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { type Field, momentJson } from '../../db/field'
import { invitations } from '../../db/schema/segments-and-mail'
import { users } from '../../db/schema/tenancy'
import { caller } from '../../db/statement'
import type { Invitation } from './schema'

/** The status of an invitation; pending invitations expire. */
export const invitationStatus = sql`CASE WHEN ${invitations.status} = 'pending' AND ${invitations.expiresAt} <= ${caller.now}
  THEN 'expired' ELSE ${invitations.status} END`

export const ofUser = sql`FROM ${invitations} WHERE ${invitations.subscriptionId} = ${caller.subscription}
  AND ${invitations.userId} = ${users.id}`

const value = sql`(SELECT json_object('status', ${invitationStatus}, 'sentAt', ${momentJson(invitations.sentAt)},
  'expiresAt', ${momentJson(invitations.expiresAt)}, 'resendCount', ${invitations.resendCount}) ${ofUser})`

type Shown = z.output<typeof Invitation> | null

/** Null if the user was never invited. */
export const invitation: Field<string | null, Shown, never> = {
  sql: value,
  show: (stored) => (stored === null ? null : (JSON.parse(stored) as Shown)),
  json: () => sql`json(${value})`,
}
