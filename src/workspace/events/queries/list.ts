import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { selectUnknownReferences, throwUnknownReferences } from '../../../db/client/refuse'
import { countFittingRows, rowFitsPage } from '../../../db/records/page'
import { apiKeys, log, products } from '../../../db/schema/tenancy'
import { coversProduct } from '../../../db/sql/access'
import {
  EVENT_TIME_SLACK_MS,
  firstEventId,
  idOfFirstEventSince,
  isEventAfter,
  isEventOfWorkspace,
  lastEventId,
  logPlaceOf,
} from '../../../db/sql/log'
import { referenceTo } from '../../../db/sql/references'
import {
  boundLimit,
  caller,
  columnList,
  inline,
  makeStatementCache,
  param,
  type SelectedRow,
  type Statement,
} from '../../../db/sql/statement'
import type { EventKey } from '../actor'
import type { EventFilter } from '../filter'
import type { EventPerson } from '../people'
import { EVENT_COLUMNS, eventKeyColumns, eventPersonColumns, joinEventKey, joinEventPerson } from '../statements'

export interface EventRow extends SelectedRow<typeof log, (typeof EVENT_COLUMNS)[number]>, EventPerson, EventKey {
  /** JSON; null if the resource is not in `readable`. */
  data: string | null
  previous: string | null
  cascade: string | null
}

/** Each combination of values has a separate SQL text. */
interface EventPageShape {
  newest: boolean
  key: boolean
  limited: boolean
  /** Any other condition. */
  narrowed: boolean
  from: boolean
  to: boolean
}

const eventIsReadable = sql`instr(${param('readable')}, ',' || substr(${log.type}, 1, instr(${log.type}, '.') - 1) || ',')`
const valueIfReadable = (column: SQL) => sql`CASE WHEN ${eventIsReadable} THEN ${column} END`

const eventSelectList = sql`${columnList(log, EVENT_COLUMNS)}, ${valueIfReadable(sql`${log.data}`)} AS "data",
  ${valueIfReadable(sql`${log.previous}`)} AS "previous", ${valueIfReadable(sql`${log.cascade}`)} AS "cascade",
  ${eventPersonColumns}, ${eventKeyColumns}`

/** Events per page that are compared with the filters, because no index serves these. */
const MAX_SCANNED_EVENTS = 10_000

// Product and key of the filter may be removed: their events stay.
const filteredProductId = sql`(SELECT ${products.id} FROM ${products}
  WHERE ${products.subscriptionId} = ${caller.subscription} AND ${products.externalKey} = ${param('product')})`
const filteredKey = sql`(SELECT ${apiKeys.jti} FROM ${apiKeys}
  WHERE ${apiKeys.id} = ${param('apiKey')} AND ${apiKeys.subscriptionId} = ${caller.subscription})`

const isUnset = (name: string) => sql`${param(name)} IS NULL`
const eventMatches = sql`(${isUnset('types')} OR ${log.type} IN (SELECT value FROM json_each(${param('types')})))
  AND (${isUnset('product')} OR ${log.productId} = ${filteredProductId})
  AND (${isUnset('actor')} OR ${log.actorUserId} = ${param('actor')})
  AND (${isUnset('apiKey')} OR ${log.actorKey} = ${filteredKey})
  AND (${isUnset('origin')} OR ${log.origin} = ${param('origin')}
    OR substr(${log.origin}, 1, length(${param('origin')}) + 1) = ${param('origin')} || ':')
  AND (${isUnset('from')} OR ${log.createdAt} >= ${param('from')})
  AND (${isUnset('to')} OR ${log.createdAt} < ${param('to')})`

const slack = inline(EVENT_TIME_SLACK_MS)
const firstIdInTime = idOfFirstEventSince(sql`${param('from')} - ${slack}`)
const firstIdBehindTime = idOfFirstEventSince(sql`${param('to')} + ${slack}`)
const firstKeptId = sql`coalesce(${firstEventId}, 1)`

