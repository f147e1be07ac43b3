import { sql } from 'drizzle-orm'
import type { Store } from '../../db/client/client'
import { invitations } from '../../db/schema/segments-and-mail'
import { subscriptions, users } from '../../db/schema/tenancy'
import { caller, directlyAfter, param, statement, type Values } from '../../db/sql/statement'
import type { InvitationLink } from '../../http/link-token'
import { workspaceEraseAt } from '../../workspace/erasure/statements'
import { invitationStatus } from '../invitations/fields'
import { invitationPurpose } from '../invitations/statements'
import { member } from '../members/fields'

const invitationIsOfLink = sql`${invitations.subscriptionId} = ${caller.subscription} AND ${invitations.userId} = ${param('userId')}
  AND ${invitations.round} = ${param('round')}`

const userIsInvitee = sql`${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${param('userId')}
  AND ${users.addressRound} = ${param('addressRound')} AND ${users.deletedAt} IS NULL AND ${workspaceEraseAt} IS NULL`

export interface InvitationState {
  status: 'pending' | 'accepted' | 'expired' | 'canceled'
  email: string
  workspace: string
  purpose: string
  /** A person of the team, who signs in to the console. */
  isOfTeam: 0 | 1
}

const selectInvitationState = statement<
  InvitationState,
  Values
>(sql`SELECT ${invitationStatus} AS "status", ${users.email} AS "email",
    ${subscriptions.name} AS "workspace", ${invitationPurpose} AS "purpose",
    ${users.role} <> 'idm_member' AS "isOfTeam"
  FROM ${invitations} CROSS JOIN ${users} ON ${userIsInvitee}
    CROSS JOIN ${subscriptions} ON ${subscriptions.id} = ${caller.subscription} WHERE ${invitationIsOfLink}`)

const markInvitationAccepted = statement<never, Values>(sql`UPDATE ${invitations} SET status = 'accepted'
  WHERE ${invitationIsOfLink} AND ${invitationStatus} = 'pending' AND EXISTS (SELECT 1 FROM ${users} WHERE ${userIsInvitee})`)
const incrementInviteeVersion = statement<
  never,
  Values
>(sql`UPDATE ${users} SET version = version + 1, updated_at = ${caller.now}
  WHERE ${userIsInvitee} AND changes() > 0`)
const emitMemberJoined = member.emit('joined', sql`${userIsInvitee} AND changes() > 0`)

export async function findInvitation(
  store: Store,
  { subscriptionId, ...link }: InvitationLink,
): Promise<InvitationState | undefined> {
  const [[found]] = await store.batch(subscriptionId, selectInvitationState(link))
  return found
}

export async function acceptInvitation(
  store: Store,
  { subscriptionId, ...link }: InvitationLink,
): Promise<InvitationState | undefined> {
  const [accepts, raises] = [markInvitationAccepted(link), incrementInviteeVersion(link)]
  const statements = [accepts, directlyAfter(accepts, raises), directlyAfter(raises, emitMemberJoined(link))] as const
  const [, , , [found]] = await store.batch(subscriptionId, ...statements, selectInvitationState(link))
  return found
}
