import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { mailOutages } from '../../../../db/schema/segments-and-mail'
import { makeEventStatement } from '../../../../db/sql/events'
import { momentJson } from '../../../../db/sql/field'
import {
  assignments,
  caller,
  columns,
  inline,
  insertInto,
  param,
  type Statement,
  statement,
} from '../../../../db/sql/statement'

const HOUR = 3_600_000
const REPORT_AFTER = 72 * HOUR
// Chunks are retried within hours, hence failures more than a day apart belong to different outages.
const MAX_FAILURE_GAP = 24 * HOUR

const REPORTS_PER_RUN = 50

const isOutageOfTenant = sql`${mailOutages.subscriptionId} = ${caller.subscription}`
const hasEnded = sql`${mailOutages.failedAt} <= ${caller.now} - ${inline(MAX_FAILURE_GAP)}`

const upsertOutage = statement<never, { provider: string; reason: string }>(sql`
  ${insertInto(mailOutages, {
    subscriptionId: caller.subscription,
    provider: param('provider'),
    since: caller.now,
    failedAt: caller.now,
    reason: param('reason'),
  })}
  ON CONFLICT (subscription_id) DO UPDATE SET ${assignments(mailOutages, {
    since: sql`CASE WHEN ${hasEnded} THEN ${caller.now} ELSE ${mailOutages.since} END`,
    reportedAt: sql`CASE WHEN NOT ${hasEnded} THEN ${mailOutages.reportedAt} END`,
    provider: param('provider'),
    failedAt: caller.now,
    reason: param('reason'),
  })}`)

const eventFields = { provider: mailOutages.provider, since: momentJson(mailOutages.since) }

const emitRestored = makeEventStatement({
  type: 'mail_provider.restored',
  key: sql`${mailOutages.provider}`,
  data: sql`json_object('provider', ${eventFields.provider}, 'since', ${eventFields.since}, 'until', ${momentJson(caller.now)})`,
  from: sql`FROM ${mailOutages} WHERE ${isOutageOfTenant} AND ${mailOutages.reportedAt} IS NOT NULL`,
})
const deleteOutage = statement<never>(sql`DELETE FROM ${mailOutages} WHERE ${isOutageOfTenant}`)

const isUnreported = sql`${mailOutages.reportedAt} IS NULL`

function reportStatements(where: SQL) {
  const emitDown = makeEventStatement({
    type: 'mail_provider.down',
    key: sql`${mailOutages.provider}`,
    data: sql`json_object('provider', ${eventFields.provider}, 'since', ${eventFields.since}, 'reason', ${mailOutages.reason})`,
    from: sql`FROM ${mailOutages} WHERE ${where} AND NOT ${hasEnded}`,
  })
  const markReported = statement<never>(
    sql`UPDATE ${mailOutages} SET ${assignments(mailOutages, { reportedAt: caller.now })} WHERE ${where} AND NOT ${hasEnded}`,
  )
  return () => [emitDown({}, {}), markReported({})]
}

const reportOutage = reportStatements(sql`${isOutageOfTenant} AND ${isUnreported}`)

export type ProviderState = { answered: true } | { provider: string; reason: string } | { gaveUp: true }

export function recordState(standing: ProviderState): Statement<never>[] {
  if ('answered' in standing) return [emitRestored({}, {}), deleteOutage({})]
  return 'reason' in standing ? [upsertOutage(standing)] : reportOutage()
}

const isReportDue = sql`${isUnreported} AND ${mailOutages.since} <= ${caller.now} - ${inline(REPORT_AFTER)}`

const selectDueOutages = statement<{ subscriptionId: number }>(sql`
  SELECT ${columns(mailOutages, ['subscriptionId'])} FROM ${mailOutages} WHERE ${isReportDue}
  ORDER BY ${mailOutages.since} LIMIT ${inline(REPORTS_PER_RUN)}`)

const reportIfDue = reportStatements(sql`${isOutageOfTenant} AND ${isReportDue}`)
// The provider was not asked for a day, hence nobody knows whether the outage has ended.
const deleteEndedOutage = statement<never>(
  sql`DELETE FROM ${mailOutages} WHERE ${isOutageOfTenant} AND ${isReportDue} AND ${hasEnded}`,
)

export async function reportDueOutages(store: Store): Promise<void> {
  const [due] = await store.batch(null, selectDueOutages({}))
  for (const { subscriptionId } of due) await store.batch(subscriptionId, ...reportIfDue(), deleteEndedOutage({}))
}