/** The page lies between these ids, both exclusive. */
const lowestId = ({ newest, from }: EventPageShape) =>
  sql`max(${newest ? inline(0) : param('after')}, ${firstKeptId} - 1, ${from ? sql`${firstIdInTime} - 1` : inline(0)})`
const highestId = ({ newest, to }: EventPageShape) =>
  sql`min(${newest ? sql`iif(${param('after')}, ${param('after')}, ${lastEventId} + 1)` : sql`${lastEventId} + 1`},
    ${lastEventId} + 1, ${to ? firstIdBehindTime : sql`${lastEventId} + 1`})`

// A bound at the end of the workspace would replace the other upper bound in the search of SQLite.
function buildScanRange(shape: EventPageShape): SQL {
  const [low, high] = [lowestId(shape), highestId(shape)]
  if (shape.newest)
    return sql`${log.place} < ${logPlaceOf(high)} AND ${log.place} > ${logPlaceOf(sql`max(${low}, ${high} - ${inline(MAX_SCANNED_EVENTS)} - 1)`)}`
  const end = sql`${low} + ${inline(MAX_SCANNED_EVENTS)}`
  return sql`${log.place} > ${logPlaceOf(low)} AND ${log.place} <= ${logPlaceOf(shape.to ? sql`min(${end}, ${high} - 1)` : end)}`
}

const isEventBefore = sql`${isEventOfWorkspace} AND (${param('after')} = 0 OR ${log.place} < ${logPlaceOf(param('after'))})`

function buildEventPlacesSql(shape: EventPageShape): SQL {
  const { newest, key, limited, narrowed } = shape
  // SQLite would scan the whole log in page order without a forced index. A record has few events.
  const index = key ? sql`INDEXED BY log_resource` : sql`NOT INDEXED`
  const isScan = !key && (narrowed || limited)
  const range = isScan ? buildScanRange(shape) : newest ? isEventBefore : isEventAfter(param('after'))
  const ofKey = key ? sql`AND ${log.resourceKey} = ${param('key')}` : sql``
  const also = narrowed ? sql`AND ${eventMatches}` : sql``
  const ofProducts = limited ? sql`AND ${coversProduct(sql`${log.productId}`)}` : sql``
  return sql`SELECT ${log.place} AS place FROM ${log} ${index} WHERE ${log.subscriptionId} = ${caller.subscription}
    AND ${range} ${ofKey} ${also} ${ofProducts} ORDER BY place ${directionOf(shape)} ${boundLimit('limit')}`
}

const directionOf = ({ newest }: EventPageShape) => (newest ? sql`DESC` : sql``)

// SQLite reads the lengths from row headers, without reading the texts.
const visibleEventBytes = sql`CASE WHEN ${eventIsReadable} THEN octet_length(${log.data}) + coalesce(octet_length(${log.previous}), 0)
  ELSE 0 END`

const joinLogAtPlace = sql`CROSS JOIN ${log} ON ${log.place} = page.place`

function buildEventPageSql(shape: EventPageShape): SQL {
  const places = buildEventPlacesSql(shape)
  const fits = rowFitsPage(
    sql`page.place`,
    visibleEventBytes,
    sql`SELECT page.place AS place, ${visibleEventBytes} AS bytes FROM (${places}) page ${joinLogAtPlace}`,
    directionOf(shape),
  )
  return sql`SELECT ${eventSelectList} FROM (${places}) page ${joinLogAtPlace} ${joinEventPerson} ${joinEventKey}
    WHERE ${fits} ORDER BY page.place ${directionOf(shape)}`
}

const getEventPageTemplate = makeStatementCache(buildEventPageSql)

interface LogEdges {
  first: number | null
  newest: number
  low: number
  high: number
  productId: number | null
  jti: string | null
}

