import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { guard } from '../../db/client/refuse'
import { insertStatement, updateStatement } from '../../db/records/change'
import { makeListReader } from '../../db/records/list'
import { type Key, record } from '../../db/records/record'
import { users } from '../../db/schema/tenancy'
import { moment, personalField, plainField } from '../../db/sql/field'
import { equals, equalsAny, unindexed } from '../../db/sql/filter'
import { caller, param, type Values } from '../../db/sql/statement'
import { copySuppressionsOfPerson } from '../../people/suppressions/statements'
import { revokeKeysBeyondRole } from '../keys/statements'
import { endSessionsOfUser } from '../sessions/statements'
import { CreateUser, ListUsers, ModifyUser } from './schema'
import { createOnlyOwnerGuard, createPersonLifecycle, createStrongerPersonGuard, isOnlyOwner } from './statements'

const userKeyColumns = { userId: users.id }
export type UserKey = Key<typeof userKeyColumns>

export const user = record('user', {
  table: users,
  scope: 'workspace',
  key: userKeyColumns,
  person: users.id,
  unique: { column: users.email, takenMessage: 'Another user has this address. Choose another address.' },
  fields: {
    id: users.id,
    email: personalField(plainField(users.email), 'email'),
    firstName: personalField(plainField(users.firstName), 'firstName'),
    lastName: personalField(plainField(users.lastName), 'lastName'),
    role: users.role,
    createdAt: moment(users.createdAt),
    updatedAt: moment(users.updatedAt),
  },
})

// A removed user keeps the row with the address.
const insertUser = insertStatement(user, CreateUser, {
  from: sql`WHERE true ON CONFLICT (subscription_id, email) DO UPDATE SET first_name = excluded.first_name,
    last_name = excluded.last_name, role = excluded.role, version = ${users.version} + 1, updated_at = excluded.updated_at,
    deleted_at = NULL WHERE ${users.deletedAt} IS NOT NULL`,
})
const userHasBoundAddress = sql`${user.notDeleted} AND ${users.email} = ${param('email')}`
const emitUserCreated = user.emit('created', userHasBoundAddress)
const returningUserByAddress = user.returningWhere(userHasBoundAddress)

export const createUser = (db: Database, body: z.output<typeof CreateUser>) => {
  const { email } = body
  return user.save(db, {
    statements: [insertUser(body), emitUserCreated({ email })],
    returning: returningUserByAddress({ email }),
  })
}

export const getUser = user.get

export const listUsers = makeListReader(user, ListUsers, {
  sorts: { createdAt: users.createdAt, email: users.email },
  filters: { role: unindexed(equalsAny(users.role)), email: equals(users.email) },
}).page

const demotesOnlyOwner = createOnlyOwnerGuard(sql`${param('@role')} <> 'owner' AND ${isOnlyOwner(user)}`)

// The address stays taken until the purge of the removed user.
const userAddressTaken = guard<Values>(
  'conflict:Another user or a removed user has this address. Choose another address.',
  sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.subscriptionId} = ${caller.subscription}
    AND ${users.email} = ${param('=email')} AND ${users.id} <> ${param('userId')})`,
)
const updateUser = updateStatement(user, ModifyUser, {
  valueTaken: (values) => ('=email' in values ? [userAddressTaken(values)] : []),
})
const userInFormerRole = sql`(SELECT ${users.id} FROM ${users} WHERE ${user.byKey} AND ${users.role} <> ${param('@role')})`
const revokeKeysBeyondNewRole = revokeKeysBeyondRole(userInFormerRole, param('@role'))
const endSessionsInFormerRole = endSessionsOfUser(userInFormerRole)
const userIsStrongerThanCaller = createStrongerPersonGuard(user.byKey)
const suppressionCopyOfUser = copySuppressionsOfPerson(user.byKey)

export function modifyUser(db: Database, key: UserKey, body: z.output<typeof ModifyUser>, ifMatch: string | null) {
  const changed = updateUser(key, body)
  const moved = { ...key, '@address': body.email ?? null }
  const inNewRole = { ...key, '@role': body.role }
  return user.save(db, {
    guards: [
      ...user.writeGuards(key, ifMatch),
      ...(body.role === undefined && body.email === undefined ? [] : [userIsStrongerThanCaller(key)]),
      ...(body.role === undefined ? [] : [demotesOnlyOwner(inNewRole)]),
    ],
    statements: [
      ...(body.role === undefined
        ? []
        : [...revokeKeysBeyondNewRole(inNewRole), ...endSessionsInFormerRole(inNewRole)]),
      ...(body.email === undefined
        ? changed
        : [suppressionCopyOfUser.copy(moved), ...changed, suppressionCopyOfUser.emit(moved)]),
    ],
    returning: user.returningByKey(key),
  })
}

export const { remove: removeUser, restore: restoreUser } = createPersonLifecycle(user)
