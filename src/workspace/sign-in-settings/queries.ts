import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { type Guard, guard } from '../../db/client/refuse'
import { type DerivedField, updateStatement } from '../../db/records/change'
import { signInDomains, signInSettings as table } from '../../db/schema/sign-in-settings'
import { caller, param } from '../../db/sql/statement'
import type { SealedSecret } from '../../http/sealed-secret'
import { hasSecret, signInSettings, truth } from './fields'
import { ModifySignInSettings } from './schema'

export const getSignInSettings = (db: Database) => signInSettings.get(db, {})

const updateSettings = updateStatement(signInSettings, ModifySignInSettings, { except: ['clientSecret'] })

const secretFields: readonly DerivedField[] = [
  {
    name: 'hasClientSecret',
    json: truth(hasSecret),
    differs: sql`${table.clientSecret} IS NOT ${param('secret')}`,
    newValue: truth(sql`${param('secret')} IS NOT NULL`),
    source: { column: table.clientSecret, value: sql`${param('secret')}` },
  },
  {
    name: 'sealedBy',
    json: sql`NULL`,
    differs: sql`false`,
    source: { column: table.sealedBy, value: sql`${param('sealer')}` },
  },
]

const verifiedDomainsField: DerivedField = {
  name: 'verifiedDomains',
  json: sql`${table.verifiedDomains}`,
  differs: sql`${table.verifiedDomains} <> ${param('=verified')}`,
  newValue: sql`${param('=verified')}`,
  source: { column: table.verifiedDomains, value: sql`${param('=verified')}` },
}

const domainTaken = guard<{ '=verified': string }>(
  'conflict:Another workspace has verified one of these domains. Remove the domain there first.',
  sql`EXISTS (SELECT 1 FROM json_each(${param('=verified')}) v CROSS JOIN ${signInDomains} ON ${signInDomains.domain} = v.value
    AND ${signInDomains.subscriptionId} <> ${caller.subscription})`,
)

export const makeDomainGuards = (verified: readonly string[]): Guard[] => [
  domainTaken({ '=verified': JSON.stringify(verified) }),
]

export interface StoredChange extends Omit<z.output<typeof ModifySignInSettings>, 'clientSecret'> {
  secret?: SealedSecret | { secret: null; sealer: null } | undefined
  /** Some of the domains; sent together with the domains. */
  verified?: string[] | undefined
}

/** A domain that leaves the settings is verified again when it returns. */
export function modifySignInSettings(
  db: Database,
  { secret, verified, ...body }: StoredChange,
  ifMatch: string | null,
) {
  const verifiedJson = verified && { '=verified': JSON.stringify(verified) }
  return signInSettings.save(db, {
    guards: [...signInSettings.writeGuards({}, ifMatch), ...(verified ? makeDomainGuards(verified) : [])],
    statements: updateSettings({ ...secret, ...verifiedJson }, body, [
      ...(secret ? secretFields : []),
      ...(verifiedJson ? [verifiedDomainsField] : []),
    ]),
    returning: signInSettings.returningByKey({}),
  })
}
