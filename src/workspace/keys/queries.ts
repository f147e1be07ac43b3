import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database, DatabaseWrite } from '../../db/client/client'
import { referencesTo, referenceTo } from '../../db/client/references'
import { guard } from '../../db/client/refuse'
import { insertStatement, updateStatement } from '../../db/records/change'
import { listReader } from '../../db/records/list'
import { record } from '../../db/records/record'
import { apiKeys } from '../../db/schema/tenancy'
import { incomingWebhooks, webhooks } from '../../db/schema/webhooks'
import { firstMaker, isCallerKey } from '../../db/sql/access'
import { momentJson } from '../../db/sql/field'
import { isWithinKeyLimit, productIdsOf } from '../../db/sql/limits'
import { caller, inline, param, type Statement, statement, type Values } from '../../db/sql/statement'
import type { KeyClaims } from '../../http/token'
import { moveIncomingWebhooksToSuccessor } from '../incoming-webhooks/statements'
import { moveWebhooksToSuccessor, returnsTo } from '../webhooks/statements'
import { CreateApiKey, ListApiKeys } from './schema'
import {
  API_KEY_DECLARATION,
  type ApiKeyKey,
  ancestorIds,
  apiKey,
  descendantIds,
  isNotRevoked,
  revokeWithDescendants,
} from './statements'

const DEFAULT_LIFETIME = 365 * 86_400_000

const isWithinProducts = isWithinKeyLimit(apiKeys.products)
const reachableKey = record('api_key', { ...API_KEY_DECLARATION, discriminator: sql`AND ${isWithinProducts}` })

export const listApiKeys = listReader(reachableKey, ListApiKeys, { sorts: { createdAt: apiKeys.createdAt } }).page

export const getApiKey = reachableKey.get

const claimsJson = sql`json_object('jti', ${apiKeys.jti}, 'userId', ${apiKeys.userId}, 'scopes', json(${apiKeys.scopes}),
  'products', json(${apiKeys.products}), 'issuedAt', ${apiKeys.createdAt}, 'expiresAt', ${apiKeys.expiresAt})`
const returningIssued = apiKey.returningWhere<{ claims: string }>(apiKey.justInserted, { claims: claimsJson })

/** The claims come from the stored row, because a retry must return the same token. */
async function issueKey(db: Database, write: Omit<DatabaseWrite<readonly Statement[], unknown>, 'returning'>) {
  const { rows } = await db.write({ ...write, returning: returningIssued({}) })
  const [{ claims, ...row }] = rows
  return { key: apiKey.toReply([row]).data, claims: JSON.parse(claims) as Omit<KeyClaims, 'subscriptionId'> }
}

const callersKeyValue = (value: SQL) => sql`(SELECT ${value} FROM ${apiKeys} WHERE ${isCallerKey})`
/** Somebody besides the user has seen the token. */
const isDelegated = callersKeyValue(sql`${apiKeys.delegated}`)
const callersKeyEnd = callersKeyValue(
  sql`min(${apiKeys.expiresAt}, coalesce(${apiKeys.revokedAt}, ${apiKeys.expiresAt}))`,
)

const insertApiKey = insertStatement(apiKey, CreateApiKey, {
  except: ['products'],
  values: {
    jti: param('jti'),
    issuedBy: callersKeyValue(sql`${apiKeys.id}`),
    delegated: sql`${param('=userId')} <> ${caller.user} OR ${isDelegated}`,
    expiresAt: sql`min(${caller.now} + ${inline(DEFAULT_LIFETIME)}, ${callersKeyEnd})`,
    // A key with a product limit creates keys with the same limit or a narrower limit.
    products: sql`CASE WHEN ${param('products')} IS NULL THEN ${caller.products} ELSE ${productIdsOf(param('products'))} END`,
  },
})
const emitCreated = apiKey.emit('created')

const outlivesCaller = guard<Values>(
  sql`'validation_failed:/expiresAt:Must not be after the end of your API key, which is '
    || ${momentJson(callersKeyEnd)} || '. Leave expiresAt out for this end, or use a key with a later end.'`,
  sql`${param('@expiresAt')} > ${callersKeyEnd}`,
)

export function createApiKey(
  db: Database,
  body: z.output<typeof CreateApiKey> & { userId: number },
  forAnotherUser: boolean,
) {
  const values = { jti: crypto.randomUUID(), products: body.products ? JSON.stringify(body.products) : null }
  return issueKey(db, {
    guards: body.expiresAt === undefined ? [] : [outlivesCaller({ '@expiresAt': body.expiresAt })],
    references: [
      ...referencesTo('product', '/products', body.products),
      ...referenceTo('user', '/userId', forAnotherUser ? body.userId : undefined),
    ],
    statements: [insertApiKey(body, values), emitCreated({})],
  })
}

