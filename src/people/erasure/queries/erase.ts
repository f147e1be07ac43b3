import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { guard } from '../../../db/client/refuse'
import { RESTORE_TTL_MS, returningDone } from '../../../db/records/lifecycle'
import { erasures } from '../../../db/schema/erasures'
import { suppressions } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { assignments, caller, inline, insertInto, param, statement, statements } from '../../../db/sql/statement'
import { revokeKeysOfUser } from '../../../workspace/keys/statements'
import { createOnlyOwnerGuard, createStrongerPersonGuard, isOnlyOwner } from '../../../workspace/users/statements'
import { createInvitationCancellation } from '../../invitations/statements'
import { type MemberKey, member } from '../../members/fields'
import { detachMemberships } from '../../segments/statements'
import { suppression } from '../../suppressions/statements'
import { ERASURE_GRACE_MS } from '../statements'

/** A standing or removed person who is not erased yet. */
const userIsPresent = sql`${users.id} = ${param('memberId')} AND ${users.subscriptionId} = ${caller.subscription}
  AND NOT EXISTS (SELECT 1 FROM ${erasures} WHERE ${erasures.subscriptionId} = ${caller.subscription}
    AND ${erasures.userId} = ${param('memberId')})`
const userHasKey = sql`${users.id} = ${param('memberId')} AND ${users.subscriptionId} = ${caller.subscription}`

const memberMissing = guard<MemberKey>(member.missing, sql`NOT EXISTS (SELECT 1 FROM ${users} WHERE ${userIsPresent})`)
const versionIsStale = guard<{ ifMatch: string | null }>(
  'precondition_failed',
  sql`${param('ifMatch')} IS NOT NULL AND (SELECT ${users.version} FROM ${users} WHERE ${userHasKey})
    NOT IN (SELECT value FROM json_each(${param('ifMatch')}))`,
)
const isLastOwner = createOnlyOwnerGuard(isOnlyOwner(member))
const isStrongerThanCaller = createStrongerPersonGuard(userHasKey)

const insertErasure = statement<never, MemberKey>(
  insertInto(
    erasures,
    {
      subscriptionId: caller.subscription,
      userId: users.id,
      erasedAt: caller.now,
      person: sql`json_object('email', ${users.email}, 'firstName', ${users.firstName}, 'lastName', ${users.lastName})`,
      nextAttemptAt: sql`${caller.now} + ${inline(ERASURE_GRACE_MS)}`,
    },
    sql`FROM ${users} WHERE ${userIsPresent}`,
  ),
)

const suppressionIsOfPerson = sql`${suppressions.subscriptionId} = ${caller.subscription}
  AND ${suppressions.email} = (SELECT ${users.email} FROM ${users} WHERE ${userHasKey})`
const emitSuppressionsDeleted = suppression.emit('deleted', suppressionIsOfPerson, { many: true })
const clearPerson = statements([
  sql`DELETE FROM ${suppressions} WHERE ${suppressionIsOfPerson}`,
  sql`UPDATE ${users} SET ${assignments(users, {
    // Frees the address.
    email: sql`'#' || ${users.id}`,
    firstName: sql`''`,
    lastName: sql`''`,
    attributes: sql`'{}'`,
    source: sql`NULL`,
    externalId: sql`NULL`,
  })} WHERE ${userHasKey}`,
])

// A person who is already removed emits no second event.
const emitDeleted = member.emit('deleted', member.byKey)
const endKeys = revokeKeysOfUser(member.id)
const leaveSegments = detachMemberships(member.id)
const cancelOpenInvitation = createInvitationCancellation(member.id)

// The time to restore has ended, so the next purge deletes the row with its links.
const endRestorePeriod = statement<never, MemberKey>(
  sql`UPDATE ${users} SET ${assignments(users, {
    deletedAt: sql`${caller.now} - ${inline(RESTORE_TTL_MS)}`,
    version: sql`${users.version} + 1`,
  })} WHERE ${userHasKey}`,
)

export const eraseMember = (db: Database, key: MemberKey, ifMatch: string | null) =>
  db.write({
    guards: [memberMissing(key), versionIsStale({ ...key, ifMatch }), isStrongerThanCaller(key), isLastOwner(key)],
    statements: [
      insertErasure(key),
      emitSuppressionsDeleted(key),
      ...clearPerson(key),
      emitDeleted(key),
      ...endKeys(key),
      ...leaveSegments(key),
      cancelOpenInvitation(key),
      endRestorePeriod(key),
    ],
    returning: returningDone({}),
  })
