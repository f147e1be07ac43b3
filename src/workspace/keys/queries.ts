import { type SQL, sql } from 'drizzle-orm'
import { answer } from '../../db/answer'
import type { Database } from '../../db/client'
import { event } from '../../db/events'
import {
  type Page,
  type PageValues,
  type PageVariant,
  pageAfter,
  pageValues,
  paginate,
  sortedBy,
} from '../../db/legacy'
import type { Reference } from '../../db/references'
import { guard } from '../../db/refuse'
import { apiKeys, products } from '../../db/schema/tenancy'
import { caller, insertInto, param, type Statement, statement, variants } from '../../db/statement'

export interface KeyRow {
  id: number
  jti: string
  userId: number
  name: string
  /** JSON arrays; product ids and their external keys, or null. */
  scopes: string
  productIds: string | null
  productKeys: string | null
  createdAt: number
  expiresAt: number
  lastUsedAt: number | null
  revokedAt: number | null
}

const productKeys = sql`CASE WHEN ${apiKeys.products} IS NULL THEN NULL ELSE (
  SELECT json_group_array(p.external_key) FROM ${products} p
  WHERE p.subscription_id = ${caller.subscription} AND p.id IN (SELECT value FROM json_each(${apiKeys.products}))) END`

const ROW = {
  id: apiKeys.id,
  jti: apiKeys.jti,
  userId: apiKeys.userId,
  name: apiKeys.name,
  scopes: apiKeys.scopes,
  productIds: apiKeys.products,
  productKeys,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  lastUsedAt: apiKeys.lastUsedAt,
  revokedAt: apiKeys.revokedAt,
}

const byJti = sql`FROM ${apiKeys} WHERE ${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.jti} = ${param('jti')}`
const byId = sql`FROM ${apiKeys} WHERE ${apiKeys.id} = ${param('id')} AND ${apiKeys.subscriptionId} = ${caller.subscription}`
const working = sql`(${apiKeys.revokedAt} IS NULL OR ${apiKeys.revokedAt} > ${caller.now})`

/** True where the caller's key is not limited to products, or this one is limited to some of those. */
const withinProducts = sql`(${caller.products} IS NULL OR (${apiKeys.products} IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM json_each(${apiKeys.products}) own
    WHERE own.value NOT IN (SELECT value FROM json_each(${caller.products})))))`

const saved = answer<KeyRow, { jti: string }>(ROW, byJti)
const found = answer<KeyRow, { id: number }>(ROW, byId)

const idsOfProducts = sql`(SELECT json_group_array(p.id) FROM ${products} p WHERE p.subscription_id = ${caller.subscription}
  AND p.external_key IN (SELECT value FROM json_each(${param('products')})) AND p.deleted_at IS NULL)`

const insert = statement<
  never,
  { jti: string; name: string; scopes: string; products: string | null; expiresAt: number }
>(
  insertInto(apiKeys, {
    subscriptionId: caller.subscription,
    jti: param('jti'),
    userId: caller.user,
    name: param('name'),
    scopes: param('scopes'),
    // A key that is itself limited to products makes keys with no wider limit.
    products: sql`CASE WHEN ${param('products')} IS NULL THEN ${caller.products} ELSE ${idsOfProducts} END`,
    createdAt: caller.now,
    expiresAt: param('expiresAt'),
  }),
)

const keyEvent = (type: 'api_key.created' | 'api_key.revoked', from: SQL) =>
  event<{ jti?: string; id?: number }>({ type, key: sql`${apiKeys.id}`, from })

const created = keyEvent('api_key.created', byJti)
const revoked = keyEvent('api_key.revoked', sql`${byId} AND ${working}`)

export interface NewKey {
  jti: string
  name: string
  scopes: readonly string[]
  products?: readonly string[] | undefined
  expiresAt: number
}

export async function createKey(db: Database, key: NewKey): Promise<KeyRow> {
  const { jti, name, expiresAt, scopes } = key
  const limits = key.products ?? []
  const references = limits.map((value, n): Reference => ({ kind: 'product', path: `/products/${n}`, value }))
  const { answer } = await db.write({
    references,
    statements: [
      insert({
        jti,
        name,
        scopes: JSON.stringify(scopes),
        products: key.products ? JSON.stringify(key.products) : null,
        expiresAt,
      }),
      created({ name, scopes }, { jti }),
    ],
    answer: saved({ jti }),
  })
  return answer[0]
}

