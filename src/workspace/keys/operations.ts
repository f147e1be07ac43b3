import * as z from 'zod'
import type { Actor } from '../../db/sql/actor'
import type { Env } from '../../env'
import { requireUnlimitedKey } from '../../http/auth'
import { declareCeiling, EACH_LINK_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { signKeyToken } from '../../http/token'
import { ApiError, invalidValueError } from '../../text/errors'
import { refuseExcessScopes } from './grant'
import * as queries from './queries'
import { ApiKey, ApiKeyParams, CreateApiKey, ListApiKeys, NewApiKey, RevokeApiKey, RotateApiKey } from './schema'

const DAY_MS = 86_400_000

type IssuedApiKey = Awaited<ReturnType<typeof queries.createApiKey>>

const replyWithApiKeyToken = async (
  env: Env,
  { subscriptionId }: Actor,
  { key, claims }: IssuedApiKey,
  happening: string,
) =>
  key.publishableKey
    ? { data: { ...key, token: key.publishableKey }, message: 'Publishable key created. It may stand in your pages.' }
    : {
        data: { ...key, token: await signKeyToken(env.SIGNING_SECRETS, { subscriptionId, ...claims }) },
        message: `API key ${happening}. Keep the token: it is not shown again.`,
      }

const PUBLISHABLE_SCOPES = ['feedback:read']

/** Everybody can read a publishable key, so the key has no rights besides those of the readers of a portal. */
function refuseWrongKind({ kind, origins, scopes, products }: z.output<typeof CreateApiKey>, actor: Actor): void {
  if (kind !== 'publishable') {
    if (origins) throw invalidValueError('/origins', 'Only a publishable key has origins. Set kind to publishable.')
    return
  }
  requireUnlimitedKey(actor)
  if (!origins) throw invalidValueError('/origins', 'A publishable key needs the origins of your pages.')
  const excess = scopes.findIndex((scope) => !PUBLISHABLE_SCOPES.includes(scope))
  if (excess >= 0) throw invalidValueError(`/scopes/${excess}`, 'A publishable key has the scope feedback:read only.')
  if (products)
    throw invalidValueError('/products', 'A publishable key has no products: the portal decides what it shows.')
}

export const createApiKey = operation({
  id: 'createApiKey',
  of: 'api_key',
  route: 'POST /api/v2/api-keys',
  summary: 'Create an API key',
  description:
    'The token is shown once, in `data.token`. The new key cannot have more scopes, more products or a later end than your key. A key of the kind `publishable` may stand in pages: it reads a portal from the pages of its `origins`, has the scope `feedback:read`, and lists show it again.',
  status: 201,
  location: '/api/v2/api-keys/{id}',
  body: CreateApiKey,
  data: NewApiKey,
  async handle({ body, db, actor, env }) {
    refuseWrongKind(body, actor)
    refuseExcessScopes(actor, body.scopes)
    const userId = body.userId ?? actor.userId
    const forOther = userId !== actor.userId
    if (forOther && !actor.scopes.includes('*')) {
      throw new ApiError(
        'insufficient_scope',
        'Only an API key with the scope * can create keys for other users. Leave userId out to create a key for yourself.',
      )
    }
    return replyWithApiKeyToken(env, actor, await queries.createApiKey(db, { ...body, userId }, forOther), 'created')
  },
})

export const listApiKeys = operation({
  id: 'listApiKeys',
  of: 'api_key',
  route: 'GET /api/v2/api-keys',
  summary: 'List API keys',
  description:
    'API keys, newest first, with revoked and expired keys. Tokens are not shown. A key that is limited to products sees only keys that are limited to some of its products.',
  query: ListApiKeys,
  data: z.array(ApiKey),
  handle: ({ query, db }) => queries.listApiKeys(db, query),
})

export const getApiKey = operation({
  id: 'getApiKey',
  of: 'api_key',
  route: 'GET /api/v2/api-keys/{apiKeyId}',
  summary: 'Retrieve an API key',
  description: 'Revoked and expired keys are shown too. The token is not shown.',
  params: ApiKeyParams,
  data: ApiKey,
  handle: ({ params, db }) => queries.getApiKey(db, params),
})

export const revokeApiKey = operation({
  id: 'revokeApiKey',
  ceiling: declareCeiling(570_000, EACH_LINK_COST_REASON),
  of: 'api_key',
  route: 'DELETE /api/v2/api-keys/{apiKeyId}',
  summary: 'Revoke an API key',
  description:
    'The key ends at once, together with the keys that it created, also by rotation, and with all keys below them. When another key has rotated this key, the successor stays; the keys that this key created before the rotation end, and its webhooks and incoming webhooks stop until you modify them. `keepIssued=true` ends only this key; a later revocation without `keepIssued` ends the other keys.',
  ignoresQuota: true,
  params: ApiKeyParams,
  query: RevokeApiKey,
  data: ApiKey,
  message: 'API key revoked',
  conditional: false,
  handle: ({ params, query, db, now }) => queries.revokeApiKey(db, params, now, query.keepIssued === 'true'),
})

export const rotateApiKey = operation({
  id: 'rotateApiKey',
  ceiling: declareCeiling(80_000, EACH_LINK_COST_REASON),
  of: 'api_key',
  route: 'POST /api/v2/api-keys/{apiKeyId}/rotate',
  summary: 'Rotate an API key',
  description:
    'Creates a successor with the same permissions, and ends the old key in 24 hours or at `oldKeyExpiresAt`. The successor keeps `issuedBy`, and takes over the keys and webhooks of the old key. `rotatedBy` is your key: revoking your key ends the successor too. To replace a leaked key, rotate the leaked key with another key, then revoke the leaked key: the keys that it created end, and the successor stays. The successor gets the lifetime of the old key, but ends no later than your key. A key that has ended, or whose end is already set, is a 409. Your key can rotate itself and the keys that it created. A key with the scope `*` can also rotate other keys, also of other users, but not a key that created it, directly or through other keys. A key that another user created or rotated does not show anonymous authors.',
  status: 201,
  location: '/api/v2/api-keys/{id}',
  ignoresQuota: true,
  params: ApiKeyParams,
  body: RotateApiKey,
  data: NewApiKey,
  async handle({ params, body, db, actor, env, now }) {
    const made = await queries.rotateApiKey(db, params, body?.oldKeyExpiresAt ?? now + DAY_MS)
    return replyWithApiKeyToken(env, actor, made, 'rotated')
  },
})
