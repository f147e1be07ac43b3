import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { updateWhere } from '../../db/records/change'
import { type Key, record } from '../../db/records/record'
import { apiKeys } from '../../db/schema/tenancy'
import { computedValue, enumField, json, moment, nullableJson } from '../../db/sql/field'
import { limitedProductsField } from '../../db/sql/limits'
import { caller, inline, type Statement, type Values } from '../../db/sql/statement'
import { PUBLISHABLE_KEY_PREFIX } from '../../http/publishable-key'
import { scopesOfRole } from '../sessions/fields'
import { endSessionsOfUser, session } from '../sessions/statements'

const apiKeyKeyColumns = { apiKeyId: apiKeys.id }
export type ApiKeyKey = Key<typeof apiKeyKeyColumns>

/** Sessions of people are rows of the same table. */
const IS_KEY = sql`AND ${apiKeys.kind} <> 'session'`

export const API_KEY_DECLARATION = {
  table: apiKeys,
  scope: 'workspace',
  key: apiKeyKeyColumns,
  discriminator: IS_KEY,
  fields: {
    id: apiKeys.id,
    name: apiKeys.name,
    userId: apiKeys.userId,
    scopes: json<string[]>(apiKeys.scopes),
    products: limitedProductsField(apiKeys.products),
    createdAt: moment(apiKeys.createdAt),
    expiresAt: moment(apiKeys.expiresAt),
    lastUsedAt: moment(apiKeys.lastUsedAt),
    revokedAt: moment(apiKeys.revokedAt),
    issuedBy: apiKeys.issuedBy,
    rotatedBy: apiKeys.rotatedBy,
    kind: enumField<'secret' | 'publishable'>(apiKeys.kind),
    origins: nullableJson<string[]>(apiKeys.origins),
    publishableKey: computedValue<string | null>(
      sql`iif(${apiKeys.kind} = 'publishable', ${inline(PUBLISHABLE_KEY_PREFIX)} || ${apiKeys.jti}, NULL)`,
    ),
  },
} as const

export const apiKey = record('api_key', API_KEY_DECLARATION)

export const keyIsNotRevoked = sql`(${apiKeys.revokedAt} IS NULL OR ${apiKeys.revokedAt} > ${caller.now})`

const keyIsExpired = sql`${apiKeys.expiresAt} <= ${caller.now}`

const keyIdsIssuedInDescent = (maker: SQLiteColumn) => sql`SELECT ${apiKeys.id} FROM descent CROSS JOIN ${apiKeys}
    ON ${apiKeys.subscriptionId} = ${caller.subscription} AND ${maker} = descent.id`

/**
 * The holder of a key has seen the tokens of the created keys and of the successors, also through ended keys. A key
 * created before a rotation of its maker belongs to the maker and to the successor.
 */
export const descendantKeyIds = (which: SQL) => sql`WITH RECURSIVE descent(id) AS (
  SELECT ${apiKeys.id} FROM ${apiKeys} WHERE ${which}
  UNION ${keyIdsIssuedInDescent(apiKeys.issuedBy)} UNION ${keyIdsIssuedInDescent(apiKeys.rotatedBy)}
  UNION ${keyIdsIssuedInDescent(apiKeys.firstIssuedBy)})
  SELECT id FROM descent`

export const ancestorKeyIds = (which: SQL) => sql`WITH RECURSIVE ancestry(id, maker) AS (
  SELECT ${apiKeys.id}, ${apiKeys.issuedBy} FROM ${apiKeys} WHERE ${which}
  UNION SELECT ${apiKeys.id}, ${apiKeys.issuedBy} FROM ancestry CROSS JOIN ${apiKeys}
    ON ${apiKeys.id} = ancestry.maker AND +${apiKeys.subscriptionId} = ${caller.subscription})
  SELECT id FROM ancestry`

const revokeSelectedWithDescendants = (which: SQL, expiredToo = sql`false`) =>
  updateWhere(
    apiKey,
    sql`+${apiKey.notDeleted} AND ${apiKeys.id} IN (${descendantKeyIds(which)}) AND ${keyIsNotRevoked} AND (NOT ${keyIsExpired} OR ${expiredToo})`,
    { revokedAt: sql`${caller.now}` },
    { happening: 'revoked' },
  )

export const revokeKeyWithDescendants = revokeSelectedWithDescendants(apiKey.byKey, apiKey.byKey)

/**
 * A revoked key is not selected, because the revocation has already decided about the descendants. An ended session is
 * selected, because its end leaves the keys that were created in it.
 */
const rootKeyIdsOfUser = (user: SQL) => sql`SELECT ${apiKeys.id} FROM ${apiKeys}
    WHERE ${apiKey.notDeleted} AND ${apiKeys.userId} = ${user} AND ${keyIsNotRevoked}
  UNION ALL SELECT ${apiKeys.id} FROM ${apiKeys} WHERE ${session.notDeleted} AND ${apiKeys.userId} = ${user}`

export function revokeKeysOfUser(user: SQL): (values: Values) => Statement<never>[] {
  const revokeKeys = revokeSelectedWithDescendants(sql`${apiKeys.id} IN (${rootKeyIdsOfUser(user)})`)
  const endSessions = endSessionsOfUser(user)
  return (values) => [...revokeKeys(values), ...endSessions(values)]
}

/** Keys that were created in the sessions of the users, also through other keys, and that exceed the role. */
export const revokeKeysBeyondRole = (selectUsers: SQL, role: SQLWrapper) =>
  updateWhere(
    apiKey,
    sql`+${apiKey.notDeleted} AND ${apiKeys.id} IN (${descendantKeyIds(sql`${session.notDeleted} AND ${apiKeys.userId} IN ${selectUsers}`)})
      AND ${keyIsNotRevoked} AND NOT ${keyIsExpired} AND EXISTS (SELECT 1 FROM json_each(${apiKeys.scopes}) s
        WHERE NOT EXISTS (SELECT 1 FROM json_each(${scopesOfRole(role)}) r WHERE r.value IN ('*', s.value)))`,
    { revokedAt: sql`${caller.now}` },
    { happening: 'revoked' },
  )
