import { sql } from 'drizzle-orm'
import type { Store } from '../../db/client/client'
import { invitations } from '../../db/schema/segments-and-mail'
import { subscriptions, users } from '../../db/schema/tenancy'
import { caller, directlyAfter, param, statement, type Values } from '../../db/sql/statement'
import type { InvitationLink } from '../../http/token'
import { invitationStatus } from '../invitations/fields'
import { invitationPurpose } from '../invitations/statements'
import { member } from '../members/fields'

const isLinkedInvitation = sql`${invitations.subscriptionId} = ${caller.subscription} AND ${invitations.userId} = ${param('userId')}
  AND ${invitations.round} = ${param('round')}`

const isInvitee = sql`${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${param('userId')}
  AND ${users.deletedAt} IS NULL`

export interface InvitationState {
  status: 'pending' | 'accepted' | 'expired' | 'canceled'
  email: string
  workspace: string
  purpose: string
}

const selectState = statement<
  InvitationState,
  Values
>(sql`SELECT ${invitationStatus} AS "status", ${users.email} AS "email",
    ${subscriptions.name} AS "workspace", ${invitationPurpose} AS "purpose"
  FROM ${invitations} CROSS JOIN ${users} ON ${isInvitee}
    CROSS JOIN ${subscriptions} ON ${subscriptions.id} = ${caller.subscription} WHERE ${isLinkedInvitation}`)

const markAccepted = statement<never, Values>(sql`UPDATE ${invitations} SET status = 'accepted'
  WHERE ${isLinkedInvitation} AND ${invitationStatus} = 'pending' AND EXISTS (SELECT 1 FROM ${users} WHERE ${isInvitee})`)
const incrementVersion = statement<
  never,
  Values
>(sql`UPDATE ${users} SET version = version + 1, updated_at = ${caller.now}
  WHERE ${isInvitee} AND changes() > 0`)
const emitJoined = member.emit('joined', sql`${isInvitee} AND changes() > 0`)

export async function findInvitation(
  store: Store,
  { subscriptionId, ...link }: InvitationLink,
): Promise<InvitationState | undefined> {
  const [[found]] = await store.batch(subscriptionId, selectState(link))
  return found
}

export async function acceptInvitation(
  store: Store,
  { subscriptionId, ...link }: InvitationLink,
): Promise<InvitationState | undefined> {
  const [accepts, raises] = [markAccepted(link), incrementVersion(link)]
  const statements = [accepts, directlyAfter(accepts, raises), directlyAfter(raises, emitJoined(link))] as const
  const [, , , [found]] = await store.batch(subscriptionId, ...statements, selectState(link))
  return found
}
