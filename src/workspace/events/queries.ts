import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/client/client'
import { countFittingRows, productConditions, rowFitsPage, unionAll } from '../../db/records/page'
import { log, users } from '../../db/schema/tenancy'
import { coversProduct } from '../../db/sql/access'
import { isEventAfter, isEventOfWorkspace, lastEventId } from '../../db/sql/log'
import {
  boundLimit,
  caller,
  columns,
  param,
  type SelectedRow,
  type Statement,
  statement,
  statementCache,
} from '../../db/sql/statement'
import type { ResourceName } from '../../resources'
import type { EventPerson } from './people'
import { type ArchivedEvent, EVENT_COLUMNS, eventPersonColumns, eventPersonJoin } from './statements'

export interface EventRow extends SelectedRow<typeof log, (typeof EVENT_COLUMNS)[number]>, EventPerson {
  /** JSON; null if the resource is not in `readable`. */
  data: string | null
  previous: string | null
}

export interface EventFilter {
  limit: number
  after: number
  type?: string | undefined
  key?: string | undefined
  readable: readonly ResourceName[]
}

/** Each combination of values has a separate SQL text. */
interface EventPageShape {
  type: boolean
  key: boolean
  products: number | undefined
}

const eventIsReadable = sql`instr(${param('readable')}, ',' || substr(${log.type}, 1, instr(${log.type}, '.') - 1) || ',')`
const ifEventIsReadable = (column: SQL) => sql`CASE WHEN ${eventIsReadable} THEN ${column} END`

const eventSelection = sql`${columns(log, EVENT_COLUMNS)}, ${ifEventIsReadable(sql`${log.data}`)} AS "data",
  ${ifEventIsReadable(sql`${log.previous}`)} AS "previous", ${eventPersonColumns}`

const eventIsAfterCursor = sql`${log.subscriptionId} = ${caller.subscription} AND ${isEventAfter(param('after'))}`

// SQLite would scan the whole log in page order without a forced index.
const chooseLogIndex = ({ type, key }: EventPageShape) =>
  key ? sql`INDEXED BY log_resource` : type ? sql`INDEXED BY log_type` : sql`NOT INDEXED`

function buildEventConditions({ type, key }: EventPageShape): SQL {
  const ofKey = key ? sql`AND ${log.resourceKey} = ${param('key')}` : sql``
  const ofType = type ? sql`AND ${log.type} = ${param('type')}` : sql``
  return sql`${ofKey} ${ofType}`
}

function buildEventPlacesSql(shape: EventPageShape): SQL {
  const { key, products } = shape
  const also = buildEventConditions(shape)
  const end = sql`ORDER BY place ${boundLimit('limit')}`
  // A record has few events, and a filter by product needs no index.
  if (products === undefined || key) {
    const own = products === undefined ? sql`` : sql`AND ${coversProduct(sql`${log.productId}`)}`
    return sql`SELECT ${log.place} AS place FROM ${log} ${chooseLogIndex(shape)} WHERE ${eventIsAfterCursor} ${also} ${own} ${end}`
  }
  const ofEachProduct = productConditions(sql`${log.productId}`, products).map(
    (own) =>
      sql`SELECT ${log.place} AS place FROM ${log} INDEXED BY log_product WHERE ${eventIsAfterCursor} AND ${own} ${also}`,
  )
  return sql`${unionAll(ofEachProduct)} ${end}`
}

// SQLite reads the lengths from row headers, without reading the texts.
const visibleEventBytes = sql`CASE WHEN ${eventIsReadable} THEN octet_length(${log.data}) + coalesce(octet_length(${log.previous}), 0)
  ELSE 0 END`

const logJoinAtPlace = sql`CROSS JOIN ${log} ON ${log.place} = page.place`

function buildEventPageSql(shape: EventPageShape): SQL {
  const places = buildEventPlacesSql(shape)
  const fits = rowFitsPage(
    sql`page.place`,
    visibleEventBytes,
    sql`SELECT page.place AS place, ${visibleEventBytes} AS bytes FROM (${places}) page ${logJoinAtPlace}`,
  )
  return sql`SELECT ${eventSelection} FROM (${places}) page ${logJoinAtPlace} ${eventPersonJoin} WHERE ${fits} ORDER BY page.place`
}

const eventPageTemplates = statementCache(buildEventPageSql)

const selectLogEdges = statement<{ first: number | null; newest: number }>(
  sql`SELECT min(${log.place}) & 4294967295 AS "first", ${lastEventId} AS "newest" FROM ${log} WHERE ${isEventOfWorkspace}`,
)

export interface EventPage {
  rows: EventRow[]
  hasMore: boolean
  /** First event of the log, if events after `after` are no longer in the log. */
  firstKept: number | undefined
  newest: number
}

/** Ids have no gaps and the newest event always stays, so an unfiltered page reveals deleted events by itself. */
export async function listEvents(
  db: Database,
  { type, key, limit, after, readable }: EventFilter,
  { follows = false } = {},
): Promise<EventPage> {
  const shape = { type: type !== undefined, key: key !== undefined, products: db.products?.length }
  const page: Statement<EventRow> = {
    template: eventPageTemplates(`${shape.type} ${shape.key} ${shape.products}`, shape),
    values: { after, limit: limit + 1, type, key, readable: `,${readable.join()},` },
  }
  const isNarrowed = shape.type || shape.key || shape.products !== undefined
  const needsEdges = follows || isNarrowed
  const [found, [known]] = needsEdges ? await db.read(page, selectLogEdges({})) : [...(await db.read(page)), []]
  const first = isNarrowed ? known?.first : found[0]?.id
  const end = Math.min(limit, countFittingRows(found, ['data', 'previous']))
  return {
    rows: found.slice(0, end),
    hasMore: found.length > end,
    firstKept: first && first > after + 1 ? first : undefined,
    newest: known?.newest ?? 0,
  }
}

type EventPersonRow = EventPerson & { id: number }

const selectEventPeople = statement<
  EventPersonRow,
  { ids: string }
>(sql`SELECT ${users.id} AS "id", ${eventPersonColumns}
  FROM json_each(${param('ids')}) p CROSS JOIN ${users} ON ${users.id} = p.value
    AND ${users.subscriptionId} = ${caller.subscription} AND ${users.deletedAt} IS NULL`)

export const listEventPeople = async (db: Database, ids: readonly number[]): Promise<EventPersonRow[]> =>
  (await db.read(selectEventPeople({ ids: JSON.stringify(ids) })))[0]

const REMOVED_PERSON = { firstName: '', lastName: '', email: '' }

/** Hides the data of resources that are not `readable`, as `listEvents` does in SQL. */
export function toEventRows(
  events: readonly ArchivedEvent[],
  people: readonly EventPersonRow[],
  readable: readonly ResourceName[],
): EventRow[] {
  const personById = new Map(people.map((person) => [person.id, person]))
  return events.map(({ personId, ...event }) => {
    const isReadable = readable.some((resource) => event.type.startsWith(`${resource}.`))
    const { firstName, lastName, email } = (personId !== null && personById.get(personId)) || REMOVED_PERSON
    return { ...event, ...(!isReadable && { data: null, previous: null }), firstName, lastName, email }
  })
}
