import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client/client'
import { apiKeys, subscriptions, users } from '../../db/schema/tenancy'
import { isCallerKey } from '../../db/sql/access'
import { json, moment, withDefault } from '../../db/sql/field'
import { limitedProductsField } from '../../db/sql/limits'
import { leavesOf, makeRowConverter, selectListOf } from '../../db/sql/selection'
import { statement } from '../../db/sql/statement'
import { unauthorizedError } from '../../text/errors'

const leavesOfMe = leavesOf({
  workspace: { id: subscriptions.id, name: subscriptions.name },
  user: {
    id: apiKeys.userId,
    email: withDefault(users.email, "''"),
    firstName: withDefault(users.firstName, "''"),
    lastName: withDefault(users.lastName, "''"),
    role: withDefault(users.role, "''"),
  },
  scopes: json<string[]>(apiKeys.scopes),
  products: limitedProductsField(apiKeys.products),
  expiresAt: moment(apiKeys.expiresAt),
})

const selectCallerProfile = statement<Record<string, unknown>>(sql`SELECT ${selectListOf(leavesOfMe)} FROM ${apiKeys}
  CROSS JOIN ${subscriptions} ON ${subscriptions.id} = ${apiKeys.subscriptionId}
  LEFT JOIN ${users} ON ${users.id} = ${apiKeys.userId} AND ${users.deletedAt} IS NULL WHERE ${isCallerKey}`)

const convertMeRow = makeRowConverter(leavesOfMe)

export async function getMe(db: Database) {
  const [[row]] = await db.read(selectCallerProfile({}))
  if (!row) throw unauthorizedError('This API key is not active. Use another key.')
  return convertMeRow(row)
}
