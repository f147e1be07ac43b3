import { sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { updateWhere } from '../../../db/records/change'
import { signInDomains, signInSettings as table } from '../../../db/schema/sign-in-settings'
import { isInThisHome } from '../../../db/sql/fence'
import { caller, inline, param, statement } from '../../../db/sql/statement'
import type { DomainLookup } from '../domain-record'
import { signInSettings } from '../fields'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const CHECK_INTERVAL = inline(DAY_MS)
const RETRY_INTERVAL = inline(HOUR_MS)
/** A provider of names that loses a zone gets it back within this time. */
const MIN_MISSES = inline(3)
const MIN_MISSING_MS = inline(3 * DAY_MS)
// A cron run of each minute looks up 28,800 domains a day. Each lookup takes at most five seconds, all at once.
const MAX_DOMAINS_PER_RUN = inline(20)

export interface DueDomain {
  subscriptionId: number
  domain: string
}

const selectDueDomains = statement<DueDomain>(sql`SELECT ${signInDomains.subscriptionId} AS "subscriptionId",
    ${signInDomains.domain} AS "domain" FROM ${signInDomains} WHERE ${signInDomains.nextCheckAt} <= ${caller.now}
    AND ${isInThisHome(signInDomains.subscriptionId)}
  ORDER BY ${signInDomains.nextCheckAt} LIMIT ${MAX_DOMAINS_PER_RUN}`)

export const listDueDomains = async (store: Store): Promise<DueDomain[]> =>
  (await store.batch(null, selectDueDomains({})))[0]

type BoundChecks = { checks: string }
const outcome = sql`(SELECT c.value ->> 1 FROM json_each(${param('checks')}) c WHERE c.value ->> 0 = ${signInDomains.domain})`
const isChecked = sql`${signInDomains.subscriptionId} = ${caller.subscription}
  AND ${signInDomains.domain} IN (SELECT c.value ->> 0 FROM json_each(${param('checks')}) c)`

const updateChecks = statement<never, BoundChecks>(sql`UPDATE ${signInDomains} SET
    checked_at = iif(${outcome} = 'failed', ${signInDomains.checkedAt}, ${caller.now}),
    missing_since = CASE ${outcome} WHEN 'found' THEN NULL WHEN 'missing' THEN coalesce(${signInDomains.missingSince}, ${caller.now})
      ELSE ${signInDomains.missingSince} END,
    misses = CASE ${outcome} WHEN 'found' THEN 0 WHEN 'missing' THEN ${signInDomains.misses} + 1 ELSE ${signInDomains.misses} END,
    next_check_at = ${caller.now} + iif(${outcome} = 'failed', ${RETRY_INTERVAL}, ${CHECK_INTERVAL})
  WHERE ${isChecked}`)

const isGone = sql`d.misses >= ${MIN_MISSES} AND d.missing_since <= ${caller.now} - ${MIN_MISSING_MS}`
const fromGone = sql`FROM ${signInDomains} d WHERE d.subscription_id = ${caller.subscription} AND ${isGone}`

/** The trigger of the settings removes the domain. */
const unverifyGone = updateWhere(
  signInSettings,
  sql`${table.subscriptionId} = ${caller.subscription} AND EXISTS (SELECT 1 ${fromGone})`,
  {
    verifiedDomains: sql`(SELECT json_group_array(v.value) FROM json_each(${table.verifiedDomains}) v
      WHERE v.value NOT IN (SELECT d.domain ${fromGone}))`,
  },
)

/** One batch: a settings change in the meantime keeps its domains. */
export function recordChecks(
  store: Store,
  subscriptionId: number,
  checked: readonly { domain: string; outcome: DomainLookup }[],
) {
  const checks = JSON.stringify(checked.map(({ domain, outcome }) => [domain, outcome]))
  return store.batch(subscriptionId, updateChecks({ checks }), ...unverifyGone({}))
}
