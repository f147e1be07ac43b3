import { sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { segmentConfirmations, segments, suppressions } from '../../../db/schema/segments-and-mail'
import { subscriptions, users } from '../../../db/schema/tenancy'
import { caller, param, statement, statements } from '../../../db/sql/statement'
import type { ConfirmationLink } from '../../../http/link-token'
import { emitMembershipChanges } from '../../segments/statements'
import { confirmationIsOf, joinAskingSegment } from '../statements'

type LinkValues = { segmentId: number; userId: number; addressRound: number }

const isOfLink = confirmationIsOf(sql`${param('segmentId')}`, sql`${param('userId')}`)
const fromConfirmation = sql`FROM ${segmentConfirmations} ${joinAskingSegment}
  WHERE ${isOfLink} AND ${users.addressRound} = ${param('addressRound')}`

interface ConfirmationRow {
  workspace: string
  segment: string
  email: string
  isConfirmed: 0 | 1
  isSuppressed: 0 | 1
}

const selectConfirmation = statement<
  ConfirmationRow,
  LinkValues
>(sql`SELECT ${segments.name} AS "segment", ${users.email} AS "email",
    (SELECT ${subscriptions.name} FROM ${subscriptions} WHERE ${subscriptions.id} = ${caller.subscription}) AS "workspace",
    ${segmentConfirmations.status} = 'confirmed' AS "isConfirmed",
    EXISTS (SELECT 1 FROM ${suppressions} WHERE ${suppressions.subscriptionId} = ${caller.subscription}
      AND ${suppressions.email} = ${users.email} AND ${suppressions.segmentId} IN (0, ${segments.id})) AS "isSuppressed"
  ${fromConfirmation}`)

export async function findConfirmation(store: Store, { subscriptionId, ...link }: ConfirmationLink) {
  const [[row]] = await store.batch(subscriptionId, selectConfirmation(link))
  return row
}

const fromPending = sql`${fromConfirmation} AND ${segmentConfirmations.status} = 'pending'`
const confirm = statements([
  emitMembershipChanges(
    'segment.users_confirmed',
    sql`SELECT ${segmentConfirmations.segmentId} AS segment_id, ${segmentConfirmations.userId} AS user_id ${fromPending}`,
  ),
  sql`UPDATE ${segmentConfirmations} SET status = 'confirmed', confirmed_at = ${caller.now}, due_at = NULL
    WHERE ${isOfLink} AND EXISTS (SELECT 1 ${fromPending})`,
])

export async function confirmMembership(store: Store, { subscriptionId, ...link }: ConfirmationLink) {
  const [row] = (await store.batch(subscriptionId, ...confirm(link), selectConfirmation(link))).at(
    -1,
  ) as ConfirmationRow[]
  return row
}
