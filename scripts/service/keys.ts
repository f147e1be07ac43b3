import { type GrantedScope, signKeyToken } from '../../src/http/token.ts'
import { sqlLiteral } from '../wrangler.ts'

export interface KeyOwner {
  subscription: string | number
  user: string | number
}

export interface NewKey {
  jti: string
  name: string
  scopes: GrantedScope[]
  products: number[] | null
  now: number
  expiresAt: number
}

const momentSql = (column: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`

const LISTED_KEY_SQL = `json_object('id', id, 'name', name, 'userId', user_id, 'scopes', json(scopes),
  'products', CASE WHEN products IS NULL THEN NULL ELSE (SELECT json_group_array(p.external_key) FROM products p
    WHERE p.subscription_id = k.subscription_id AND p.id IN (SELECT value FROM json_each(k.products))) END,
  'createdAt', ${momentSql('created_at')}, 'expiresAt', ${momentSql('expires_at')}, 'lastUsedAt', NULL, 'revokedAt', NULL,
  'issuedBy', NULL, 'rotatedBy', NULL, 'kind', kind, 'origins', NULL, 'publishableKey', NULL)`

export function insertKeyStatements(owner: KeyOwner, key: NewKey, condition = '1'): string[] {
  const { jti, name, scopes, products, now, expiresAt } = key
  const values = [jti, name, JSON.stringify(scopes), products && JSON.stringify(products), now, expiresAt]
  return [
    `INSERT INTO api_keys (subscription_id, user_id, jti, name, scopes, products, created_at, expires_at)
     SELECT ${owner.subscription}, ${owner.user}, ${values.map(sqlLiteral).join(', ')} WHERE ${condition}`,
    `INSERT INTO append_event (subscription_id, id, type, actor_user_id, resource_key, data, created_at)
     SELECT subscription_id, (SELECT coalesce(max(place) & 4294967295, 0) + 1 FROM log
         WHERE place > k.subscription_id << 32 AND place < (k.subscription_id + 1) << 32),
       'api_key.created', user_id, id, ${LISTED_KEY_SQL}, created_at
     FROM api_keys k WHERE subscription_id = ${owner.subscription} AND jti = ${sqlLiteral(jti)}`,
  ]
}

export const KEY_COLUMNS = 'subscription_id, jti, user_id, scopes, products, created_at, expires_at'

export interface StoredKey {
  subscription_id: number
  jti: string
  user_id: number
  scopes: string
  products: string | null
  created_at: number
  expires_at: number
}

/** The token is the same each time, and is never stored. */
export function signTokenOfKey(row: StoredKey, secrets: string): Promise<string> {
  return signKeyToken(secrets, {
    subscriptionId: row.subscription_id,
    userId: row.user_id,
    jti: row.jti,
    scopes: JSON.parse(row.scopes),
    products: row.products && JSON.parse(row.products),
    issuedAt: row.created_at,
    expiresAt: row.expires_at,
  })
}
