import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { mailOutages } from '../../../../db/schema/segments-and-mail'
import { makeEventStatement } from '../../../../db/sql/events'
import { isInThisHome } from '../../../../db/sql/fence'
import { momentJson } from '../../../../db/sql/field'
import {
  assignments,
  caller,
  columnList,
  inline,
  insertInto,
  param,
  type Statement,
  statement,
} from '../../../../db/sql/statement'

const HOUR_MS = 3_600_000
const OUTAGE_REPORT_DELAY_MS = 72 * HOUR_MS
// Chunks are retried within hours, hence failures more than a day apart belong to different outages.
const MAX_FAILURE_GAP_MS = 24 * HOUR_MS

const MAX_REPORTS_PER_CRON_RUN = 50

const outageIsOfTenant = sql`${mailOutages.subscriptionId} = ${caller.subscription}`
const outageHasEnded = sql`${mailOutages.failedAt} <= ${caller.now} - ${inline(MAX_FAILURE_GAP_MS)}`

const upsertOutage = statement<never, { provider: string; reason: string }>(sql`
  ${insertInto(mailOutages, {
    subscriptionId: caller.subscription,
    provider: param('provider'),
    since: caller.now,
    failedAt: caller.now,
    reason: param('reason'),
  })}
  ON CONFLICT (subscription_id) DO UPDATE SET ${assignments(mailOutages, {
    since: sql`CASE WHEN ${outageHasEnded} THEN ${caller.now} ELSE ${mailOutages.since} END`,
    reportedAt: sql`CASE WHEN NOT ${outageHasEnded} THEN ${mailOutages.reportedAt} END`,
    provider: param('provider'),
    failedAt: caller.now,
    reason: param('reason'),
  })}`)

const outageEventFields = { provider: mailOutages.provider, since: momentJson(mailOutages.since) }

const emitProviderRestored = makeEventStatement({
  type: 'mail_provider.restored',
  key: sql`${mailOutages.provider}`,
  data: sql`json_object('provider', ${outageEventFields.provider}, 'since', ${outageEventFields.since}, 'until', ${momentJson(caller.now)})`,
  from: sql`FROM ${mailOutages} WHERE ${outageIsOfTenant} AND ${mailOutages.reportedAt} IS NOT NULL`,
})
const deleteOutage = statement<never>(sql`DELETE FROM ${mailOutages} WHERE ${outageIsOfTenant}`)

const outageIsUnreported = sql`${mailOutages.reportedAt} IS NULL`

function createReportStatements(where: SQL) {
  const emitDown = makeEventStatement({
    type: 'mail_provider.down',
    key: sql`${mailOutages.provider}`,
    data: sql`json_object('provider', ${outageEventFields.provider}, 'since', ${outageEventFields.since}, 'reason', ${mailOutages.reason})`,
    from: sql`FROM ${mailOutages} WHERE ${where} AND NOT ${outageHasEnded}`,
  })
  const markReported = statement<never>(
    sql`UPDATE ${mailOutages} SET ${assignments(mailOutages, { reportedAt: caller.now })} WHERE ${where} AND NOT ${outageHasEnded}`,
  )
  return () => [emitDown({}, {}), markReported({})]
}

const reportOutage = createReportStatements(sql`${outageIsOfTenant} AND ${outageIsUnreported}`)

export type ProviderState = { answered: true } | { provider: string; reason: string } | { gaveUp: true }

export function recordProviderState(standing: ProviderState): Statement<never>[] {
  if ('answered' in standing) return [emitProviderRestored({}, {}), deleteOutage({})]
  return 'reason' in standing ? [upsertOutage(standing)] : reportOutage()
}

const outageReportIsDue = sql`${outageIsUnreported} AND ${mailOutages.since} <= ${caller.now} - ${inline(OUTAGE_REPORT_DELAY_MS)}`

const selectDueOutages = statement<{ subscriptionId: number }>(sql`
  SELECT ${columnList(mailOutages, ['subscriptionId'])} FROM ${mailOutages} WHERE ${outageReportIsDue} AND ${isInThisHome(mailOutages.subscriptionId)}
  ORDER BY ${mailOutages.since} LIMIT ${inline(MAX_REPORTS_PER_CRON_RUN)}`)

const reportDueOutage = createReportStatements(sql`${outageIsOfTenant} AND ${outageReportIsDue}`)
// The provider was not asked for a day, hence nobody knows whether the outage has ended.
const deleteEndedOutage = statement<never>(
  sql`DELETE FROM ${mailOutages} WHERE ${outageIsOfTenant} AND ${outageReportIsDue} AND ${outageHasEnded}`,
)

export async function reportDueOutages(store: Store): Promise<void> {
  const [due] = await store.batch(null, selectDueOutages({}))
  for (const { subscriptionId } of due) await store.batch(subscriptionId, ...reportDueOutage(), deleteEndedOutage({}))
}
