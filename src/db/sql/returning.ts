import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { idempotencyKeys } from '../schema/tenancy'
import { webhookFeeds } from '../schema/webhooks'
import { setJsonMembers } from './selection'
import {
  caller,
  compileSql,
  inline,
  makeLazy,
  param,
  type Statement,
  statement,
  type Template,
  type Values,
} from './statement'

/** Lifetime of an Idempotency-Key, in milliseconds (docs/api-conventions.md). */
export const IDEMPOTENCY_TTL_MS = 86_400_000

// 500 rows of a bulk reply stay far below D1's limit of 2 MB for a value.
const ROWS_PER_STORED_PART = inline(500)
// D1 functions take at most 32 arguments: a name and a value for each pair.
const MAX_PAIRS_PER_JSON_OBJECT = 16

export interface Returning<Row> extends Statement<Row> {
  readonly columnList: SQL
  /** Query of the forms of the reply as JSON `data`, for a comparison within the batch. */
  readonly answered: () => SQL
  readonly storedTemplate: () => Template
}

/** Column of a write's reply for the service itself: 1 if the workspace has webhooks. */
export const HAS_WEBHOOKS_COLUMN = '@hasWebhooks'

const hasWebhooks = sql`EXISTS (SELECT 1 FROM ${webhookFeeds} f WHERE f.subscription_id = ${caller.subscription})
  AS ${sql.identifier(HAS_WEBHOOKS_COLUMN)}`

/**
 * Selects `value AS "name", … from`. The query must return at least a row.
 * @param shown JSON of the record in the forms that replies show; default: the columns.
 */
export function returning<Row extends object, V extends Values = Record<never, never>>(
  row: Record<keyof Row & string, SQLWrapper>,
  from: SQL,
  shown?: () => readonly SQL[],
): (values: V) => Returning<Row> {
  const entries = Object.entries<SQLWrapper>(row)
  const selected = sql.join(
    entries.map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`),
    sql`, `,
  )
  const source = sql`SELECT ${selected} ${from}`
  const columnList = sql`${selected}, ${hasWebhooks}`
  const answered = () =>
    shown
      ? sql.join(
          shown().map((form) => sql`SELECT ${form} AS data ${from}`),
          sql` UNION ALL `,
        )
      : sql`SELECT ${columnsJson(Object.keys(row))} AS data FROM (${source})`
  const madeAt = new Error()
  const template = makeLazy(() => compileSql(sql`SELECT ${columnList} ${from}`, madeAt))
  const kept = makeLazy(() => compileSql(storeRowsSql(Object.keys(row), source), madeAt))
  return (values) => ({ template, storedTemplate: kept, values, columnList, answered })
}

export const insertReturningSql = (insert: SQL, reply: Returning<unknown>): SQL =>
  sql`${insert} RETURNING ${reply.columnList}`

export function insertReturningStatement<Row>(insert: SQL, reply: Returning<Row>): (values: Values) => Statement<Row> {
  const make = statement<Row, Values>(insertReturningSql(insert, reply))
  return (values) => ({ ...make(values), returningTemplate: reply.template })
}

const columnsJson = (names: readonly string[]): SQL =>
  setJsonMembers(
    sql`'{}'`,
    names.map((name) => ({ name, json: sql.identifier(name) as never })),
  )

function storeRowsSql(names: string[], source: SQL): SQL {
  const pairs = names.map((name) => sql`${inline(name)}, ${sql.identifier(name)}`)
  const objects: SQL[] = []
  for (let at = 0; at < pairs.length; at += MAX_PAIRS_PER_JSON_OBJECT) {
    objects.push(sql`json_object(${sql.join(pairs.slice(at, at + MAX_PAIRS_PER_JSON_OBJECT), sql`, `)})`)
  }
  return sql`
    INSERT OR REPLACE INTO ${idempotencyKeys} (subscription_id, key, route, part, body_hash, answer, created_at)
    SELECT ${caller.subscription}, ${param('@idempotencyKey')}, ${param('@route')}, (n - 1) / ${ROWS_PER_STORED_PART},
      ${param('@bodyHash')}, json_group_array(json(kept)), ${caller.now}
    FROM (SELECT row_number() OVER () AS n, json_array(${sql.join(objects, sql`, `)}) AS kept FROM (${source}))
    GROUP BY (n - 1) / ${ROWS_PER_STORED_PART}`
}

const isStoredRequest = sql`${idempotencyKeys.subscriptionId} = ${caller.subscription}
  AND ${idempotencyKeys.key} = ${param('@idempotencyKey')} AND ${idempotencyKeys.route} = ${param('@route')}
  AND ${idempotencyKeys.createdAt} > ${caller.now} - ${inline(IDEMPOTENCY_TTL_MS)}`

export function parseStoredRows(part: string): object[] {
  return (JSON.parse(part) as object[][]).map((objects) => Object.assign({}, ...objects))
}

export const selectStoredReply = statement<{ answer: string }>(
  sql`SELECT ${idempotencyKeys.answer} AS "answer" FROM ${idempotencyKeys} WHERE ${isStoredRequest} ORDER BY ${idempotencyKeys.part}`,
)

export const replayRefusalReason = sql`(SELECT CASE ${idempotencyKeys.bodyHash} WHEN ${param('@bodyHash')}
  THEN 'idempotency_replay' ELSE 'idempotency_key_reused' END FROM ${idempotencyKeys}
  WHERE ${isStoredRequest} AND ${idempotencyKeys.part} = 0)`
