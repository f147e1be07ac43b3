import * as z from 'zod'
import { listQuery } from '../../http/pagination'
import { integer, line, moment, Timestamp } from '../../http/schemas'
import { SCOPES } from '../../http/token'
import { ExternalKey } from '../products/schema'

const LONGEST_LIFE = 10 * 365 * 86_400_000

const ahead = () =>
  moment()
    .refine((at) => at > Date.now(), 'Must lie ahead')
    .refine((at) => at <= Date.now() + LONGEST_LIFE, 'Must not lie more than ten years ahead')

export const ApiKeyParams = z.object({
  apiKeyId: integer({ min: 1 }).meta({ description: 'Id of the key.', example: 1 }),
})

const scopes = z.array(z.enum(SCOPES)).min(1).max(SCOPES.length)

export const CreateApiKey = z
  .object({
    name: line(200),
    scopes: scopes.meta({ description: '`<area>:read`, `<area>:write`, or `*`; none that the creating key lacks.' }),
    products: z.array(ExternalKey).min(1).max(100).optional().meta({ description: 'Limits the key to these.' }),
    userId: z.int().positive().optional().meta({
      description: 'Whom it acts as: another user needs a key with the scope `*`. Default: the user of the key.',
    }),
    expiresAt: ahead().optional().meta({
      description:
        'At most the end of the key you call with, and ten years ahead. When absent a year from now, or that end.',
    }),
  })
  .meta({ id: 'CreateApiKey', examples: [{ name: 'ci', scopes: ['backlog:read'] }] })

export const ListApiKeys = listQuery(['-createdAt', 'createdAt'])

export const RevokeApiKey = z.object({
  keepIssued: z
    .enum(['false', 'true'])
    .default('false')
    .meta({ description: 'Whether the keys and webhooks that it made go on working.' }),
})

export const RotateApiKey = z
  .object({
    oldKeyExpiresAt: ahead().optional().meta({ description: 'Until when the old key works; 24 hours when absent.' }),
  })
  .optional()
  .meta({ id: 'RotateApiKey', examples: [{}] })

export const ApiKey = z
  .object({
    id: z.int(),
    name: z.string(),
    userId: z.int().meta({ description: 'Whom it acts as.' }),
    scopes: z.array(z.string()),
    products: z.array(z.string()).nullable().meta({ description: 'External keys; null for every product.' }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    lastUsedAt: Timestamp.nullable().meta({ description: 'Exact to a quarter of an hour.' }),
    revokedAt: Timestamp.nullable().meta({ description: 'From when it does not work; after a rotation, ahead.' }),
    issuedBy: z.int().nullable().meta({ description: 'Id of the key that made it; null where no key did.' }),
    rotatedBy: z.int().nullable().meta({
      description: 'Id of the key that made this one by rotation; null for a key that succeeds no other.',
    }),
  })
  .meta({ id: 'ApiKey' })

export const NewApiKey = ApiKey.extend({
  token: z.string().meta({ description: 'The key itself, a JWT. Shown once: it is not stored.' }),
}).meta({ id: 'NewApiKey' })