const list = variants<KeyRow, PageValues, PageVariant>((variant) => {
  const after = pageAfter(sql`${apiKeys.createdAt}`, sql`${apiKeys.id}`, variant)
  const columns = Object.entries(ROW).map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`)
  return sql`SELECT ${sql.join(columns, sql`, `)} FROM ${apiKeys}
    WHERE ${apiKeys.subscriptionId} = ${caller.subscription} AND ${withinProducts} ${after}`
})

export async function listKeys(db: Database, page: Page) {
  const [rows] = await db.read(list(sortedBy(page), pageValues(page)))
  return paginate(rows, page, (row) => [row.createdAt, row.id])
}

const missing = guard<{ id: number }>('api_key_not_found', sql`NOT EXISTS (SELECT 1 ${byId})`)
const ended = guard<{ id: number }>(
  sql`'conflict:This API key has ended, or its end is set already. Rotate its successor, or create a new one.'`,
  sql`EXISTS (SELECT 1 ${byId} AND (${apiKeys.revokedAt} IS NOT NULL OR ${apiKeys.expiresAt} <= ${caller.now}))`,
)
/** Whoever may do less than a key must not get a new token of it, nor end it. */
const mightier = guard<{ id: number; mine: string }>(
  sql`'insufficient_scope:The API key may do more than the one you call with. Use a key that has all its scopes and products.'`,
  sql`EXISTS (SELECT 1 ${byId} AND (
    (NOT EXISTS (SELECT 1 FROM json_each(${param('mine')}) WHERE value = '*')
      AND EXISTS (SELECT 1 FROM json_each(${apiKeys.scopes}) s
        WHERE s.value NOT IN (SELECT value FROM json_each(${param('mine')}))))
    OR NOT ${withinProducts}))`,
)
/** A successor acts as the user of the key that it succeeds. */
const ofAnother = guard<{ id: number; mine: string }>(
  sql`'insufficient_scope:The API key belongs to another user. Rotate it with a key of that user, or with one that has the scope *.'`,
  sql`NOT EXISTS (SELECT 1 FROM json_each(${param('mine')}) WHERE value = '*')
    AND EXISTS (SELECT 1 ${byId} AND ${apiKeys.userId} <> ${caller.user})`,
)

// An end that is set is only ever brought forward.
const end = statement<never, { id: number; at: number }>(
  sql`UPDATE ${apiKeys} SET revoked_at = min(coalesce(${apiKeys.revokedAt}, ${param('at')}), ${param('at')})
    WHERE ${apiKeys.id} = ${param('id')} AND ${apiKeys.subscriptionId} = ${caller.subscription} AND ${working}`,
)

/** The key stops working at once; ending one that has ended already changes nothing. */
export async function revokeKey(db: Database, id: number, scopes: readonly string[], now: number): Promise<KeyRow> {
  const { answer } = await db.write({
    guards: [missing({ id }), mightier({ id, mine: JSON.stringify(scopes) })],
    statements: [revoked({}, { id }), end({ id, at: now })],
    answer: found({ id }),
  })
  return answer[0]
}

const copy: (values: { id: number; jti: string }) => Statement<never> = statement(
  insertInto(
    apiKeys,
    {
      subscriptionId: caller.subscription,
      jti: param('jti'),
      userId: apiKeys.userId,
      name: apiKeys.name,
      scopes: apiKeys.scopes,
      products: apiKeys.products,
      createdAt: caller.now,
      // As long a life as the old one was given.
      expiresAt: sql`${caller.now} + (${apiKeys.expiresAt} - ${apiKeys.createdAt})`,
    },
    byId,
  ),
)

export async function rotateKey(
  db: Database,
  { id, jti, until, scopes }: { id: number; jti: string; until: number; scopes: readonly string[] },
): Promise<KeyRow> {
  const mine = JSON.stringify(scopes)
  const { answer } = await db.write({
    guards: [missing({ id }), mightier({ id, mine }), ofAnother({ id, mine }), ended({ id })],
    statements: [
      copy({ id, jti }),
      end({ id, at: until }),
      created({ rotated: id }, { jti }),
      revoked({ rotated: true, revokedAt: new Date(until).toISOString() }, { id }),
    ],
    answer: saved({ jti }),
  })
  return answer[0]
}
