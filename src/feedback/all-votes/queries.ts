import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { selectUnknownReferences, throwUnknownReferences } from '../../db/client/refuse'
import { type CountRow, describeCount, MAX_COUNTED_RECORDS } from '../../db/records/count'
import type { RecordPage } from '../../db/records/list'
import { MAX_SCANNED_RECORDS, unionAll } from '../../db/records/page'
import { feedbackItems, feedbackVotes } from '../../db/schema/feedback'
import { type CursorPosition, decodeCursor, encodeCursor } from '../../db/sql/cursor'
import {
  atLeast,
  collectFilters,
  equals,
  type Filter,
  filterConditions,
  type GivenFilter,
  listFilterReferences,
  namesRecord,
} from '../../db/sql/filter'
import { boundLimit, caller, inline, makeStatementCache, param, type Statement } from '../../db/sql/statement'
import { toIso } from '../../text/moments'
import { feedback, itemOfKeyFilter } from '../ideas/statements'
import type { ListAllVotes, VoteOfWorkspace } from './schema'

type Query = z.output<typeof ListAllVotes>

// An index has the order of the list with each of the filters. A vote has no id: the item and the voter are its identity.
const FILTERS = Object.entries({
  feedback: itemOfKeyFilter(feedbackVotes.feedbackId),
  userId: namesRecord('user', equals(feedbackVotes.userId)),
  updatedSince: atLeast(feedbackVotes.createdAt),
}) as [string, Filter<unknown>][]

interface PageShape {
  filters: readonly GivenFilter[]
  descending: boolean
  isLater: boolean
}

interface VoteRow {
  feedbackKey: string
  userId: number
  type: string
  createdAt: number
  feedbackId: number
  /** 0 for the last scanned vote, as the position of the next page. */
  found: 0 | 1
}

const { createdAt, feedbackId, userId, type } = feedbackVotes
const isShown = sql`${feedback.notDeleted}
  AND (${param('types')} IS NULL OR v.type IN (SELECT value FROM json_each(${param('types')})))`

const fromVotes = (filters: readonly GivenFilter[]) =>
  sql`SELECT ${createdAt}, ${feedbackId}, ${userId}, ${type} FROM ${feedbackVotes}
    WHERE ${feedbackVotes.subscriptionId} = ${caller.subscription} ${filterConditions(filters)}`

function listRanges({ descending, isLater }: PageShape) {
  if (!isLater) return [sql`true`]
  const beyond = sql.raw(descending ? '<' : '>')
  return [
    sql`${createdAt} = ${param('at')} AND ${feedbackId} = ${param('item')} AND ${userId} ${beyond} ${param('voter')}`,
    sql`${createdAt} = ${param('at')} AND ${feedbackId} ${beyond} ${param('item')}`,
    sql`${createdAt} ${beyond} ${param('at')}`,
  ]
}

const pageTemplates = makeStatementCache((shape: PageShape) => {
  const order = sql.raw(
    ['created_at', 'feedback_id', 'user_id'].map((n) => n + (shape.descending ? ' DESC' : '')).join(),
  )
  const ranges = unionAll(listRanges(shape).map((range) => sql`${fromVotes(shape.filters)} AND ${range}`))
  const among = (part: string) => sql`(${ranges} ORDER BY ${order} LIMIT ${sql.raw(part)}) v`
  const own = sql`v.user_id AS "userId", v.type AS "type", v.created_at AS "createdAt", v.feedback_id AS "feedbackId"`
  // SQLite evaluates each part on demand: a page full early scans no further votes.
  return sql`SELECT ${feedbackItems.externalKey} AS "feedbackKey", ${own}, 1 AS "found"
      FROM ${among(`${MAX_SCANNED_RECORDS}`)} CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = v.feedback_id
      WHERE ${isShown}
    UNION ALL SELECT '', ${own}, 0 FROM ${among(`1 OFFSET ${MAX_SCANNED_RECORDS - 1}`)} ${boundLimit('limit')}`
})

const countTemplates = makeStatementCache(
  (
    filters: readonly GivenFilter[],
  ) => sql`SELECT count(*) AS "looked", count(CASE WHEN ${isShown} THEN 1 END) AS "matching"
    FROM (${fromVotes(filters)} LIMIT ${inline(MAX_COUNTED_RECORDS + 1)}) v
    LEFT JOIN ${feedbackItems} ON ${feedbackItems.id} = v.feedback_id`,
)

function toPage(rows: VoteRow[], { sort, limit }: Query): RecordPage<z.input<typeof VoteOfWorkspace>> {
  const kept = rows.slice(0, limit)
  const last = kept.at(-1)
  const hasNext = last && (rows.length > limit || last.found === 0)
  const data = kept
    .filter(({ found }) => found === 1)
    .map(({ feedbackKey, userId, type, createdAt }) => ({ feedbackKey, userId, type, createdAt: toIso(createdAt) }))
  if (!hasNext) return { data }
  const position: CursorPosition = { value: last.createdAt, id: last.feedbackId, otherwise: last.userId }
  return { data, next: { cursor: encodeCursor(sort.join(), position) } }
}

export async function listAllVotes(db: Database, query: Query) {
  const { limit, cursor, count } = query
  const sort = query.sort.join()
  const after = decodeCursor(sort, cursor)
  const { filters, text, values: given } = collectFilters(FILTERS, query)
  const values = { ...given, types: query.type ? JSON.stringify(query.type) : null }
  const shape = { filters, descending: sort.startsWith('-'), isLater: after !== undefined }
  const page: Statement<VoteRow> = {
    template: pageTemplates([text, shape.descending, shape.isLater].join('|'), shape),
    values: {
      ...values,
      limit: limit + 1,
      at: after?.value ?? null,
      item: after?.id ?? null,
      voter: after?.otherwise ?? null,
    },
  }
  const counting: Statement<CountRow>[] = count === 'true' ? [{ template: countTemplates(text, filters), values }] : []
  const references = listFilterReferences(FILTERS, query)
  const [rows, ...others] = await db.read(
    page,
    ...(references.length ? [selectUnknownReferences(references)] : []),
    ...counting,
  )
  if (references.length) throwUnknownReferences(others[0])
  const [counted] = counting.length ? (others.at(-1) as CountRow[]) : []
  return { ...toPage(rows as VoteRow[], query), ...(counted && { total: describeCount(counted) }) }
}
