// SQL creates the rows that no operation can create, and the key for everything else.
import { randomUUID } from 'node:crypto'
import { NEXT_WORKSPACE_ID } from '../../src/db/sql/home-ids.ts'
import { deriveSignInTokens, hashSignInAddress, SIGN_IN_TTL_MS, TEAM_AUDIENCE } from '../../src/http/sign-in-token.ts'
import { localDatabase, runSql, sqlLiteral, UserProblem } from '../wrangler.ts'
import { insertKeyStatements, KEY_COLUMNS, type NewKey, type StoredKey, signTokenOfKey } from './keys.ts'
import { readSigningSecrets } from './secrets.ts'

const DAY_MS = 86_400_000
const DEMO_KEY_NAME = 'demo'
const WORKSPACE_NAME_SQL = sqlLiteral('Groundwork demo')

const OWNER_ADDRESS = 'ada@example.com'

const workspaceIdSql = `(SELECT min(id) FROM subscriptions WHERE name = ${WORKSPACE_NAME_SQL})`
const firstIdSql = (table: string) => `(SELECT min(id) FROM ${table} WHERE subscription_id = ${workspaceIdSql})`
const ownerAddressSql = `(SELECT email FROM users WHERE id = ${firstIdSql('users')})`
const demoOwner = { subscription: workspaceIdSql, user: firstIdSql('users') }

/** Writes nothing if the owner has another address, because a link works for a single address. */
async function makeSignInSql(nonce: string, email: string, now: number): Promise<string> {
  const [hash = ''] = await hashSignInAddress(readSigningSecrets({ remote: false }), TEAM_AUDIENCE, email)
  return `INSERT INTO sign_ins (address_hash, subscription_id, user_id, nonce, sent_since, expires_at)
    SELECT ${sqlLiteral(hash)}, ${workspaceIdSql}, ${firstIdSql('users')}, ${sqlLiteral(nonce)}, ${now}, ${now + SIGN_IN_TTL_MS}
    WHERE ${ownerAddressSql} = ${sqlLiteral(email)} ON CONFLICT (address_hash) DO UPDATE SET subscription_id = excluded.subscription_id, user_id = excluded.user_id,
      nonce = excluded.nonce, tries = 0, used_at = NULL, expires_at = excluded.expires_at`
}

export interface DemoWorkspace {
  user: number
  team: number
  category: number
  token: string
  /** Path of a link that signs the owner in, once. */
  signInPath: string
}

export async function findOrMakeDemoWorkspace(state: string): Promise<DemoWorkspace> {
  const now = Date.now()
  const nonce = randomUUID()
  const once = (table: string) => `WHERE ${firstIdSql(table)} IS NULL`
  const working = `subscription_id = ${workspaceIdSql} AND name = ${sqlLiteral(DEMO_KEY_NAME)} AND scopes = '["*"]'
    AND products IS NULL AND revoked_at IS NULL AND expires_at > ${now + DAY_MS}`
  const expiresAt = now + 365 * DAY_MS
  const key: NewKey = { jti: randomUUID(), name: DEMO_KEY_NAME, scopes: ['*'], products: null, now, expiresAt }
  const rows = await runSql<(StoredKey & Omit<DemoWorkspace, 'token' | 'signInPath'> & { email: string })[][]>(
    [
      `INSERT INTO subscriptions (id, name, created_at)
       SELECT ${NEXT_WORKSPACE_ID}, ${WORKSPACE_NAME_SQL}, ${now} WHERE ${workspaceIdSql} IS NULL`,
      `INSERT INTO users (subscription_id, email, first_name, last_name, role, created_at, updated_at)
       SELECT ${workspaceIdSql}, ${sqlLiteral(OWNER_ADDRESS)}, 'Ada', 'Owner', 'owner', ${now}, ${now} ${once('users')}`,
      `INSERT INTO teams (subscription_id, name, color, created_at, updated_at)
       SELECT ${workspaceIdSql}, 'Orbit', '#2f6fed', ${now}, ${now} ${once('teams')}`,
      `INSERT INTO feedback_categories (subscription_id, name, slug, created_at, updated_at)
       SELECT ${workspaceIdSql}, 'Usability', 'usability', ${now}, ${now} ${once('feedback_categories')}`,
      await makeSignInSql(nonce, OWNER_ADDRESS, now),
      ...insertKeyStatements(demoOwner, key, `NOT EXISTS (SELECT 1 FROM api_keys WHERE ${working})`),
      `SELECT ${KEY_COLUMNS}, ${firstIdSql('users')} AS user, ${ownerAddressSql} AS email, ${firstIdSql('teams')} AS team, ${firstIdSql('feedback_categories')} AS category
       FROM api_keys WHERE ${working} ORDER BY id LIMIT 1`,
    ],
    localDatabase(state),
  )
  const made = rows.at(-1)?.[0]
  if (!made) throw new UserProblem('The demo workspace could not be created.')
  const { user, team, category, email } = made
  if (email !== OWNER_ADDRESS) await runSql([await makeSignInSql(nonce, email, now)], localDatabase(state))
  const secrets = readSigningSecrets({ remote: false })
  const [link] = await deriveSignInTokens(secrets, nonce)
  return {
    user,
    team,
    category,
    token: await signTokenOfKey(made, secrets),
    signInPath: `/sign-in/${link}?next=/console`,
  }
}
