import * as z from 'zod'
import type { Actor } from '../../db/actor'
import type { Env } from '../../env'
import { operation } from '../../http/operation'
import { listQuery } from '../../http/pagination'
import { integer } from '../../http/schemas'
import { allows, signKey } from '../../http/token'
import { ApiError, invalid } from '../../text/errors'
import { iso } from '../../text/moments'
import * as queries from './queries'
import { ApiKey, CreateApiKey, NewApiKey, RotateApiKey } from './schema'

const DAY = 86_400_000
const DEFAULT_LIFE = 365 * DAY
const LONGEST_LIFE = 10 * DEFAULT_LIFE

const KeyParams = z.object({
  apiKeyId: integer({ min: 1 }).meta({ description: 'Id of the key.', example: 1 }),
})

function toApiKey(row: queries.KeyRow): z.input<typeof ApiKey> {
  return {
    id: row.id,
    name: row.name,
    scopes: JSON.parse(row.scopes),
    products: row.productKeys && JSON.parse(row.productKeys),
    createdAt: iso(row.createdAt),
    expiresAt: iso(row.expiresAt),
    lastUsedAt: iso(row.lastUsedAt),
    revokedAt: iso(row.revokedAt),
  }
}

/** The key with its token: made from the row alone, so that a retry is answered with the same one. */
async function withToken(env: Env, actor: Actor, row: queries.KeyRow): Promise<z.input<typeof NewApiKey>> {
  const token = await signKey(env.SIGNING_SECRETS, {
    subscriptionId: actor.subscriptionId,
    userId: row.userId,
    jti: row.jti,
    scopes: JSON.parse(row.scopes),
    products: row.productIds && JSON.parse(row.productIds),
    issuedAt: row.createdAt,
    expiresAt: row.expiresAt,
  })
  return { ...toApiKey(row), token }
}

function ahead(path: string, at: number, now: number): number {
  if (at <= now) throw invalid(path, 'Must lie ahead')
  if (at > now + LONGEST_LIFE) throw invalid(path, 'Must not lie more than ten years ahead')
  return at
}

export const createApiKey = operation({
  id: 'createApiKey',
  method: 'post',
  path: '/api/v2/api-keys',
  tag: 'API keys',
  summary: 'Create an API key',
  description: 'The token is shown once, in `data.token`.',
  scope: 'keys:write',
  status: 201,
  body: CreateApiKey,
  data: NewApiKey,
  async handle({ body, db, actor, env, now }) {
    const excess = body.scopes.find((scope) => !allows(actor.scopes, scope))
    if (excess) {
      throw new ApiError('insufficient_scope', `This API key lacks the scope ${excess}, so it cannot grant it.`)
    }
    const row = await queries.createKey(db, {
      jti: crypto.randomUUID(),
      name: body.name,
      scopes: body.scopes,
      products: body.products,
      expiresAt: body.expiresAt === undefined ? now + DEFAULT_LIFE : ahead('/expiresAt', body.expiresAt, now),
    })
    return {
      data: await withToken(env, actor, row),
      message: 'API key created. Keep the token: it is not shown again.',
    }
  },
})

export const listApiKeys = operation({
  id: 'listApiKeys',
  method: 'get',
  path: '/api/v2/api-keys',
  tag: 'API keys',
  summary: 'List API keys',
  description:
    'The newest first, the revoked and expired ones too. Tokens are not shown. A key that is limited to products sees only keys that are limited to some of them.',
  scope: 'keys:read',
  query: listQuery(['-createdAt', 'createdAt']),
  data: z.array(ApiKey),
  async handle({ query, db }) {
    const { rows, next } = await queries.listKeys(db, query)
    return { data: rows.map(toApiKey), next }
  },
})

export const revokeApiKey = operation({
  id: 'revokeApiKey',
  method: 'delete',
  path: '/api/v2/api-keys/{apiKeyId}',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description: 'It stops working at once.',
  scope: 'keys:write',
  params: KeyParams,
  data: ApiKey,
  errors: ['api_key_not_found'],
  async handle({ params, db, actor, now }) {
    const row = await queries.revokeKey(db, params.apiKeyId, actor.scopes, now)
    return { data: toApiKey(row), message: 'API key revoked' }
  },
})

export const rotateApiKey = operation({
  id: 'rotateApiKey',
  method: 'post',
  path: '/api/v2/api-keys/{apiKeyId}/rotate',
  tag: 'API keys',
  summary: 'Rotate an API key',
  description:
    'Makes a key that may do the same, and ends the old one in 24 hours or at `oldKeyExpiresAt`. A key that has its end already is a 409. Only a key with the scope `*` rotates a key of another user.',
  scope: 'keys:write',
  status: 201,
  params: KeyParams,
  body: RotateApiKey,
  data: NewApiKey,
  errors: ['api_key_not_found'],
  async handle({ params, body, db, actor, env, now }) {
    const row = await queries.rotateKey(db, {
      id: params.apiKeyId,
      jti: crypto.randomUUID(),
      until: body?.oldKeyExpiresAt === undefined ? now + DAY : ahead('/oldKeyExpiresAt', body.oldKeyExpiresAt, now),
      scopes: actor.scopes,
    })
    return {
      data: await withToken(env, actor, row),
      message: 'API key rotated. Keep the token: it is not shown again.',
    }
  },
})
