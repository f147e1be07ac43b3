// The demo workspace: what no operation makes yet, written with SQL, and the key that everything else is made with.
import { randomUUID } from 'node:crypto'
import { insertKey, KEY_COLUMNS, tokenOf } from './keys.mjs'
import { signingSecrets } from './secrets.mjs'
import { literal, query } from './wrangler.mjs'

const DAY = 86_400_000
const KEY_NAME = 'demo'
const WORKSPACE = literal('Groundwork demo')

const subscription = `(SELECT min(id) FROM subscriptions WHERE name = ${WORKSPACE})`
const first = (table) => `(SELECT min(id) FROM ${table} WHERE subscription_id = ${subscription})`
const owner = { subscription, user: first('users') }

/** The workspace that `npm start` made, made now if it is not there; with a key of its owner's that works. */
export async function findOrMakeDemo(state) {
  const now = Date.now()
  const once = (table) => `WHERE ${first(table)} IS NULL`
  const working = `subscription_id = ${subscription} AND name = ${literal(KEY_NAME)} AND scopes = '["*"]'
    AND products IS NULL AND revoked_at IS NULL AND expires_at > ${now + DAY}`
  const key = { jti: randomUUID(), name: KEY_NAME, scopes: ['*'], products: null, now, expiresAt: now + 365 * DAY }
  const rows = await query(
    [
      `INSERT INTO subscriptions (name, created_at) SELECT ${WORKSPACE}, ${now} WHERE ${subscription} IS NULL`,
      `INSERT INTO users (subscription_id, email, first_name, last_name, role, created_at, updated_at)
       SELECT ${subscription}, 'ada@example.com', 'Ada', 'Owner', 'owner', ${now}, ${now} ${once('users')}`,
      `INSERT INTO teams (subscription_id, name, color, created_at, updated_at)
       SELECT ${subscription}, 'Orbit', '#2f6fed', ${now}, ${now} ${once('teams')}`,
      `INSERT INTO feedback_categories (subscription_id, name, slug, created_at, updated_at)
       SELECT ${subscription}, 'Usability', 'usability', ${now}, ${now} ${once('feedback_categories')}`,
      ...insertKey(owner, key, `NOT EXISTS (SELECT 1 FROM api_keys WHERE ${working})`),
      `SELECT ${first('users')} AS user, ${first('teams')} AS team, ${first('feedback_categories')} AS category`,
      `SELECT ${KEY_COLUMNS} FROM api_keys WHERE ${working} ORDER BY id LIMIT 1`,
    ],
    { state },
  )
  const [[ids], [stored]] = rows.slice(-2)
  return { ...ids, token: await tokenOf(stored, signingSecrets({ remote: false })) }
}
