import { sql } from 'drizzle-orm'
import type { Store } from '../../db/client'
import { invitations } from '../../db/schema/segments-and-mail'
import { subscriptions, users } from '../../db/schema/tenancy'
import { caller, directlyAfter, param, statement, type Values } from '../../db/statement'
import type { InvitationLink } from '../../http/token'
import { invitationStatus } from '../invitations/fields'
import { purposeOfUser } from '../invitations/statements'
import { member } from '../members/fields'

const linked = sql`${invitations.subscriptionId} = ${caller.subscription} AND ${invitations.userId} = ${param('userId')}
  AND ${invitations.round} = ${param('round')}`

const invitee = sql`${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${param('userId')}
  AND ${users.deletedAt} IS NULL`

export interface Standing {
  status: 'pending' | 'accepted' | 'expired' | 'canceled'
  email: string
  workspace: string
  purpose: string
}

const standing = statement<Standing, Values>(sql`SELECT ${invitationStatus} AS "status", ${users.email} AS "email",
    ${subscriptions.name} AS "workspace", ${purposeOfUser} AS "purpose"
  FROM ${invitations} CROSS JOIN ${users} ON ${invitee}
    CROSS JOIN ${subscriptions} ON ${subscriptions.id} = ${caller.subscription} WHERE ${linked}`)

const accepted = statement<never, Values>(sql`UPDATE ${invitations} SET status = 'accepted'
  WHERE ${linked} AND ${invitationStatus} = 'pending' AND EXISTS (SELECT 1 FROM ${users} WHERE ${invitee})`)
const raised = statement<never, Values>(sql`UPDATE ${users} SET version = version + 1, updated_at = ${caller.now}
  WHERE ${invitee} AND changes() > 0`)
const joined = member.event('joined', sql`${invitee} AND changes() > 0`)

/** Reads the invitation of a link; returns undefined if the invitation is canceled or the member is removed. */
export async function follow(store: Store, { subscriptionId, ...link }: InvitationLink): Promise<Standing | undefined> {
  const [[found]] = await store.batch(subscriptionId, standing(link))
  return found
}

/** Accepts an open invitation and returns the resulting state. Idempotent. */
export async function accept(store: Store, { subscriptionId, ...link }: InvitationLink): Promise<Standing | undefined> {
  const [accepts, raises] = [accepted(link), raised(link)]
  const statements = [accepts, directlyAfter(accepts, raises), directlyAfter(raises, joined(link))] as const
  const [, , , [found]] = await store.batch(subscriptionId, ...statements, standing(link))
  return found
}