const getEdgesTemplate = makeStatementCache(
  (shape: EventPageShape) => sql`SELECT ${firstEventId} AS "first", ${lastEventId} AS "newest",
    ${lowestId(shape)} AS "low", ${highestId(shape)} AS "high", ${filteredProductId} AS "productId", ${filteredKey} AS "jti"`,
)

export interface EventPage {
  rows: EventRow[]
  /** `after` of the next page; undefined at the end of the log. */
  next: number | undefined
  /** First event of the log, if the page continues in the archive. */
  firstKept: number | undefined
  newest: number
  /** The product and the key of the filter, for the archive. */
  productId?: number | undefined
  jti?: string | undefined
}

/** Ids have no gaps and the newest event always stays, so an unfiltered page reveals deleted events by itself. */
export async function listEvents(db: Database, filter: EventFilter, { follows = false } = {}): Promise<EventPage> {
  const { types, key, product, actor, apiKey, origin, from, to, limit, after, readable } = filter
  const shape: EventPageShape = {
    newest: filter.order === 'newest',
    key: key !== undefined,
    limited: db.products !== null,
    narrowed: [types, product, actor, apiKey, origin, from, to].some((one) => one !== undefined),
    from: from !== undefined,
    to: to !== undefined,
  }
  const name = JSON.stringify(shape)
  const values = {
    ...{ after, limit: limit + 1, key, product, actor, apiKey, origin, from, to },
    types: types && JSON.stringify(types),
    readable: `,${readable.join()},`,
  }
  const page: Statement<EventRow> = { template: getEventPageTemplate(name, shape), values }
  const edges: Statement<LogEdges> = { template: getEdgesTemplate(name, shape), values }
  const references = [
    ...referenceTo('productOfEvents', '/query/product', product),
    ...referenceTo('apiKey', '/query/apiKey', apiKey),
  ]
  const isNarrowed = shape.narrowed || shape.key || shape.limited
  const needsEdges = follows || isNarrowed || shape.newest
  const [found, [known], unknown] = references.length
    ? await db.read(page, edges, selectUnknownReferences(references))
    : needsEdges
      ? await db.read(page, edges)
      : [...(await db.read(page)), []]
  throwUnknownReferences(unknown)
  const end = Math.min(limit, countFittingRows(found, ['data', 'previous']))
  const rows = found.slice(0, end)
  const isScan = isNarrowed && !shape.key
  const read = { filter, rows, isFull: found.length > end, isScan, known }
  const place = shape.newest ? locateNewestPage(read) : locateOldestPage(read)
  const named = { productId: known?.productId ?? undefined, jti: known?.jti ?? undefined }
  return { rows, ...place, newest: known?.newest ?? 0, ...named }
}

interface ReadPage {
  filter: EventFilter
  rows: EventRow[]
  /** True if the log has more rows than the page. */
  isFull: boolean
  isScan: boolean
  known: LogEdges | undefined
}

function locateOldestPage({ filter: { after }, rows, isFull, isScan, known }: ReadPage) {
  const first = known ? known.first : rows[0]?.id
  const low = known?.low ?? 0
  const scanEnded = known && isScan && low + MAX_SCANNED_EVENTS < known.high - 1
  // Events of the archive are older than the filter if an event of the log is.
  const beginsInLog = !!first && (first <= after + 1 || low >= first)
  return {
    next: isFull ? rows.at(-1)?.id : scanEnded ? low + MAX_SCANNED_EVENTS : undefined,
    firstKept: first && !beginsInLog ? first : undefined,
  }
}

function locateNewestPage({ filter: { after }, rows, isFull, isScan, known }: ReadPage) {
  if (isFull || !known) return { next: rows.at(-1)?.id, firstKept: undefined }
  const { first, low, high } = known
  if (isScan && high - MAX_SCANNED_EVENTS - 1 > low) return { next: high - MAX_SCANNED_EVENTS, firstKept: undefined }
  const continues = first !== null && first > 1 && low < first && after !== 1
  return { next: undefined, firstKept: continues ? first : undefined }
}
