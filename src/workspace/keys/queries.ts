import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { activeKey } from '../../db/access'
import { inserts, modifies } from '../../db/change'
import type { Database, Write } from '../../db/client'
import { momentJson } from '../../db/field'
import { idsOfProducts, withinLimits } from '../../db/limits'
import { list } from '../../db/list'
import { record } from '../../db/record'
import { naming, namingEach } from '../../db/references'
import { guard } from '../../db/refuse'
import { apiKeys } from '../../db/schema/tenancy'
import { incomingWebhooks, webhooks } from '../../db/schema/webhooks'
import { caller, inline, param, type Statement, statement, type Values } from '../../db/statement'
import type { KeyClaims } from '../../http/token'
import { actAsSuccessor } from '../incoming-webhooks/statements'
import { followSuccessor, returnsTo } from '../webhooks/statements'
import { CreateApiKey, ListApiKeys } from './schema'
import { type ApiKeyKey, ancestryOf, apiKey, DECLARED, descentOf, endDescent, firstMaker, working } from './statements'

const LIFE = 365 * 86_400_000

const withinProducts = withinLimits(apiKeys.products)
const withinReach = record('api_key', { ...DECLARED, only: sql`AND ${withinProducts}` })

export const listApiKeys = list(withinReach, ListApiKeys, { sorts: { createdAt: apiKeys.createdAt } }).page

export const getApiKey = withinReach.get

// Claims of the key's token, without the workspace.
const claims = sql`json_object('jti', ${apiKeys.jti}, 'userId', ${apiKeys.userId}, 'scopes', json(${apiKeys.scopes}),
  'products', json(${apiKeys.products}), 'issuedAt', ${apiKeys.createdAt}, 'expiresAt', ${apiKeys.expiresAt})`
const issued = apiKey.answering<{ claims: string }>(apiKey.newest, { claims })

/**
 * Creates a key and returns the token's claims. The claims come from the stored row, because a retry must return the
 * same token.
 */
async function issue(db: Database, write: Omit<Write<readonly Statement[], unknown>, 'answer'>) {
  const { answer } = await db.write({ ...write, answer: issued({}) })
  const [{ claims, ...row }] = answer
  return { key: apiKey.replied([row]).data, claims: JSON.parse(claims) as Omit<KeyClaims, 'subscriptionId'> }
}

const callersKey = (value: SQL) => sql`(SELECT ${value} FROM ${apiKeys} WHERE ${activeKey})`
/** True if somebody besides the user has seen the token of the calling key. */
const isDelegated = callersKey(sql`${apiKeys.delegated}`)
/** End of the calling key: the expiry, or an earlier end after a rotation. */
const callersEnd = callersKey(sql`min(${apiKeys.expiresAt}, coalesce(${apiKeys.revokedAt}, ${apiKeys.expiresAt}))`)

const inserted = inserts(apiKey, CreateApiKey, {
  except: ['products'],
  values: {
    jti: param('jti'),
    issuedBy: callersKey(sql`${apiKeys.id}`),
    delegated: sql`${param('=userId')} <> ${caller.user} OR ${isDelegated}`,
    expiresAt: sql`min(${caller.now} + ${inline(LIFE)}, ${callersEnd})`,
    // A key with a product limit creates keys with the same limit or a narrower limit.
    products: sql`CASE WHEN ${param('products')} IS NULL THEN ${caller.products} ELSE ${idsOfProducts(param('products'))} END`,
  },
})
const created = apiKey.event('created')

const outlivesCaller = guard<Values>(
  sql`'validation_failed:/expiresAt:Must not lie after the end of the API key you call with, which is '
    || ${momentJson(callersEnd)} || '. Leave it out for that end, or use a key that lives longer.'`,
  sql`${param('@expiresAt')} > ${callersEnd}`,
)

/** `forOther`: the key acts as a different user than the caller. */
export function createApiKey(
  db: Database,
  body: z.output<typeof CreateApiKey> & { userId: number },
  forOther: boolean,
) {
  const given = { jti: crypto.randomUUID(), products: body.products ? JSON.stringify(body.products) : null }
  return issue(db, {
    guards: body.expiresAt === undefined ? [] : [outlivesCaller({ '@expiresAt': body.expiresAt })],
    references: [
      ...namingEach('product', '/products', body.products),
      ...naming('user', '/userId', forOther ? body.userId : undefined),
    ],
    statements: [inserted(body, given), created({})],
  })
}

const everyScope = sql`EXISTS (SELECT 1 FROM json_each(${caller.scopes}) WHERE value = '*')`

