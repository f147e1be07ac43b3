import * as z from 'zod'
import { createListQuery } from '../../http/pagination'
import { BrowserOrigin, integer, line, moment, Timestamp } from '../../http/schemas'
import { SCOPES } from '../../http/token'
import { ProductExternalKey } from '../products/schema'

const MAX_KEY_LIFETIME_MS = 10 * 365 * 86_400_000

const createFutureMomentSchema = () =>
  moment()
    .refine((at) => at > Date.now(), 'Must be in the future')
    .refine((at) => at <= Date.now() + MAX_KEY_LIFETIME_MS, 'Must be at most ten years in the future')

export const ApiKeyParams = z.object({
  apiKeyId: integer({ min: 1 }).meta({ description: 'Id of the key.', example: 1 }),
})

const MAX_KEY_ORIGINS = 20

const apiKeyScopes = z.array(z.enum(SCOPES)).min(1).max(SCOPES.length)

export const CreateApiKey = z
  .object({
    name: line(200),
    scopes: apiKeyScopes.meta({ description: '`<area>:read`, `<area>:write`, or `*`; only scopes of your key.' }),
    products: z
      .array(ProductExternalKey)
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'External keys of the products that the key is limited to.' }),
    userId: z.int().positive().optional().meta({
      description: 'User that the key acts as; by default the user of your key. Another user requires the scope `*`.',
    }),
    kind: z.enum(['secret', 'publishable']).optional().meta({
      description:
        '`secret` (default) for programs. `publishable` for pages that everybody can read: the key only calls a portal, from `origins`.',
    }),
    origins: z.array(BrowserOrigin).min(1).max(MAX_KEY_ORIGINS).optional().meta({
      description: 'Origins whose pages may use the publishable key, such as https://app.example.com.',
    }),
    expiresAt: createFutureMomentSchema().optional().meta({
      description:
        'End of the key: at most the end of your key, and ten years from now. The default is one year from now, or the end of your key if earlier.',
    }),
  })
  .meta({ id: 'CreateApiKey', examples: [{ name: 'ci', scopes: ['backlog:read'] }] })

/** A key that is created together with its webhook. */
export const NewKeyOfWebhook = z.object({
  name: line(200),
  scopes: apiKeyScopes.meta({ description: 'Only scopes of your key.' }),
})

export const ListApiKeys = createListQuery(['-createdAt', 'createdAt'])

export const RevokeApiKey = z.object({
  keepIssued: z
    .enum(['false', 'true'])
    .default('false')
    .meta({ description: '`true` revokes only this key: the keys that it created continue to work.' }),
})

export const RotateApiKey = z
  .object({
    oldKeyExpiresAt: createFutureMomentSchema()
      .optional()
      .meta({ description: 'End of the old key; by default in 24 hours.' }),
  })
  .optional()
  .meta({ id: 'RotateApiKey', examples: [{}] })

export const ApiKey = z
  .object({
    id: z.int(),
    name: z.string(),
    userId: z.int().meta({ description: 'User that the key acts as.' }),
    scopes: z.array(z.string()),
    products: z.array(z.string()).nullable().meta({ description: 'External keys; null for all products.' }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    lastUsedAt: Timestamp.nullable().meta({ description: 'Last use, exact to 15 minutes.' }),
    revokedAt: Timestamp.nullable().meta({ description: 'End by revocation, or by rotation in the future.' }),
    issuedBy: z.int().nullable().meta({ description: 'Id of the key that created this key, or null.' }),
    rotatedBy: z.int().nullable().meta({
      description: 'Id of the key that made this key by rotation; null for a key without a predecessor.',
    }),
    kind: z.enum(['secret', 'publishable']),
    origins: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Origins of a publishable key; null for another kind.' }),
    publishableKey: z
      .string()
      .nullable()
      .meta({ description: 'The publishable key itself, which is no secret; null for another kind.' }),
  })
  .meta({ id: 'ApiKey' })

export const NewApiKey = ApiKey.extend({
  token: z.string().meta({ description: 'The key itself: a JWT, shown once and not stored, or a publishable key.' }),
}).meta({ id: 'NewApiKey' })
