import { type SQL, sql } from 'drizzle-orm'
import type { Prefix } from '../resources'
import { counters } from './schema/tenancy'
import { caller, inline, type Statement, statement, type Values } from './statement'

/** What is counted: external keys by their prefix, and ids that no table counts. */
type Counted = Prefix | 'kpi_record'

const numbers = new Map<Prefix, () => Statement>()

/** Makes the statement that takes so many numbers of a prefix; none, where `count` is 0. */
export const takesNumbers = (prefix: Counted, count: SQL): ((values: Values) => Statement<never>) =>
  statement<never, Values>(sql`
    INSERT INTO ${counters} (subscription_id, prefix, value)
    SELECT ${caller.subscription}, ${inline(prefix)}, taken.count FROM (SELECT ${count} AS count) taken
    WHERE taken.count > 0 ON CONFLICT DO UPDATE SET value = value + excluded.value`)

/** Takes the next number of a prefix. It stands in a batch before whatever uses `currentKey`. */
export function takeNumber(prefix: Prefix): Statement {
  let take = numbers.get(prefix)
  if (!take) {
    const made = statement(sql`
      INSERT INTO ${counters} (subscription_id, prefix, value)
      VALUES (${caller.subscription}, ${inline(prefix)}, 1)
      ON CONFLICT DO UPDATE SET value = value + 1`)
    take = () => made({})
    numbers.set(prefix, take)
  }
  return take()
}

/** The number that this batch took last. */
export function currentNumber(prefix: Counted): SQL {
  return sql`(SELECT ${counters.value} FROM ${counters}
    WHERE ${counters.subscriptionId} = ${caller.subscription} AND ${counters.prefix} = ${inline(prefix)})`
}

/** The external key that this batch took last, like EP-12. */
export function currentKey(prefix: Prefix): SQL {
  return sql`(${inline(`${prefix}-`)} || ${currentNumber(prefix)})`
}
