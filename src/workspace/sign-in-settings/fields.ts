import { sql } from 'drizzle-orm'
import { record } from '../../db/records/record'
import { signInDomains, signInSettings as table } from '../../db/schema/sign-in-settings'
import { computedList, enumField, type Field, flag, json } from '../../db/sql/field'
import { caller } from '../../db/sql/statement'
import { toIso } from '../../text/moments'
import type { PROVIDER_ROLES } from './schema'

export const truth = (value: ReturnType<typeof sql>) => sql`iif(${value}, 'true', 'false')`
export const hasSecret = sql`${table.clientSecret} IS NOT NULL`
const secretField: Field<number, boolean, never> = {
  sql: hasSecret,
  show: (stored) => stored === 1,
  json: () => sql`json(${truth(hasSecret)})`,
}

interface DomainCheck {
  domain: string
  checkedAt: number | null
  missingSince: number | null
}

const domainChecks =
  computedList<DomainCheck>(sql`(SELECT json_group_array(json_object('domain', d.domain, 'checkedAt', d.checked_at,
    'missingSince', d.missing_since) ORDER BY d.domain) FROM ${signInDomains} d WHERE d.subscription_id = ${caller.subscription})`)
/** Checks change without an event. */
const domainChecksField: Field<
  string,
  { domain: string; checkedAt: string | null; missingSince: string | null }[],
  never
> = {
  sql: domainChecks.sql,
  show: (stored) =>
    (JSON.parse(stored) as DomainCheck[]).map(({ domain, checkedAt, missingSince }) => ({
      ...{ domain, checkedAt: toIso(checkedAt), missingSince: toIso(missingSince) },
    })),
  json: () => sql`json('[]')`,
}

export const signInSettings = record('sign_in_settings', {
  table,
  scope: 'workspace',
  key: {},
  id: table.subscriptionId,
  name: sql`'sign_in_settings'`,
  fields: {
    issuer: table.issuer,
    clientId: table.clientId,
    hasClientSecret: secretField,
    domains: json<string[]>(table.domains),
    verifiedDomains: json<string[]>(table.verifiedDomains),
    domainChecks: domainChecksField,
    role: enumField<(typeof PROVIDER_ROLES)[number]>(table.role),
    onlyProvider: flag(table.onlyProvider),
  },
})
