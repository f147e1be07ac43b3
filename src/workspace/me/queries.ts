import { sql } from 'drizzle-orm'
import { activeKey } from '../../db/access'
import type { Database } from '../../db/client'
import { json, moment, or } from '../../db/field'
import { limitedTo } from '../../db/limits'
import { apiKeys, subscriptions, users } from '../../db/schema/tenancy'
import { leavesOf, selectionOf, shownBy } from '../../db/selection'
import { statement } from '../../db/statement'
import { unauthorized } from '../../text/errors'

const leaves = leavesOf({
  workspace: { id: subscriptions.id, name: subscriptions.name },
  user: {
    id: apiKeys.userId,
    email: or(users.email, "''"),
    firstName: or(users.firstName, "''"),
    lastName: or(users.lastName, "''"),
    role: or(users.role, "''"),
  },
  scopes: json<string[]>(apiKeys.scopes),
  products: limitedTo(apiKeys.products),
  expiresAt: moment(apiKeys.expiresAt),
})

const select = statement<Record<string, unknown>>(sql`SELECT ${selectionOf(leaves)} FROM ${apiKeys}
  CROSS JOIN ${subscriptions} ON ${subscriptions.id} = ${apiKeys.subscriptionId}
  LEFT JOIN ${users} ON ${users.id} = ${apiKeys.userId} AND ${users.deletedAt} IS NULL WHERE ${activeKey}`)

const show = shownBy(leaves)

export async function getMe(db: Database) {
  const [[row]] = await db.read(select({}))
  if (!row) throw unauthorized('This API key is not active. Use another key.')
  return show(row)
}
