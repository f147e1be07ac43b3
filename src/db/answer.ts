import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { idempotencyKeys } from './schema/tenancy'
import {
  caller,
  compile,
  inline,
  once,
  param,
  type Statement,
  statement,
  type Template,
  type Values,
} from './statement'

/** How long an Idempotency-Key is remembered, in milliseconds (docs/api-conventions.md). */
export const IDEMPOTENCY_TTL = 86_400_000

// 500 rows of a bulk answer stay far below the 2 MB that one value may have.
const ROWS_PER_PART = inline(500)
// A function takes 32 arguments here: a name and a value each.
const PAIRS_PER_OBJECT = 16

/** The statement whose rows a write's reply is made from. It can keep them, in the same batch, for a retry. */
export interface Answer<Row> extends Statement<Row> {
  /** What it selects. */
  readonly row: SQL
  /** Writes the rows under the request's Idempotency-Key. */
  readonly kept: () => Template
}

/** `SELECT value AS "name", … from`; at least one row. */
export function answer<Row extends object, V extends Values = Record<never, never>>(
  row: Record<keyof Row & string, SQLWrapper>,
  from: SQL,
): (values: V) => Answer<Row> {
  const entries = Object.entries<SQLWrapper>(row)
  const selected = sql.join(
    entries.map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`),
    sql`, `,
  )
  const source = sql`SELECT ${selected} ${from}`
  const template = once(() => compile(source))
  const kept = once(() => compile(keep(Object.keys(row), source)))
  return (values) => ({ template, kept, values, row: selected })
}

/** An INSERT that returns what the answer would read of the new row: a batch with it can do without the answer. */
export const returning = (insert: SQL, answer: Answer<unknown>): SQL => sql`${insert} RETURNING ${answer.row}`

/** The statement of such an INSERT. */
export function returned<Row>(insert: SQL, answer: Answer<Row>): (values: Values) => Statement<Row> {
  const make = statement<Row, Values>(returning(insert, answer))
  return (values) => ({ ...make(values), answers: answer.template })
}

function keep(names: string[], source: SQL): SQL {
  const pairs = names.map((name) => sql`${inline(name)}, ${sql.identifier(name)}`)
  const objects: SQL[] = []
  for (let at = 0; at < pairs.length; at += PAIRS_PER_OBJECT) {
    objects.push(sql`json_object(${sql.join(pairs.slice(at, at + PAIRS_PER_OBJECT), sql`, `)})`)
  }
  return sql`
    INSERT OR REPLACE INTO ${idempotencyKeys} (subscription_id, key, route, part, body_hash, answer, created_at)
    SELECT ${caller.subscription}, ${param('@idempotencyKey')}, ${param('@route')}, (n - 1) / ${ROWS_PER_PART},
      ${param('@bodyHash')}, json_group_array(json(kept)), ${caller.now}
    FROM (SELECT row_number() OVER () AS n, json_array(${sql.join(objects, sql`, `)}) AS kept FROM (${source}))
    GROUP BY (n - 1) / ${ROWS_PER_PART}`
}

const mine = sql`${idempotencyKeys.subscriptionId} = ${caller.subscription}
  AND ${idempotencyKeys.key} = ${param('@idempotencyKey')} AND ${idempotencyKeys.route} = ${param('@route')}
  AND ${idempotencyKeys.createdAt} > ${caller.now} - ${inline(IDEMPOTENCY_TTL)}`

/** The rows that a part of a kept answer holds. */
export function keptRows(part: string): object[] {
  return (JSON.parse(part) as object[][]).map((objects) => Object.assign({}, ...objects))
}

/** What the earlier request with this Idempotency-Key was answered, in parts. */
export const keptAnswer = statement<{ answer: string }>(
  sql`SELECT ${idempotencyKeys.answer} AS "answer" FROM ${idempotencyKeys} WHERE ${mine} ORDER BY ${idempotencyKeys.part}`,
)

/** Computes the refusal reason of a request whose key was used before; NULL when it was not. */
export const replayReason = sql`(SELECT CASE ${idempotencyKeys.bodyHash} WHEN ${param('@bodyHash')}
  THEN 'idempotency_replay' ELSE 'idempotency_key_reused' END FROM ${idempotencyKeys}
  WHERE ${mine} AND ${idempotencyKeys.part} = 0)`
