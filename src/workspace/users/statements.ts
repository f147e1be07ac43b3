import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/client/client'
import { guard } from '../../db/client/refuse'
import { makeLifecycle } from '../../db/records/lifecycle'
import type { AnyRecord, Key, KeyColumns, RecordOf } from '../../db/records/record'
import { users } from '../../db/schema/tenancy'
import { callerHasEveryScope } from '../../db/sql/access'
import type { Shape } from '../../db/sql/field'
import { caller, inline, type Values } from '../../db/sql/statement'
import { createInvitationCancellation } from '../../people/invitations/statements'
import { detachMemberships, restoreMemberships } from '../../people/segments/statements'
import { RESOURCES, type ResourceName } from '../../resources'
import { revokeKeysOfUser } from '../keys/statements'
import { scopesOfRole } from '../sessions/fields'

export function isOnlyOwner({ byKey, notDeleted }: Pick<AnyRecord, 'byKey' | 'notDeleted'>): SQL {
  return sql`EXISTS (SELECT 1 FROM ${users} WHERE ${byKey} AND ${users.role} = 'owner')
    AND (SELECT count(*) FROM (SELECT 1 FROM ${users} WHERE ${notDeleted} AND ${users.role} = 'owner' LIMIT 2)) = 1`
}

export const createOnlyOwnerGuard = (when: SQL) =>
  guard<Values>(
    'conflict:This user is the only owner of the workspace. Make another user an owner first, then retry.',
    when,
  )

interface StrongerPersonOptions {
  /** Names the people in the message. */
  people?: string
  /** Rows joined with users. */
  from?: SQL
}

/** Refuses a change of a person who can do more than the caller: the caller could sign in as this person. */
export const createStrongerPersonGuard = (
  which: SQL,
  { people = 'this person', from = sql`${users}` }: StrongerPersonOptions = {},
) =>
  guard<Values>(
    `insufficient_scope:The role of ${people} has scopes that you lack. Use a key with these scopes, or ask an owner.`,
    sql`NOT ${callerHasEveryScope} AND EXISTS (SELECT 1 FROM ${from}, json_each(${scopesOfRole(users.role)}) s
      WHERE ${which} AND s.value NOT IN (SELECT value FROM json_each(${caller.scopes})))`,
  )

const MODIFY_USERS_SCOPE = `${RESOURCES.user.area}:write`
const callerModifiesUsers = sql`EXISTS (SELECT 1 FROM json_each(${caller.scopes}) s WHERE s.value IN ('*', ${inline(MODIFY_USERS_SCOPE)}))`

/** Refuses a new address of a colleague to a caller who may change members only: colleagues sign in with the address. */
export const createColleagueAddressGuard = (which: SQL) =>
  guard<Values>(
    `insufficient_scope:email: This person belongs to the team and signs in with the present address. A change needs the scope ${MODIFY_USERS_SCOPE}. Use a key with the scope, or ask an admin.`,
    sql`NOT ${callerModifiesUsers} AND EXISTS (SELECT 1 FROM ${users} WHERE ${which} AND ${users.role} <> 'idm_member')`,
  )

export function createPersonLifecycle<R extends ResourceName, K extends KeyColumns, F extends Shape, D extends Shape>(
  people: RecordOf<R, K, F, D>,
) {
  const { removal, restoration } = makeLifecycle(people)
  const isLastOwner = createOnlyOwnerGuard(isOnlyOwner(people))
  const isStrongerThanCaller = createStrongerPersonGuard(people.byKey)
  const wasStrongerThanCaller = createStrongerPersonGuard(people.deletedByKey)
  const endKeys = revokeKeysOfUser(people.id)
  const leaveSegments = detachMemberships(people.id)
  const cancelOpenInvitation = createInvitationCancellation(people.id)
  const rejoinSegments = restoreMemberships(sql`(SELECT ${users.id} FROM ${users} WHERE ${people.deletedByKey})`)
  return {
    remove(db: Database, key: Key<K>, ifMatch: string | null) {
      const { guards, statements, returning } = removal(key, ifMatch)
      // The event comes first, because the event contains the record before the removal.
      const [emitRemoved, removeStatements] = [statements.slice(0, 1), statements.slice(1)]
      return db.write({
        guards: [...guards, isStrongerThanCaller(key), isLastOwner(key)],
        statements: [
          ...emitRemoved,
          ...endKeys(key),
          ...leaveSegments(key),
          cancelOpenInvitation(key),
          ...removeStatements,
        ],
        returning,
      })
    },
    restore(db: Database, key: Key<K>) {
      const { guards, statements, returning } = restoration(key)
      return people.save(db, {
        guards: [...guards, wasStrongerThanCaller(key)],
        // The segments come first, because only a removed person has segments to return to.
        statements: [...rejoinSegments(key), ...statements],
        returning,
      })
    },
  }
}
