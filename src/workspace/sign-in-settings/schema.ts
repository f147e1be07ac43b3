import * as z from 'zod'
import { line, Timestamp } from '../../http/schemas'
import { toAsciiDomain } from '../../text/addresses'

const MAX_DOMAINS = 20
const DOMAIN_PATTERN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** Roles that a new person gets from a provider. */
export const PROVIDER_ROLES = ['member', 'viewer'] as const

export const Domain = line(253)
  .overwrite(toAsciiDomain)
  .toLowerCase()
  .regex(DOMAIN_PATTERN, 'Must be a domain, like example.com')

const DESCRIPTIONS = {
  issuer:
    'Address of the OpenID provider, which is the `issuer` of its `/.well-known/openid-configuration`. Null turns the provider off.',
  clientId: 'Id of this service at the provider.',
  clientSecret: 'Secret of this service at the provider, which no answer shows. Null for a client without a secret.',
  domains: 'Domains of addresses that sign in by the provider. A domain works when it is verified.',
  role: 'Role of a new person who signs in by the provider.',
  onlyProvider:
    'Whether people of the team whose address has a verified domain sign in by the provider only. The others still sign in by mail.',
}

export const ModifySignInSettings = z
  .object({
    issuer: line(500).nullable().optional().meta({ format: 'uri', description: DESCRIPTIONS.issuer }),
    clientId: line(300).nullable().optional().meta({ description: DESCRIPTIONS.clientId }),
    clientSecret: line(1_000).nullable().optional().meta({ description: DESCRIPTIONS.clientSecret }),
    domains: z.array(Domain).max(MAX_DOMAINS).optional().meta({ description: DESCRIPTIONS.domains }),
    role: z.enum(PROVIDER_ROLES).optional().meta({ description: DESCRIPTIONS.role }),
    onlyProvider: z.boolean().optional().meta({ description: DESCRIPTIONS.onlyProvider }),
  })
  .meta({
    id: 'ModifySignInSettings',
    examples: [{ issuer: 'https://login.example.com', clientId: 'groundwork', role: 'viewer' }],
  })

export const SignInSettings = z
  .object({
    issuer: z.string().nullable().meta({ description: DESCRIPTIONS.issuer }),
    clientId: z.string().nullable().meta({ description: DESCRIPTIONS.clientId }),
    hasClientSecret: z.boolean(),
    domains: z.array(z.string()).meta({ description: DESCRIPTIONS.domains }),
    verifiedDomains: z.array(z.string()).meta({ description: 'Domains that are verified.' }),
    domainChecks: z
      .array(
        z.object({
          domain: z.string(),
          checkedAt: Timestamp.nullable().meta({
            description: 'Time of the last daily lookup; null before the first.',
          }),
          missingSince: Timestamp.nullable().meta({
            description:
              'First of the last lookups that found no record, or null. After three days and three lookups the domain is no longer verified.',
          }),
        }),
      )
      .meta({ description: 'Lookups of the verified domains. Events leave them out.' }),
    role: z.enum(PROVIDER_ROLES).meta({ description: DESCRIPTIONS.role }),
    onlyProvider: z.boolean().meta({ description: DESCRIPTIONS.onlyProvider }),
  })
  .meta({ id: 'SignInSettings', description: 'How people of the team sign in by a provider of the workspace.' })
