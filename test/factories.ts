import { env } from 'cloudflare:workers'
import { NEXT_WORKSPACE_ID } from '../src/db/sql/home-ids'
import { type KeyClaims, signKeyToken } from '../src/http/token'
import { type ApiResponse, type CallOptions, call } from './client'
import { readClock } from './clock'
import { createUniqueId } from './unique'

const DAY = 86_400_000

export interface Workspace {
  subscriptionId: number
  userId: number
  product: { id: number; externalKey: string }
  /** Sends requests with a key that has every scope. */
  client: Client
  /** Signs a key with the given claims. `stored: false` stores no row for the key. */
  key(claims?: Partial<KeyClaims>, options?: { stored?: boolean; secrets?: string }): Promise<string>
  /** Signs the owner in, or another user. */
  session(claims?: Partial<KeyClaims>): Promise<BrowserSession>
  /** Inserts a row with SQL, for records that no operation creates, and returns the id. */
  row(table: string, values: Record<string, string | number | null>): Promise<number>
}

export interface BrowserSession {
  id: number
  jti: string
  /** Headers of a request from a page of the service. */
  headers: { cookie: string; 'sec-fetch-site': string }
}

export type Client = <D = never>(method: string, path: string, options?: CallOptions) => Promise<ApiResponse<D>>

async function insertRow(table: string, values: Record<string, string | number | null>): Promise<number> {
  const names = Object.keys(values)
  const text = `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')}) RETURNING rowid AS id`
  const row = await env.DB.prepare(text)
    .bind(...Object.values(values))
    .first<{ id: number }>()
  if (!row) throw new Error(`Nothing was inserted into ${table}`)
  return row.id
}

async function insertSubscription(now: number): Promise<number> {
  const text = `INSERT INTO subscriptions (id, name, created_at) VALUES (${NEXT_WORKSPACE_ID}, 'Test', ?) RETURNING id`
  const row = await env.DB.prepare(text).bind(now).first<{ id: number }>()
  if (!row) throw new Error('No workspace was inserted')
  return row.id
}

/** Creates a workspace with an owner, a product and a key. Each test uses a workspace of its own. */
export async function createWorkspace(): Promise<Workspace> {
  const now = readClock()
  const subscriptionId = await insertSubscription(now)
  const stamps = { created_at: now, updated_at: now }
  const userId = await insertRow('users', {
    subscription_id: subscriptionId,
    email: 'owner@example.com',
    first_name: 'Olga',
    last_name: 'Owner',
    role: 'owner',
    ...stamps,
  })
  const externalKey = `TST-${subscriptionId}`
  const product = {
    externalKey,
    id: await insertRow('products', {
      subscription_id: subscriptionId,
      external_key: externalKey,
      name: 'Test',
      ...stamps,
    }),
  }

  const completeClaims = (claims: Partial<KeyClaims>): KeyClaims => ({
    subscriptionId,
    userId,
    jti: createUniqueId(),
    scopes: ['*'],
    products: null,
    issuedAt: now,
    expiresAt: now + DAY,
    ...claims,
  })
  const insertKey = (claims: KeyClaims) =>
    insertRow('api_keys', {
      subscription_id: subscriptionId,
      jti: claims.jti,
      user_id: claims.userId,
      name: 'test',
      scopes: JSON.stringify(claims.scopes),
      products: claims.products && JSON.stringify(claims.products),
      created_at: now,
      expires_at: claims.expiresAt,
      last_used_at: now,
      kind: claims.kind ?? 'secret',
    })
  const key: Workspace['key'] = async (claims = {}, { stored = true, secrets = env.SIGNING_SECRETS } = {}) => {
    const full = completeClaims(claims)
    if (stored) await insertKey(full)
    return `Bearer ${await signKeyToken(secrets, full)}`
  }
  const session: Workspace['session'] = async (claims = {}) => {
    const full = completeClaims({ ...claims, kind: 'session' })
    const cookie = `__Host-groundwork-session=${await signKeyToken(env.SIGNING_SECRETS, full)}`
    return { id: await insertKey(full), jti: full.jti, headers: { cookie, 'sec-fetch-site': 'same-origin' } }
  }

  const apiKey = await key()
  return {
    subscriptionId,
    userId,
    product,
    key,
    session,
    row: insertRow,
    client: (method, path, options) => call(method, path, { apiKey, ...options }),
  }
}

/** Schedules the erasure of a workspace, or cancels the erasure. */
export async function setEraseAt({ subscriptionId }: Workspace, eraseAt: number | null): Promise<void> {
  await env.DB.batch([
    env.DB.prepare('UPDATE subscriptions SET erase_at = ?2 WHERE id = ?1').bind(subscriptionId, eraseAt),
    env.DB.prepare('UPDATE api_keys SET erase_at = ?2 WHERE subscription_id = ?1').bind(subscriptionId, eraseAt),
  ])
}
