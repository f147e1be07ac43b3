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

/** Lifetime of an Idempotency-Key, in milliseconds (docs/api-conventions.md). */
export const IDEMPOTENCY_TTL = 86_400_000

// 500 rows of a bulk reply stay far below D1's limit of 2 MB for a value.
const ROWS_PER_PART = inline(500)
// D1 functions take at most 32 arguments: a name and a value for each pair.
const PAIRS_PER_OBJECT = 16

/** The statement with the rows of a write's reply. The same batch can store the rows for a retry. */
export interface Answer<Row> extends Statement<Row> {
  readonly row: SQL
  readonly kept: () => Template
}

/** Selects `value AS "name", … from`. The query must return at least a row. */
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
  const madeAt = new Error()
  const template = once(() => compile(source, madeAt))
  const kept = once(() => compile(keep(Object.keys(row), source), madeAt))
  return (values) => ({ template, kept, values, row: selected })
}

/** Adds RETURNING with the reply's columns to an INSERT, to save a separate SELECT. */
export const returning = (insert: SQL, answer: Answer<unknown>): SQL => sql`${insert} RETURNING ${answer.row}`

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

export function keptRows(part: string): object[] {
  return (JSON.parse(part) as object[][]).map((objects) => Object.assign({}, ...objects))
}

/** Reads the stored reply to the earlier request with the same Idempotency-Key, in parts. */
export const keptAnswer = statement<{ answer: string }>(
  sql`SELECT ${idempotencyKeys.answer} AS "answer" FROM ${idempotencyKeys} WHERE ${mine} ORDER BY ${idempotencyKeys.part}`,
)

/** Refusal reason of a request with a used Idempotency-Key; NULL for a fresh key. */
export const replayReason = sql`(SELECT CASE ${idempotencyKeys.bodyHash} WHEN ${param('@bodyHash')}
  THEN 'idempotency_replay' ELSE 'idempotency_key_reused' END FROM ${idempotencyKeys}
  WHERE ${mine} AND ${idempotencyKeys.part} = 0)`
