import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { moment, personal, plain } from '../../db/field'
import { equals, walking } from '../../db/filter'
import { list } from '../../db/list'
import { type Key, record } from '../../db/record'
import { guard } from '../../db/refuse'
import { users } from '../../db/schema/tenancy'
import { caller, inline, param, type Values } from '../../db/statement'
import { uniqueness } from '../../db/unique'
import { followPerson } from '../../people/suppressions/statements'
import { CreateUser, ListUsers, ModifyUser } from './schema'
import { departures, isOnlyOwner, onlyOwner } from './statements'

const key = { userId: users.id }
export type UserKey = Key<typeof key>

export const user = record('user', {
  table: users,
  within: 'workspace',
  key,
  person: users.id,
  unique: { column: users.email, taken: 'Another user has this address. Choose another.' },
  fields: {
    id: users.id,
    email: personal(plain(users.email), 'email'),
    firstName: personal(plain(users.firstName), 'firstName'),
    lastName: personal(plain(users.lastName), 'lastName'),
    role: users.role,
    createdAt: moment(users.createdAt),
    updatedAt: moment(users.updatedAt),
  },
})

const unique = uniqueness(user)

// A removed user keeps the row with the address. Creating a user with the address brings the user back.
const inserted = inserts(user, CreateUser, {
  from: sql`WHERE true ON CONFLICT (subscription_id, email) DO UPDATE SET first_name = excluded.first_name,
    last_name = excluded.last_name, role = excluded.role, version = ${users.version} + 1, updated_at = excluded.updated_at,
    deleted_at = NULL WHERE ${users.deletedAt} IS NOT NULL`,
})
const byAddress = sql`${user.visible} AND ${users.email} = ${param('email')}`
const created = user.event('created', byAddress)
const made = user.answering(byAddress)

export const createUser = (db: Database, body: z.output<typeof CreateUser>) => {
  const { email } = body
  return user.save(db, {
    guards: unique.onCreate(email),
    statements: [inserted(body), created({ email })],
    answer: made({ email }),
  })
}

export const getUser = user.get

export const listUsers = list(user, ListUsers, {
  sorts: { createdAt: users.createdAt, email: users.email },
  filters: { role: walking(equals(users.role)), email: equals(users.email) },
}).page

const demotesOnlyOwner = onlyOwner(sql`${param('@role')} <> 'owner' AND ${isOnlyOwner(user)}`)

// The address stays taken until the purge of the removed user.
const addressTaken = guard<Values>(
  inline('conflict:Another user has this address, or had it until removed. Choose another.'),
  sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.subscriptionId} = ${caller.subscription}
    AND ${users.email} = ${param('@address')} AND ${users.id} <> ${param('userId')})`,
)
const modified = modifies(user, ModifyUser)
const suppressionsOf = followPerson(user.addressed)

export function modifyUser(db: Database, key: UserKey, body: z.output<typeof ModifyUser>, ifMatch: string | null) {
  const changed = modified(key, body)
  const moved = { ...key, '@address': body.email ?? null }
  return user.save(db, {
    guards: [
      ...user.writable(key, ifMatch),
      ...(body.email === undefined ? [] : [addressTaken({ ...key, '@address': body.email })]),
      ...(body.role === undefined ? [] : [demotesOnlyOwner({ ...key, '@role': body.role })]),
    ],
    statements:
      body.email === undefined ? changed : [suppressionsOf.copy(moved), ...changed, suppressionsOf.emit(moved)],
    answer: user.reply(key),
  })
}

export const { remove: removeUser, restore: restoreUser } = departures(user)
