import * as z from 'zod'
import type { Actor } from '../../db/actor'
import type { Env } from '../../env'
import { EACH_LINK, walk } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { allows, signKey } from '../../http/token'
import { ApiError } from '../../text/errors'
import * as queries from './queries'
import { ApiKey, ApiKeyParams, CreateApiKey, ListApiKeys, NewApiKey, RevokeApiKey, RotateApiKey } from './schema'

const DAY = 86_400_000

type Issued = Awaited<ReturnType<typeof queries.createApiKey>>

const withToken = async (env: Env, { subscriptionId }: Actor, { key, claims }: Issued, happening: string) => ({
  data: { ...key, token: await signKey(env.SIGNING_SECRETS, { subscriptionId, ...claims }) },
  message: `API key ${happening}. Keep the token: it is not shown again.`,
})

export const createApiKey = operation({
  id: 'createApiKey',
  of: 'api_key',
  route: 'POST /api/v2/api-keys',
  summary: 'Create an API key',
  description:
    'The token is shown once, in `data.token`. No key makes one that may do more, reaches further or lives longer than itself.',
  status: 201,
  location: '/api/v2/api-keys/{id}',
  body: CreateApiKey,
  data: NewApiKey,
  async handle({ body, db, actor, env }) {
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
    return withToken(env, actor, await queries.createApiKey(db, { ...body, userId }, forOther), 'created')
  },
})

export const listApiKeys = operation({
  id: 'listApiKeys',
  of: 'api_key',
  route: 'GET /api/v2/api-keys',
  summary: 'List API keys',
  description:
    'The newest first, the revoked and expired ones too. Tokens are not shown. A key that is limited to products sees only keys that are limited to some of them, and walks those of the workspace for it.',
  query: ListApiKeys,
  data: z.array(ApiKey),
  handle: ({ query, db }) => queries.listApiKeys(db, query),
})

export const getApiKey = operation({
  id: 'getApiKey',
  of: 'api_key',
  route: 'GET /api/v2/api-keys/{apiKeyId}',
  summary: 'Retrieve an API key',
  description: 'Also one that was revoked or has expired. Its token is not shown.',
  params: ApiKeyParams,
  data: ApiKey,
  handle: ({ params, db }) => queries.getApiKey(db, params),
})

export const revokeApiKey = operation({
  id: 'revokeApiKey',
  ceiling: walk(570_000, EACH_LINK),
  of: 'api_key',
  route: 'DELETE /api/v2/api-keys/{apiKeyId}',
  summary: 'Revoke an API key',
  description:
    'It stops working at once, with all keys that it made, and those that they made: the keys that it created, and the successors that it made by rotation, its own too. A successor that another key made stays, but the keys that the revoked key made before that rotation end, and its webhooks and incoming webhooks stop until somebody modifies them. `keepIssued=true` spares all of these; a later revocation without it still ends them.',
  stops: true,
  params: ApiKeyParams,
  query: RevokeApiKey,
  data: ApiKey,
  message: 'API key revoked',
  conditional: false,
  handle: ({ params, query, db, now }) => queries.revokeApiKey(db, params, now, query.keepIssued === 'true'),
})

export const rotateApiKey = operation({
  id: 'rotateApiKey',
  ceiling: walk(80_000, EACH_LINK),
  of: 'api_key',
  route: 'POST /api/v2/api-keys/{apiKeyId}/rotate',
  summary: 'Rotate an API key',
  description:
    'Makes a key that may do the same, and ends the old one in 24 hours or at `oldKeyExpiresAt`. It takes the place of the old one: the same key made it (`issuedBy`), and the keys and webhooks of the old one pass to it. `rotatedBy` is the key you call with: revoking that one ends the successor too. To replace a leaked key, rotate it with another key and revoke it then: that ends what the leaked key made, and spares the successor. It lives as long as the old one was meant to, but no longer than the key you call with. A key that has its end already is a 409. Only a key with the scope `*` rotates a key of another user, and none rotates the key that made it; a key that somebody else has made or rotated does not show an anonymous author.',
  status: 201,
  location: '/api/v2/api-keys/{id}',
  stops: true,
  params: ApiKeyParams,
  body: RotateApiKey,
  data: NewApiKey,
  async handle({ params, body, db, actor, env, now }) {
    const made = await queries.rotateApiKey(db, params, body?.oldKeyExpiresAt ?? now + DAY)
    return withToken(env, actor, made, 'rotated')
  },
})
