import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client'
import { event } from '../../../../db/events'
import { momentJson } from '../../../../db/field'
import { mailOutages } from '../../../../db/schema/segments-and-mail'
import {
  assignments,
  caller,
  columns,
  inline,
  insertInto,
  param,
  type Statement,
  statement,
} from '../../../../db/statement'

const HOUR = 3_600_000
/** Milliseconds until an outage causes an event, unless mail is given up earlier. */
const TOLD_AFTER = 72 * HOUR
// Chunks are retried within hours, hence failures more than a day apart belong to different outages.
const APART = 24 * HOUR

// Limit of a cron run, which repeats every minute.
const TOLD_PER_RUN = 50

const own = sql`${mailOutages.subscriptionId} = ${caller.subscription}`
const isOver = sql`${mailOutages.failedAt} <= ${caller.now} - ${inline(APART)}`

const fails = statement<never, { provider: string; reason: string }>(sql`
  ${insertInto(mailOutages, {
    subscriptionId: caller.subscription,
    provider: param('provider'),
    since: caller.now,
    failedAt: caller.now,
    reason: param('reason'),
  })}
  ON CONFLICT (subscription_id) DO UPDATE SET ${assignments(mailOutages, {
    since: sql`CASE WHEN ${isOver} THEN ${caller.now} ELSE ${mailOutages.since} END`,
    toldAt: sql`CASE WHEN NOT ${isOver} THEN ${mailOutages.toldAt} END`,
    provider: param('provider'),
    failedAt: caller.now,
    reason: param('reason'),
  })}`)

const told = { provider: mailOutages.provider, since: momentJson(mailOutages.since) }

const restored = event({
  type: 'mail_provider.restored',
  key: sql`${mailOutages.provider}`,
  data: sql`json_object('provider', ${told.provider}, 'since', ${told.since}, 'until', ${momentJson(caller.now)})`,
  from: sql`FROM ${mailOutages} WHERE ${own} AND ${mailOutages.toldAt} IS NOT NULL`,
})
const ends = statement<never>(sql`DELETE FROM ${mailOutages} WHERE ${own}`)

const isUntold = sql`${mailOutages.toldAt} IS NULL`

function telling(where: SQL) {
  const down = event({
    type: 'mail_provider.down',
    key: sql`${mailOutages.provider}`,
    data: sql`json_object('provider', ${told.provider}, 'since', ${told.since}, 'reason', ${mailOutages.reason})`,
    from: sql`FROM ${mailOutages} WHERE ${where} AND NOT ${isOver}`,
  })
  const mark = statement<never>(
    sql`UPDATE ${mailOutages} SET ${assignments(mailOutages, { toldAt: caller.now })} WHERE ${where} AND NOT ${isOver}`,
  )
  return () => [down({}, {}), mark({})]
}

const tell = telling(sql`${own} AND ${isUntold}`)

/** The provider's state after an attempt: the provider answered, failed to answer, or mail was given up. */
export type Standing = { answered: true } | { provider: string; reason: string } | { gaveUp: true }

export function noting(standing: Standing): Statement<never>[] {
  if ('answered' in standing) return [restored({}, {}), ends({})]
  return 'reason' in standing ? [fails(standing)] : tell()
}

const isDue = sql`${isUntold} AND ${mailOutages.since} <= ${caller.now} - ${inline(TOLD_AFTER)}`

const selectDue = statement<{ subscriptionId: number }>(sql`
  SELECT ${columns(mailOutages, ['subscriptionId'])} FROM ${mailOutages} WHERE ${isDue}
  ORDER BY ${mailOutages.since} LIMIT ${inline(TOLD_PER_RUN)}`)

const tellIfDue = telling(sql`${own} AND ${isDue}`)
// The provider was not asked for a day, hence nobody knows whether the outage has ended.
const forget = statement<never>(sql`DELETE FROM ${mailOutages} WHERE ${own} AND ${isDue} AND ${isOver}`)

/**
 * Emits `mail_provider.down` once for each workspace whose mail the provider rejects for three days, for a bounded
 * number of workspaces.
 */
export async function tellDue(store: Store): Promise<void> {
  const [due] = await store.batch(null, selectDue({}))
  for (const { subscriptionId } of due) await store.batch(subscriptionId, ...tellIfDue(), forget({}))
}