const hasEveryScope = sql`EXISTS (SELECT 1 FROM json_each(${caller.scopes}) WHERE value = '*')`

/** A weaker key must neither receive the token of a stronger key nor end a stronger key. */
const strongerThanCaller = apiKey.refuseIf(
  sql`'insufficient_scope:This API key has scopes or products that your key lacks. Use a key with the same scopes and products.'`,
  sql`(NOT ${isWithinProducts} OR (NOT ${hasEveryScope} AND EXISTS (SELECT 1 FROM json_each(${apiKeys.scopes}) s
    WHERE s.value NOT IN (SELECT value FROM json_each(${caller.scopes})))))`,
)
const belongsToAnotherUser = apiKey.refuseIf(
  sql`'insufficient_scope:This API key belongs to another user. Use a key of this user, or a key with the scope *.'`,
  sql`${apiKeys.userId} <> ${caller.user}`,
  sql`NOT ${hasEveryScope}`,
)
const alreadyEnding = apiKey.refuseIf(
  sql`'conflict:This API key has ended, or its end is already set. Rotate its successor, or create a key.'`,
  sql`(${apiKeys.revokedAt} IS NOT NULL OR ${apiKeys.expiresAt} <= ${caller.now})`,
)

/** Rotation is refused, because the successor would stay active after a revocation of the old key. */
const ancestorOfCaller = apiKey.refuseIf(
  sql`'insufficient_scope:This API key created your key, directly or through other keys. Rotate the API key with itself, or with the key that created it.'`,
  sql`NOT (${isCallerKey}) AND ${apiKeys.id} IN (${ancestorIds(isCallerKey)})`,
)

const isIssuedByCaller = sql`EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${isCallerKey}
  AND ${apiKeys.id} IN (${ancestorIds(sql`${apiKey.byKey}`)}))`

const notIssuedByCaller = apiKey.refuseIf(
  sql`'insufficient_scope:Your key did not create this API key. Rotate the API key with itself, with the key that created it, or with a key with the scope *.'`,
  sql`NOT ${isIssuedByCaller}`,
  sql`NOT ${hasEveryScope}`,
)

const updateRevokedAt = updateStatement(apiKey, z.object({ revokedAt: z.int() }), {
  happening: 'revoked',
  where: isNotRevoked,
})

const descent = descendantIds(apiKey.byKey)
const stopWebhooks = returnsTo(webhooks, descent)
const stopIncomingWebhooks = returnsTo(incomingWebhooks, descent)

export const revokeApiKey = (db: Database, key: ApiKeyKey, now: number, keepIssued: boolean) =>
  apiKey.save(db, {
    guards: [...apiKey.writeGuards(key), strongerThanCaller(key)],
    statements: keepIssued
      ? updateRevokedAt(key, { revokedAt: now })
      : [...revokeWithDescendants(key), stopWebhooks(key), stopIncomingWebhooks(key)],
    returning: apiKey.returningByKey(key),
  })

const insertSuccessor = statement<never, Values>(sql`
  INSERT INTO ${apiKeys} (subscription_id, jti, user_id, name, scopes, products, issued_by, rotated_by, delegated, created_at, expires_at)
  SELECT subscription_id, ${param('jti')}, user_id, name, scopes, products, issued_by, ${callersKeyValue(sql`${apiKeys.id}`)},
    delegated OR user_id <> ${caller.user} OR ${isDelegated}, ${caller.now},
    min(${caller.now} + (expires_at - created_at), ${callersKeyEnd}) FROM ${apiKeys} WHERE ${apiKey.byKey}`)

const inheritIssuedKeys = statement<never, Values>(sql`
  UPDATE ${apiKeys}
  SET first_issued_by = ${firstMaker(apiKeys.firstIssuedBy, apiKeys.issuedBy)}, issued_by = last_insert_rowid()
  WHERE ${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.issuedBy} = ${param('apiKeyId')}`)

export const rotateApiKey = (db: Database, key: ApiKeyKey, until: number) =>
  issueKey(db, {
    guards: [
      ...apiKey.writeGuards(key),
      strongerThanCaller(key),
      belongsToAnotherUser(key),
      ancestorOfCaller(key),
      notIssuedByCaller(key),
      alreadyEnding(key),
    ],
    statements: [
      insertSuccessor({ ...key, jti: crypto.randomUUID() }),
      emitCreated({}),
      inheritIssuedKeys(key),
      moveWebhooksToSuccessor(key),
      moveIncomingWebhooksToSuccessor(key),
      ...updateRevokedAt(key, { revokedAt: until }),
    ],
  })
