import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { answer } from '../../db/answer'
import { inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { list } from '../../db/list'
import { record } from '../../db/record'
import type { Reference } from '../../db/references'
import { guard } from '../../db/refuse'
import { apiKeys, products } from '../../db/schema/tenancy'
import { caller, insertInto, param, statement, type Values } from '../../db/statement'
import { CreateApiKey, ListApiKeys } from './schema'
import { type ApiKeyKey, apiKey, DECLARED, working } from './statements'

/** True where the caller's key is not limited to products, or this one is limited to some of those. */
const withinProducts = sql`(${caller.products} IS NULL OR (${apiKeys.products} IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM json_each(${apiKeys.products}) own
    WHERE own.value NOT IN (SELECT value FROM json_each(${caller.products})))))`

const withinReach = record('api_key', { ...DECLARED, only: sql`AND ${withinProducts}` })

const sorted = { sorts: { createdAt: apiKeys.createdAt } }
const all = list(apiKey, ListApiKeys, sorted)
const reached = list(withinReach, ListApiKeys, sorted)

export const listApiKeys = (db: Database, query: z.output<typeof ListApiKeys>) =>
  (db.products ? reached : all).page(db, query)

/** What a token is made from, besides what a key shows. */
export interface Issued {
  jti: string
  /** JSON array of ids, or null. */
  productIds: string | null
  issuedAt: number
  endsAt: number
}

const issued = answer<Issued>(
  {
    ...Object.fromEntries(apiKey.items.map(({ name, field }) => [name, field.sql])),
    jti: apiKeys.jti,
    productIds: apiKeys.products,
    issuedAt: apiKeys.createdAt,
    endsAt: apiKeys.expiresAt,
  },
  sql`${apiKey.from} WHERE ${apiKey.newest}`,
)

function split({ jti, productIds, issuedAt, endsAt, ...row }: Issued) {
  return { key: apiKey.item(row), claims: { jti, productIds, issuedAt, endsAt } }
}

const idsOfProducts = sql`(SELECT json_group_array(p.id) FROM ${products} p WHERE p.subscription_id = ${caller.subscription}
  AND p.external_key IN (SELECT value FROM json_each(${param('products')})) AND p.deleted_at IS NULL)`

const inserted = inserts(apiKey, CreateApiKey, {
  except: ['products'],
  values: {
    jti: param('jti'),
    // A key that is itself limited to products makes keys with no wider limit.
    products: sql`CASE WHEN ${param('products')} IS NULL THEN ${caller.products} ELSE ${idsOfProducts} END`,
  },
})
const created = apiKey.event('created')

export interface NewKey {
  jti: string
  body: z.output<typeof CreateApiKey> & { userId: number; expiresAt: number }
  /** Whether it acts as another user than the caller. */
  forOther: boolean
}

export async function createApiKey(db: Database, { jti, body, forOther }: NewKey) {
  const references: Reference[] = (body.products ?? []).map((value, n) => ({
    kind: 'product',
    path: `/products/${n}`,
    value,
  }))
  if (forOther) references.push({ kind: 'user', path: '/userId', value: body.userId })
  const { answer } = await db.write({
    references,
    statements: [inserted(body, { jti, products: body.products ? JSON.stringify(body.products) : null }), created({})],
    answer: issued({}),
  })
  return split(answer[0])
}

const addressed = sql`SELECT 1 FROM ${apiKeys} WHERE ${apiKey.addressed}`
const everyScope = sql`EXISTS (SELECT 1 FROM json_each(${param('callerScopes')}) WHERE value = '*')`

/** Whoever may do less than a key must not get a new token of it, nor end it. */
const mayDoMoreThanCaller = guard<Values>(
  sql`'insufficient_scope:The API key may do more than the one you call with. Use a key that has all its scopes and products.'`,
  sql`EXISTS (${addressed} AND (
    (NOT ${everyScope} AND EXISTS (SELECT 1 FROM json_each(${apiKeys.scopes}) s
      WHERE s.value NOT IN (SELECT value FROM json_each(${param('callerScopes')}))))
    OR NOT ${withinProducts}))`,
)
/** A successor acts as the user of the key that it succeeds. */
const belongsToAnotherUser = guard<Values>(
  sql`'insufficient_scope:The API key belongs to another user. Rotate it with a key of that user, or with one that has the scope *.'`,
  sql`NOT ${everyScope} AND EXISTS (${addressed} AND ${apiKeys.userId} <> ${caller.user})`,
)
const hasItsEnd = guard<Values>(
  sql`'conflict:This API key has ended, or its end is set already. Rotate its successor, or create a new one.'`,
  sql`EXISTS (${addressed} AND (${apiKeys.revokedAt} IS NOT NULL OR ${apiKeys.expiresAt} <= ${caller.now}))`,
)

// One that has ended already stays as it ended.
const ended = modifies(apiKey, z.object({ revokedAt: z.int() }), {
  happening: 'revoked',
  where: working,
})

/** The key stops working `now`; ending one that has ended already changes nothing. */
export function revokeApiKey(db: Database, key: ApiKeyKey, callerScopes: readonly string[], now: number) {
  return apiKey.save(db, {
    guards: [...apiKey.writable(key), mayDoMoreThanCaller({ ...key, callerScopes: JSON.stringify(callerScopes) })],
    statements: ended(key, { revokedAt: now }),
    answer: apiKey.reply(key),
  })
}

const copied = statement<never, Values>(
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
    sql`FROM ${apiKeys} WHERE ${apiKey.addressed}`,
  ),
)

/** Makes a successor; the old key works until `until`. */
export async function rotateApiKey(
  db: Database,
  key: ApiKeyKey,
  { jti, until, callerScopes }: { jti: string; until: number; callerScopes: readonly string[] },
) {
  const asked = { ...key, callerScopes: JSON.stringify(callerScopes) }
  const { answer } = await db.write({
    guards: [...apiKey.writable(key), mayDoMoreThanCaller(asked), belongsToAnotherUser(asked), hasItsEnd(key)],
    statements: [copied({ ...key, jti }), created({}), ...ended(key, { revokedAt: until })],
    answer: issued({}),
  })
  return split(answer[0])
}
