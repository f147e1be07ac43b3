import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database, DatabaseWrite } from '../../db/client/client'
import { guard } from '../../db/client/refuse'
import { updateStatement } from '../../db/records/change'
import { makeListReader } from '../../db/records/list'
import { record } from '../../db/records/record'
import { apiKeys } from '../../db/schema/tenancy'
import { incomingWebhooks, webhooks } from '../../db/schema/webhooks'
import { callerHasEveryScope, firstMakerKeyId, isCallerKey } from '../../db/sql/access'
import { momentJson } from '../../db/sql/field'
import { isWithinKeyLimit } from '../../db/sql/limits'
import { referencesTo, referenceTo } from '../../db/sql/references'
import { caller, param, type Statement, statement, type Values } from '../../db/sql/statement'
import type { KeyClaims } from '../../http/token'
import {
  callerKeyIsDelegated,
  emitApiKeyCreated,
  endOfCallerKey,
  insertApiKey,
  valueOfCallerKey,
} from './creation/statements'
import { type CreateApiKey, ListApiKeys } from './schema'
import {
  API_KEY_DECLARATION,
  type ApiKeyKey,
  ancestorKeyIds,
  apiKey,
  descendantKeyIds,
  keyIsNotRevoked,
  revokeKeyWithDescendants,
} from './statements'

const keyIsWithinProducts = isWithinKeyLimit(apiKeys.products)
const reachableApiKey = record('api_key', {
  ...API_KEY_DECLARATION,
  discriminator: sql`${API_KEY_DECLARATION.discriminator} AND ${keyIsWithinProducts}`,
})

export const listApiKeys = makeListReader(reachableApiKey, ListApiKeys, {
  sorts: { createdAt: apiKeys.createdAt },
}).page

export const getApiKey = reachableApiKey.get

const keyClaimsJson = sql`json_object('jti', ${apiKeys.jti}, 'userId', ${apiKeys.userId}, 'scopes', json(${apiKeys.scopes}),
  'products', json(${apiKeys.products}), 'kind', ${apiKeys.kind}, 'issuedAt', ${apiKeys.createdAt}, 'expiresAt', ${apiKeys.expiresAt})`
const returningIssuedKey = apiKey.returningWhere<{ claims: string }>(apiKey.justInserted, { claims: keyClaimsJson })

/** The claims come from the stored row, because a retry must return the same token. */
async function issueApiKey(db: Database, write: Omit<DatabaseWrite<readonly Statement[], unknown>, 'returning'>) {
  const { rows } = await db.write({ ...write, returning: returningIssuedKey({}) })
  const [{ claims, ...row }] = rows
  return { key: apiKey.toReply([row]).data, claims: JSON.parse(claims) as Omit<KeyClaims, 'subscriptionId'> }
}

const keyOutlivesCallerKey = guard<Values>(
  sql`'validation_failed:/expiresAt:Must not be after the end of your API key, which is '
    || ${momentJson(endOfCallerKey)} || '. Leave expiresAt out for this end, or use a key with a later end.'`,
  sql`${param('@expiresAt')} > ${endOfCallerKey}`,
)

export function createApiKey(
  db: Database,
  body: z.output<typeof CreateApiKey> & { userId: number },
  forAnotherUser: boolean,
) {
  const id = crypto.randomUUID()
  const jti = body.kind === 'publishable' ? id.replaceAll('-', '') : id
  const values = { jti, products: body.products ? JSON.stringify(body.products) : null }
  return issueApiKey(db, {
    guards: body.expiresAt === undefined ? [] : [keyOutlivesCallerKey({ '@expiresAt': body.expiresAt })],
    references: [
      ...referencesTo('product', '/products', body.products),
      ...referenceTo('user', '/userId', forAnotherUser ? body.userId : undefined),
    ],
    statements: [insertApiKey(body, values), emitApiKeyCreated({})],
  })
}

/** A weaker key must neither receive the token of a stronger key nor end a stronger key. */
const keyStrongerThanCallerKey = apiKey.refuseIf(
  'insufficient_scope:This API key has scopes or products that your key lacks. Use a key with the same scopes and products.',
  sql`(NOT ${keyIsWithinProducts} OR (NOT ${callerHasEveryScope} AND EXISTS (SELECT 1 FROM json_each(${apiKeys.scopes}) s
    WHERE s.value NOT IN (SELECT value FROM json_each(${caller.scopes})))))`,
)
const keyBelongsToAnotherUser = apiKey.refuseIf(
  'insufficient_scope:This API key belongs to another user. Use a key of this user, or a key with the scope *.',
  sql`${apiKeys.userId} <> ${caller.user}`,
  sql`NOT ${callerHasEveryScope}`,
)
const keyAlreadyEnding = apiKey.refuseIf(
  'conflict:This API key has ended, or its end is already set. Rotate its successor, or create a key.',
  sql`(${apiKeys.revokedAt} IS NOT NULL OR ${apiKeys.expiresAt} <= ${caller.now})`,
)

const keyIsPublishable = apiKey.refuseIf(
  'conflict:A publishable key is no secret and has no rotation. Create another publishable key, then revoke this key.',
  sql`${apiKeys.kind} = 'publishable'`,
)

