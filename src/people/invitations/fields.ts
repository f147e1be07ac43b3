import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { invitations } from '../../db/schema/segments-and-mail'
import { users } from '../../db/schema/tenancy'
import { type Field, momentJson } from '../../db/sql/field'
import { caller } from '../../db/sql/statement'
import type { Invitation } from './schema'

export const invitationStatus = sql`CASE WHEN ${invitations.status} = 'pending' AND ${invitations.expiresAt} <= ${caller.now}
  THEN 'expired' ELSE ${invitations.status} END`

export const fromInvitationOfUser = sql`FROM ${invitations} WHERE ${invitations.subscriptionId} = ${caller.subscription}
  AND ${invitations.userId} = ${users.id}`

const invitationJson = sql`(SELECT json_object('status', ${invitationStatus}, 'sentAt', ${momentJson(invitations.sentAt)},
  'expiresAt', ${momentJson(invitations.expiresAt)}, 'resendCount', ${invitations.resendCount}) ${fromInvitationOfUser})`

type ShownInvitation = z.output<typeof Invitation> | null

export const invitationField: Field<string | null, ShownInvitation, never> = {
  sql: invitationJson,
  show: (stored) => (stored === null ? null : (JSON.parse(stored) as ShownInvitation)),
  json: () => sql`json(${invitationJson})`,
}
