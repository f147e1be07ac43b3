import { type SQL, sql } from 'drizzle-orm'
import type { KeyPrefix } from '../../resources'
import { counters } from '../schema/tenancy'
import { caller, inline, type Statement, statement, type Values } from './statement'

type CounterName = KeyPrefix | 'kpi_record'

const takeNumberByPrefix = new Map<KeyPrefix, () => Statement>()

export const takeNumbers = (prefix: CounterName, count: SQL): ((values: Values) => Statement<never>) =>
  statement<never, Values>(sql`
    INSERT INTO ${counters} (subscription_id, prefix, value)
    SELECT ${caller.subscription}, ${inline(prefix)}, taken.count FROM (SELECT ${count} AS count) taken
    WHERE taken.count > 0 ON CONFLICT DO UPDATE SET value = value + excluded.value`)

/** Must stand in the batch before any use of `lastTakenKey`. */
export function takeNumber(prefix: KeyPrefix): Statement {
  let take = takeNumberByPrefix.get(prefix)
  if (!take) {
    const made = statement(sql`
      INSERT INTO ${counters} (subscription_id, prefix, value)
      VALUES (${caller.subscription}, ${inline(prefix)}, 1)
      ON CONFLICT DO UPDATE SET value = value + 1`)
    take = () => made({})
    takeNumberByPrefix.set(prefix, take)
  }
  return take()
}

export function lastTakenNumber(prefix: CounterName): SQL {
  return sql`(SELECT ${counters.value} FROM ${counters}
    WHERE ${counters.subscriptionId} = ${caller.subscription} AND ${counters.prefix} = ${inline(prefix)})`
}

export function lastTakenKey(prefix: KeyPrefix): SQL {
  return sql`(${inline(`${prefix}-`)} || ${lastTakenNumber(prefix)})`
}
