import { sql } from 'drizzle-orm'
import { signInDomains, signInSettings } from '../../../db/schema/sign-in-settings'
import { subscriptions } from '../../../db/schema/tenancy'
import { caller, statement } from '../../../db/sql/statement'

export const providerIsReady = sql`${signInSettings.issuer} IS NOT NULL AND ${signInSettings.clientId} IS NOT NULL
  AND EXISTS (SELECT 1 FROM ${subscriptions} WHERE ${subscriptions.id} = ${signInSettings.subscriptionId} AND ${subscriptions.eraseAt} IS NULL)`

/** A provider signs in addresses of verified domains only. */
export const providerIsOffered = sql`${providerIsReady}
  AND EXISTS (SELECT 1 FROM ${signInDomains} WHERE ${signInDomains.subscriptionId} = ${signInSettings.subscriptionId})`

export const selectOfferedProvider = statement<{ issuer: string }>(sql`SELECT ${signInSettings.issuer} AS "issuer"
  FROM ${signInSettings} WHERE ${signInSettings.subscriptionId} = ${caller.subscription} AND ${providerIsOffered}`)
