import * as z from 'zod'
import type { Actor } from '../../db/actor'
import type { Env } from '../../env'
import { operation } from '../../http/operation'
import { allows, signKey } from '../../http/token'
import { ApiError, invalid } from '../../text/errors'
import * as queries from './queries'
import { ApiKey, ApiKeyParams, CreateApiKey, ListApiKeys, NewApiKey, RotateApiKey } from './schema'

const DAY = 86_400_000
const DEFAULT_LIFE = 365 * DAY
const LONGEST_LIFE = 10 * DEFAULT_LIFE

/** The key with its token: made from the row alone, so that a retry is answered with the same one. */
async function withToken(
  env: Env,
  { subscriptionId }: Actor,
  { key, claims }: Awaited<ReturnType<typeof queries.createApiKey>>,
): Promise<z.input<typeof NewApiKey>> {
  const token = await signKey(env.SIGNING_SECRETS, {
    subscriptionId,
    userId: key.userId,
    jti: claims.jti,
    scopes: key.scopes,
    products: claims.productIds && JSON.parse(claims.productIds),
    issuedAt: claims.issuedAt,
    expiresAt: claims.endsAt,
  })
  return { ...key, token }
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
    const userId = body.userId ?? actor.userId
    const forOther = userId !== actor.userId
    if (forOther && !actor.scopes.includes('*')) {
      throw new ApiError(
        'insufficient_scope',
        'Only an API key with the scope * makes keys of other users. Leave userId out for one of your own.',
      )
    }
    const expiresAt = body.expiresAt === undefined ? now + DEFAULT_LIFE : ahead('/expiresAt', body.expiresAt, now)
    const made = await queries.createApiKey(db, {
      jti: crypto.randomUUID(),
      body: { ...body, userId, expiresAt },
      forOther,
    })
    return {
      data: await withToken(env, actor, made),
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
    'The newest first, the revoked and expired ones too. Tokens are not shown. A key that is limited to products sees only keys that are limited to some of them, and walks those of the workspace for it.',
  scope: 'keys:read',
  query: ListApiKeys,
  data: z.array(ApiKey),
  handle: ({ query, db }) => queries.listApiKeys(db, query),
})

export const revokeApiKey = operation({
  id: 'revokeApiKey',
  method: 'delete',
  path: '/api/v2/api-keys/{apiKeyId}',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description: 'It stops working at once.',
  scope: 'keys:write',
  params: ApiKeyParams,
  data: ApiKey,
  errors: ['api_key_not_found'],
  async handle({ params, db, actor, now }) {
    const { data } = await queries.revokeApiKey(db, params, actor.scopes, now)
    return { data, message: 'API key revoked' }
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
  params: ApiKeyParams,
  body: RotateApiKey,
  data: NewApiKey,
  errors: ['api_key_not_found'],
  async handle({ params, body, db, actor, env, now }) {
    const made = await queries.rotateApiKey(db, params, {
      jti: crypto.randomUUID(),
      until: body?.oldKeyExpiresAt === undefined ? now + DAY : ahead('/oldKeyExpiresAt', body.oldKeyExpiresAt, now),
      callerScopes: actor.scopes,
    })
    return {
      data: await withToken(env, actor, made),
      message: 'API key rotated. Keep the token: it is not shown again.',
    }
  },
})
