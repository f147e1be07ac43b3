import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { changes } from '../../db/change'
import { json, moment } from '../../db/field'
import { limitedTo } from '../../db/limits'
import { type Key, record } from '../../db/record'
import { apiKeys } from '../../db/schema/tenancy'
import { caller } from '../../db/statement'

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
 * Ids of the keys that `which` selects and of their descendants, also through keys that have ended. The holder of a key
 * has seen the tokens of both: of the keys that the key created, and of the successors that the key made by rotation.
 */
const descentOf = (which: SQL) => sql`WITH RECURSIVE descent(id) AS (
  SELECT ${apiKeys.id} FROM ${apiKeys} WHERE ${which}
  UNION ${madeInDescent(apiKeys.issuedBy)} UNION ${madeInDescent(apiKeys.rotatedBy)})
  SELECT id FROM descent`

/** Ids of the keys that `which` selects, and of all that they descend from. */
export const ancestryOf = (which: SQL) => sql`WITH RECURSIVE ancestry(id, maker) AS (
  SELECT ${apiKeys.id}, ${apiKeys.issuedBy} FROM ${apiKeys} WHERE ${which}
  UNION SELECT ${apiKeys.id}, ${apiKeys.issuedBy} FROM ancestry CROSS JOIN ${apiKeys}
    ON ${apiKeys.id} = ancestry.maker AND +${apiKeys.subscriptionId} = ${caller.subscription})
  SELECT id FROM ancestry`

/** Ends keys and their descent at once. What has expired stays as it is, but for those in `named`. */
const endsDescentOf = (which: SQL, named = sql`false`) =>
  changes(
    apiKey,
    sql`+${apiKey.visible} AND ${apiKeys.id} IN (${descentOf(which)}) AND ${working} AND (NOT ${expired} OR ${named})`,
    { revokedAt: sql`${caller.now}` },
    { happening: 'revoked' },
  )

/** Ends the key in the path and its descent; of one that has ended already, the descent. */
export const endDescent = endsDescentOf(apiKey.addressed, apiKey.addressed)

/** Ends the keys of a user, and theirs. One that had ended keeps what it was let keep. */
export const endKeysOf = (user: SQL) =>
  endsDescentOf(sql`${apiKey.visible} AND ${apiKeys.userId} = ${user} AND ${working}`)
