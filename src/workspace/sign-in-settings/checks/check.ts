import type { Store } from '../../../db/client/client'
import type { Settings } from '../../../env'
import { type DomainLookup, lookUpDomainRecord, makeDomainRecord } from '../domain-record'
import { type DueDomain, listDueDomains, recordChecks } from './queries'

/** Looks up the records of verified domains again. A lookup that fails is repeated, and does not count. */
export async function checkDomains({ store, settings }: { store: Store; settings: Settings }): Promise<void> {
  const { PUBLIC_URL, DNS_RESOLVER, WEBHOOK_LOOPBACK } = settings
  // The record names the host of the service, which only this variable knows outside of a request.
  if (!PUBLIC_URL) return
  const rules = { DNS_RESOLVER, loopback: WEBHOOK_LOOPBACK === 'allow' }
  const due = await listDueDomains(store)
  const checked = await Promise.all(
    due.map(async (one) => ({
      ...one,
      outcome: await lookUpDomainRecord(one.domain, makeDomainRecord(PUBLIC_URL, one.subscriptionId), rules),
    })),
  )
  for (const [subscriptionId, domains] of groupByWorkspace(checked)) await recordChecks(store, subscriptionId, domains)
}

type CheckedDomain = DueDomain & { outcome: DomainLookup }

const groupByWorkspace = (checked: readonly CheckedDomain[]) =>
  Map.groupBy(checked, ({ subscriptionId }) => subscriptionId)
