import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { callersKey } from '../../db/access'
import { changes } from '../../db/change'
import { json, moment } from '../../db/field'
import { limitedTo } from '../../db/limits'
import { type Key, record } from '../../db/record'
import { apiKeys } from '../../db/schema/tenancy'
import { caller, param } from '../../db/statement'

const key = { apiKeyId: apiKeys.id }
export type ApiKeyKey = Key<typeof key>

export const DECLARED = {
  table: apiKeys,
  within: 'workspace',
  key,
  fields: {
    id: apiKeys.id,
    name: apiKeys.name,
    userId: apiKeys.userId,
    scopes: json<string[]>(apiKeys.scopes),
    products: limitedTo(apiKeys.products),
    createdAt: moment(apiKeys.createdAt),
    expiresAt: moment(apiKeys.expiresAt),
    lastUsedAt: moment(apiKeys.lastUsedAt),
    revokedAt: moment(apiKeys.revokedAt),
    issuedBy: apiKeys.issuedBy,
    rotatedBy: apiKeys.rotatedBy,
  },
} as const

export const apiKey = record('api_key', DECLARED)

export const working = sql`(${apiKeys.revokedAt} IS NULL OR ${apiKeys.revokedAt} > ${caller.now})`

const expired = sql`${apiKeys.expiresAt} <= ${caller.now}`

const madeInDescent = (maker: SQLiteColumn) => sql`SELECT ${apiKeys.id} FROM descent CROSS JOIN ${apiKeys}
    ON ${apiKeys.subscriptionId} = ${caller.subscription} AND ${maker} = descent.id`

/**
 * Ids of the selected keys and all descendants, also through ended keys. The holder of a key has seen the tokens of the
 * created keys and of the successors by rotation. A key created before another key rotated its maker belongs to the
 * maker and to the successor.
 */
export const descentOf = (which: SQL) => sql`WITH RECURSIVE descent(id) AS (
  SELECT ${apiKeys.id} FROM ${apiKeys} WHERE ${which}
  UNION ${madeInDescent(apiKeys.issuedBy)} UNION ${madeInDescent(apiKeys.rotatedBy)}
  UNION ${madeInDescent(apiKeys.firstIssuedBy)})
  SELECT id FROM descent`

/**
 * Maker to remember when a rotation of the key in the path passes a record to the successor: `first` if already
 * remembered, or `maker`. A key that rotates itself is not remembered, because revoking the key ends the successor.
 */
export const firstMaker = (first: SQLiteColumn, maker: SQLiteColumn) =>
  sql`iif(${callersKey} = ${param('apiKeyId')}, ${first}, coalesce(${first}, ${maker}))`

export const ancestryOf = (which: SQL) => sql`WITH RECURSIVE ancestry(id, maker) AS (
  SELECT ${apiKeys.id}, ${apiKeys.issuedBy} FROM ${apiKeys} WHERE ${which}
  UNION SELECT ${apiKeys.id}, ${apiKeys.issuedBy} FROM ancestry CROSS JOIN ${apiKeys}
    ON ${apiKeys.id} = ancestry.maker AND +${apiKeys.subscriptionId} = ${caller.subscription})
  SELECT id FROM ancestry`

/** Revokes the selected keys and all descendants at once. Expired keys outside `named` stay unchanged. */
const endsDescentOf = (which: SQL, named = sql`false`) =>
  changes(
    apiKey,
    sql`+${apiKey.visible} AND ${apiKeys.id} IN (${descentOf(which)}) AND ${working} AND (NOT ${expired} OR ${named})`,
    { revokedAt: sql`${caller.now}` },
    { happening: 'revoked' },
  )

/** Revokes the key in the path and all descendants. An already revoked key stays unchanged. */
export const endDescent = endsDescentOf(apiKey.addressed, apiKey.addressed)

/**
 * Revokes the keys of a user and all descendants. A revoked key is not selected, because the revocation has already
 * decided about the descendants.
 */
export const endKeysOf = (user: SQL) =>
  endsDescentOf(sql`${apiKey.visible} AND ${apiKeys.userId} = ${user} AND ${working}`)