/** A weaker key must neither receive the token of a stronger key nor end a stronger key. */
const mayDoMoreThanCaller = apiKey.refusing(
  sql`'insufficient_scope:The API key may do more than the one you call with. Use a key that has all its scopes and products.'`,
  sql`(NOT ${withinProducts} OR (NOT ${everyScope} AND EXISTS (SELECT 1 FROM json_each(${apiKeys.scopes}) s
    WHERE s.value NOT IN (SELECT value FROM json_each(${caller.scopes})))))`,
)
/** A successor acts as the user of the old key. */
const belongsToAnotherUser = apiKey.refusing(
  sql`'insufficient_scope:The API key belongs to another user. Rotate it with a key of that user, or with one that has the scope *.'`,
  sql`${apiKeys.userId} <> ${caller.user}`,
  sql`NOT ${everyScope}`,
)
const hasItsEnd = apiKey.refusing(
  sql`'conflict:This API key has ended, or its end is set already. Rotate its successor, or create a new one.'`,
  sql`(${apiKeys.revokedAt} IS NOT NULL OR ${apiKeys.expiresAt} <= ${caller.now})`,
)

/** Rotation is refused, because the successor would stay active after a revocation of the old key. */
const isAncestorOfCaller = apiKey.refusing(
  sql`'insufficient_scope:The API key made the one you call with, or one that did. Rotate it with itself, or with the key that made it.'`,
  sql`NOT (${activeKey}) AND ${apiKeys.id} IN (${ancestryOf(activeKey)})`,
)

const isOfCaller = sql`EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${activeKey}
  AND ${apiKeys.id} IN (${ancestryOf(sql`${apiKey.addressed}`)}))`

/** Rotation is refused, because the successor would not be among the keys created by the caller. */
const isNotOfCaller = apiKey.refusing(
  sql`'insufficient_scope:The API key was not made by the one you call with. Rotate it with itself, with the key that made it, or with one that has the scope *.'`,
  sql`NOT ${isOfCaller}`,
  sql`NOT ${everyScope}`,
)

// An ended key keeps the time of the end.
const ended = modifies(apiKey, z.object({ revokedAt: z.int() }), { happening: 'revoked', where: working })

const descent = descentOf(apiKey.addressed)
const stopWebhooks = returnsTo(webhooks, descent)
const stopIncomingWebhooks = returnsTo(incomingWebhooks, descent)

/** Revokes the key at `now`, and the descendants too unless `keepIssued` is set. Ended keys stay unchanged. */
export const revokeApiKey = (db: Database, key: ApiKeyKey, now: number, keepIssued: boolean) =>
  apiKey.save(db, {
    guards: [...apiKey.writable(key), mayDoMoreThanCaller(key)],
    statements: keepIssued
      ? ended(key, { revokedAt: now })
      : [...endDescent(key), stopWebhooks(key), stopIncomingWebhooks(key)],
    answer: apiKey.reply(key),
  })

// The successor gets the lifetime of the old key, at most until the end of the calling key.
const copied = statement<never, Values>(sql`
  INSERT INTO ${apiKeys} (subscription_id, jti, user_id, name, scopes, products, issued_by, rotated_by, delegated, created_at, expires_at)
  SELECT subscription_id, ${param('jti')}, user_id, name, scopes, products, issued_by, ${callersKey(sql`${apiKeys.id}`)},
    delegated OR user_id <> ${caller.user} OR ${isDelegated}, ${caller.now},
    min(${caller.now} + (expires_at - created_at), ${callersEnd}) FROM ${apiKeys} WHERE ${apiKey.addressed}`)

const inheritsIssued = statement<never, Values>(sql`
  UPDATE ${apiKeys}
  SET first_issued_by = ${firstMaker(apiKeys.firstIssuedBy, apiKeys.issuedBy)}, issued_by = last_insert_rowid()
  WHERE ${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.issuedBy} = ${param('apiKeyId')}`)

/** Creates a successor in place of the old key. The old key works until `until`. */
export const rotateApiKey = (db: Database, key: ApiKeyKey, until: number) =>
  issue(db, {
    guards: [
      ...apiKey.writable(key),
      mayDoMoreThanCaller(key),
      belongsToAnotherUser(key),
      isAncestorOfCaller(key),
      isNotOfCaller(key),
      hasItsEnd(key),
    ],
    statements: [
      copied({ ...key, jti: crypto.randomUUID() }),
      created({}),
      inheritsIssued(key),
      followSuccessor(key),
      actAsSuccessor(key),
      ...ended(key, { revokedAt: until }),
    ],
  })
