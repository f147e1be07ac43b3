// SQL creates the rows that no operation can create, and the key for everything else.
import { randomUUID } from 'node:crypto'
import { localDatabase, Problem, runSql, sqlLiteral } from '../wrangler.ts'
import { insertKey, KEY_COLUMNS, type NewKey, type StoredKey, tokenOf } from './keys.ts'
import { signingSecrets } from './secrets.ts'

const DAY = 86_400_000
const KEY_NAME = 'demo'
const WORKSPACE = sqlLiteral('Groundwork demo')

const subscription = `(SELECT min(id) FROM subscriptions WHERE name = ${WORKSPACE})`
const firstId = (table: string) => `(SELECT min(id) FROM ${table} WHERE subscription_id = ${subscription})`
const owner = { subscription, user: firstId('users') }

export interface Demo {
  user: number
  team: number
  category: number
  token: string
}

export async function findOrMakeDemo(state: string): Promise<Demo> {
  const now = Date.now()
  const once = (table: string) => `WHERE ${firstId(table)} IS NULL`
  const working = `subscription_id = ${subscription} AND name = ${sqlLiteral(KEY_NAME)} AND scopes = '["*"]'
    AND products IS NULL AND revoked_at IS NULL AND expires_at > ${now + DAY}`
  const expiresAt = now + 365 * DAY
  const key: NewKey = { jti: randomUUID(), name: KEY_NAME, scopes: ['*'], products: null, now, expiresAt }
  const rows = await runSql<(StoredKey & Omit<Demo, 'token'>)[][]>(
    [
      `INSERT INTO subscriptions (name, created_at) SELECT ${WORKSPACE}, ${now} WHERE ${subscription} IS NULL`,
      `INSERT INTO users (subscription_id, email, first_name, last_name, role, created_at, updated_at)
       SELECT ${subscription}, 'ada@example.com', 'Ada', 'Owner', 'owner', ${now}, ${now} ${once('users')}`,
      `INSERT INTO teams (subscription_id, name, color, created_at, updated_at)
       SELECT ${subscription}, 'Orbit', '#2f6fed', ${now}, ${now} ${once('teams')}`,
      `INSERT INTO feedback_categories (subscription_id, name, slug, created_at, updated_at)
       SELECT ${subscription}, 'Usability', 'usability', ${now}, ${now} ${once('feedback_categories')}`,
      ...insertKey(owner, key, `NOT EXISTS (SELECT 1 FROM api_keys WHERE ${working})`),
      `SELECT ${KEY_COLUMNS}, ${firstId('users')} AS user, ${firstId('teams')} AS team, ${firstId('feedback_categories')} AS category
       FROM api_keys WHERE ${working} ORDER BY id LIMIT 1`,
    ],
    localDatabase(state),
  )
  const made = rows.at(-1)?.[0]
  if (!made) throw new Problem('The demo workspace could not be created.')
  const { user, team, category } = made
  return { user, team, category, token: await tokenOf(made, signingSecrets({ remote: false })) }
}
