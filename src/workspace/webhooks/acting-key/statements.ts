import { type SQL, sql } from 'drizzle-orm'
import { guard } from '../../../db/client/refuse'
import type { DerivedField } from '../../../db/records/change'
import { apiKeys } from '../../../db/schema/tenancy'
import type { incomingWebhooks, webhooks } from '../../../db/schema/webhooks'
import { callerHasEveryScope, callerKeyId, isCallerKey, isUsableKey } from '../../../db/sql/access'
import { isWithinKeyLimit } from '../../../db/sql/limits'
import { caller, param, type Values } from '../../../db/sql/statement'
import { EVENT_PATTERNS } from '../../../resources'
import { areasOfPattern } from '../patterns'

// A webhook works with an API key: the key of the request, or a key that `apiKeyId` names.

const keyExceedsCaller = sql`(NOT ${isWithinKeyLimit(apiKeys.products)} OR (NOT ${callerHasEveryScope}
  AND (${apiKeys.userId} <> ${caller.user} OR EXISTS (SELECT 1 FROM json_each(${apiKeys.scopes}) s
    WHERE s.value NOT IN (SELECT value FROM json_each(${caller.scopes}))))))`

const isLastingKey = sql`${isUsableKey} AND ${apiKeys.kind} = 'secret'`
const isChosenKey = sql`${apiKeys.id} = ${param('apiKeyId')} AND ${isLastingKey}`

const chosenKeyMissing = guard<Values>(
  'validation_failed:/apiKeyId:The workspace has no active secret API key with this id. Send the id of an active key, or create a key.',
  sql`NOT EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${isChosenKey})`,
)
const chosenKeyExceedsCaller = guard<Values>(
  'insufficient_scope:The API key of apiKeyId belongs to another user, or has scopes or products that your key lacks. Choose another key.',
  sql`EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${isChosenKey} AND ${keyExceedsCaller})`,
)

/** Refuses an `apiKeyId` that the caller must not lend to a webhook. */
export const guardChosenKey = (apiKeyId: number | undefined) =>
  apiKeyId === undefined ? [] : [chosenKeyMissing({ apiKeyId }), chosenKeyExceedsCaller({ apiKeyId })]

const newKeyId = sql`(SELECT ${apiKeys.id} FROM ${apiKeys}
  WHERE ${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.jti} = ${param('newKeyJti')})`
/** `newKeyJti` names a key that the same batch creates. */
export const actingKeyIdOfNew = sql`coalesce(${newKeyId}, ${param('apiKeyId')}, ${callerKeyId})`

const callerIsSession = sql`EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${isCallerKey} AND ${apiKeys.kind} = 'session')`

type WebhookTable = typeof webhooks | typeof incomingWebhooks

/** A session ends soon: a change by a session keeps a key that the session covers. */
export const makeActingKeyId = ({ keyId }: WebhookTable): SQL => sql`coalesce(${param('apiKeyId')},
  (SELECT ${apiKeys.id} FROM ${apiKeys} WHERE ${apiKeys.id} = ${keyId} AND ${isLastingKey} AND ${callerIsSession}
    AND NOT ${keyExceedsCaller}), ${callerKeyId})`

/** The choice of another key changes the webhook, even if nothing else changes. */
export const makeChosenKeyField = ({ keyId }: WebhookTable): DerivedField => ({
  name: 'apiKey',
  json: sql`NULL`,
  differs: sql`(${param('apiKeyId')} IS NOT NULL AND ${keyId} <> ${param('apiKeyId')})`,
})

/** The key of the webhook, unless the webhook works with the key of the request. */
const isOtherKey = (keyId: SQL) => sql`${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.id} = (${keyId})
  AND ${apiKeys.id} <> ${callerKeyId}`

const keyLacksScope = (scope: SQL) =>
  sql`NOT EXISTS (SELECT 1 FROM json_each(${apiKeys.scopes}) s WHERE s.value IN ('*', ${scope}))`

const resourceOfPattern = sql`substr(pattern.value, 1, instr(pattern.value || '.', '.') - 1)`

interface ActingKey {
  keyId: SQL
  /** Ids of the products of the webhook, as JSON; null for all. */
  products: SQL
}

/** `events`: patterns as JSON. */
export const makeKeyCannotReadGuard = ({ keyId, products, events }: ActingKey & { events: SQL }) =>
  guard<Values>(
    'insufficient_scope:The API key of the webhook cannot read all its events and products. Send the id of another key in apiKeyId, or fewer events or products.',
    sql`EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${isOtherKey(keyId)} AND (
      EXISTS (SELECT 1 FROM json_each(${events}) pattern,
        json_each(${param('areasByResource')}, '$."' || ${resourceOfPattern} || '"') area
        WHERE ${keyLacksScope(sql`area.value || ':read'`)})
      OR (${apiKeys.products} IS NOT NULL AND (${products} IS NULL OR EXISTS (SELECT 1 FROM json_each(${products}) wanted
        WHERE wanted.value NOT IN (SELECT value FROM json_each(${apiKeys.products})))))))`,
  )

/** For `makeKeyCannotReadGuard`. */
export const READ_AREAS_BINDING = {
  areasByResource: JSON.stringify(
    Object.fromEntries(
      EVENT_PATTERNS.filter((pattern) => pattern.endsWith('*')).map((pattern) => [
        pattern.split('.')[0],
        areasOfPattern(pattern),
      ]),
    ),
  ),
}

/** `products`: id of the product as a JSON array. `scope` is bound. */
export const makeKeyCannotWriteGuard = ({ keyId, products }: ActingKey) =>
  guard<Values>(
    sql`'insufficient_scope:The API key of the webhook lacks the scope ' || ${param('scope')}
      || ' or the product. Send the id of another key in apiKeyId.'`,
    sql`EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${isOtherKey(keyId)} AND (${keyLacksScope(sql`${param('scope')}`)}
      OR (${apiKeys.products} IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(${products}) wanted
        WHERE wanted.value NOT IN (SELECT value FROM json_each(${apiKeys.products}))))))`,
  )