/** Rotation is refused, because the successor would stay active after a revocation of the old key. */
const keyIsAncestorOfCallerKey = apiKey.refuseIf(
  'insufficient_scope:This API key created your key, directly or through other keys. Rotate the API key with itself, or with the key that created it.',
  sql`NOT (${isCallerKey}) AND ${apiKeys.id} IN (${ancestorKeyIds(isCallerKey)})`,
)

const keyIsIssuedByCallerKey = sql`EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${isCallerKey}
  AND ${apiKeys.id} IN (${ancestorKeyIds(sql`${apiKey.byKey}`)}))`

const callerIsSession = valueOfCallerKey(sql`${apiKeys.kind} = 'session'`)
const keyNotIssuedByCallerKey = apiKey.refuseIf(
  'insufficient_scope:Your key did not create this API key. Rotate the API key with itself, with the key that created it, or with a key with the scope *.',
  sql`NOT ${keyIsIssuedByCallerKey}`,
  sql`NOT ${callerHasEveryScope} AND NOT ${callerIsSession}`,
)

const updateKeyRevokedAt = updateStatement(apiKey, z.object({ revokedAt: z.int() }), {
  happening: 'revoked',
  where: keyIsNotRevoked,
})

type WebhookTable = typeof webhooks | typeof incomingWebhooks

/** The successor is the last inserted row of the batch. */
const moveRecordsToSuccessor = (table: WebhookTable) =>
  statement<never, Values>(sql`UPDATE ${table}
    SET first_key_id = ${firstMakerKeyId(table.firstKeyId, table.keyId)}, key_id = last_insert_rowid()
    WHERE ${table.subscriptionId} = ${caller.subscription} AND ${table.keyId} = ${param('apiKeyId')}`)

/** Returns records to the revoked keys that made them before another key rotated these keys. The records stop. */
const returnRecordsToFirstKey = (table: WebhookTable, revokedKeys: SQL) =>
  statement<never, Values>(sql`UPDATE ${table} SET key_id = first_key_id, first_key_id = NULL
    WHERE ${table.subscriptionId} = ${caller.subscription} AND ${table.firstKeyId} IN (${revokedKeys})`)

const descendantIdsOfKey = descendantKeyIds(apiKey.byKey)
const stopWebhooksOfDescendants = returnRecordsToFirstKey(webhooks, descendantIdsOfKey)
const stopIncomingWebhooksOfDescendants = returnRecordsToFirstKey(incomingWebhooks, descendantIdsOfKey)

export const revokeApiKey = (db: Database, key: ApiKeyKey, now: number, keepIssued: boolean) =>
  apiKey.save(db, {
    guards: [...apiKey.writeGuards(key), keyStrongerThanCallerKey(key)],
    statements: keepIssued
      ? updateKeyRevokedAt(key, { revokedAt: now })
      : [...revokeKeyWithDescendants(key), stopWebhooksOfDescendants(key), stopIncomingWebhooksOfDescendants(key)],
    returning: apiKey.returningByKey(key),
  })

const insertSuccessorKey = statement<never, Values>(sql`
  INSERT INTO ${apiKeys} (subscription_id, jti, user_id, name, scopes, products, issued_by, rotated_by, delegated, created_at, expires_at)
  SELECT subscription_id, ${param('jti')}, user_id, name, scopes, products, issued_by, ${valueOfCallerKey(sql`${apiKeys.id}`)},
    delegated OR user_id <> ${caller.user} OR ${callerKeyIsDelegated}, ${caller.now},
    min(${caller.now} + (expires_at - created_at), ${endOfCallerKey}) FROM ${apiKeys} WHERE ${apiKey.byKey}`)

const moveIssuedKeysToSuccessor = statement<never, Values>(sql`
  UPDATE ${apiKeys}
  SET first_issued_by = ${firstMakerKeyId(apiKeys.firstIssuedBy, apiKeys.issuedBy)}, issued_by = last_insert_rowid()
  WHERE ${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.issuedBy} = ${param('apiKeyId')}`)

const moveWebhooksToSuccessor = moveRecordsToSuccessor(webhooks)
const moveIncomingWebhooksToSuccessor = moveRecordsToSuccessor(incomingWebhooks)

export const rotateApiKey = (db: Database, key: ApiKeyKey, until: number) =>
  issueApiKey(db, {
    guards: [
      ...apiKey.writeGuards(key),
      keyStrongerThanCallerKey(key),
      keyBelongsToAnotherUser(key),
      keyIsAncestorOfCallerKey(key),
      keyNotIssuedByCallerKey(key),
      keyAlreadyEnding(key),
      keyIsPublishable(key),
    ],
    statements: [
      insertSuccessorKey({ ...key, jti: crypto.randomUUID() }),
      emitApiKeyCreated({}),
      moveIssuedKeysToSuccessor(key),
      moveWebhooksToSuccessor(key),
      moveIncomingWebhooksToSuccessor(key),
      ...updateKeyRevokedAt(key, { revokedAt: until }),
    ],
  })
