import { type SQL, sql } from 'drizzle-orm'
import { covered } from '../../db/access'
import type { Database } from '../../db/client'
import { eventsAfter, lastEvent, ofWorkspace } from '../../db/log'
import { eachProduct, fitsPage, rowsThatFit, union } from '../../db/page'
import { log } from '../../db/schema/tenancy'
import {
  boundLimit,
  caller,
  columns,
  param,
  type Selected,
  type Statement,
  statement,
  textsBy,
} from '../../db/statement'
import type { ResourceName } from '../../resources'
import type { Person } from './people'
import { names, people } from './statements'

const COLUMNS = ['id', 'type', 'actorUserId', 'actorKey', 'productId', 'resourceKey', 'createdAt'] as const

export interface EventRow extends Selected<typeof log, (typeof COLUMNS)[number]>, Person {
  /** JSON; null if the resource is not in `readable`. */
  data: string | null
  previous: string | null
}

export interface EventFilter {
  limit: number
  after: number
  type?: string | undefined
  key?: string | undefined
  /** Only events of the listed resources show data. */
  readable: readonly ResourceName[]
}

/** Each combination of values has a separate SQL text. */
interface PageShape {
  type: boolean
  key: boolean
  products: number | undefined
}

const readable = sql`instr(${param('readable')}, ',' || substr(${log.type}, 1, instr(${log.type}, '.') - 1) || ',')`
const shown = (column: SQL) => sql`CASE WHEN ${readable} THEN ${column} END`

const selection = sql`${columns(log, COLUMNS)}, ${shown(sql`${log.data}`)} AS "data",
  ${shown(sql`${log.previous}`)} AS "previous", ${names}`

const behind = sql`${log.subscriptionId} = ${caller.subscription} AND ${eventsAfter(param('after'))}`

// SQLite would scan the whole log in page order without a forced index.
const indexOf = ({ type, key }: PageShape) =>
  key ? sql`INDEXED BY log_resource` : type ? sql`INDEXED BY log_type` : sql`NOT INDEXED`

function conditions({ type, key }: PageShape): SQL {
  const ofKey = key ? sql`AND ${log.resourceKey} = ${param('key')}` : sql``
  const ofType = type ? sql`AND ${log.type} = ${param('type')}` : sql``
  return sql`${ofKey} ${ofType}`
}

/** Selects the places of a page's events. A key with a product limit sees only events of covered products. */
function placesSql(shape: PageShape): SQL {
  const { key, products } = shape
  const also = conditions(shape)
  const end = sql`ORDER BY place ${boundLimit('limit')}`
  // A record has few events, and a filter by product needs no index.
  if (products === undefined || key) {
    const own = products === undefined ? sql`` : sql`AND ${covered(sql`${log.productId}`)}`
    return sql`SELECT ${log.place} AS place FROM ${log} ${indexOf(shape)} WHERE ${behind} ${also} ${own} ${end}`
  }
  const ofEachProduct = eachProduct(sql`${log.productId}`, products).map(
    (own) => sql`SELECT ${log.place} AS place FROM ${log} INDEXED BY log_product WHERE ${behind} AND ${own} ${also}`,
  )
  return sql`${union(ofEachProduct)} ${end}`
}

// SQLite reads the lengths from row headers, without reading the texts.
const shownBytes = sql`CASE WHEN ${readable} THEN octet_length(${log.data}) + coalesce(octet_length(${log.previous}), 0)
  ELSE 0 END`

const atPlace = sql`CROSS JOIN ${log} ON ${log.place} = page.place`

function pageSql(shape: PageShape): SQL {
  const places = placesSql(shape)
  const fits = fitsPage(
    sql`page.place`,
    shownBytes,
    sql`SELECT page.place AS place, ${shownBytes} AS bytes FROM (${places}) page ${atPlace}`,
  )
  return sql`SELECT ${selection} FROM (${places}) page ${atPlace} ${people} WHERE ${fits} ORDER BY page.place`
}

const pages = textsBy(pageSql)

const edges = statement<{ first: number | null; newest: number }>(
  sql`SELECT min(${log.place}) & 4294967295 AS "first", ${lastEvent} AS "newest" FROM ${log} WHERE ${ofWorkspace}`,
)

export interface EventPage {
  rows: EventRow[]
  hasMore: boolean
  /** First kept event, if events after `after` are no longer kept. */
  from: number | undefined
  /** Newest event of the workspace, visible or not; 0 without `follows`. */
  newest: number
}

/**
 * Reads a page of at most `limit` events and 4 MB of visible data. Ids have no gaps and the newest event always stays,
 * and an unfiltered page therefore reveals deleted events by itself. `follows` also reads the newest id.
 */
export async function listEvents(
  db: Database,
  { type, key, limit, after, readable }: EventFilter,
  { follows = false } = {},
): Promise<EventPage> {
  const shape = { type: type !== undefined, key: key !== undefined, products: db.products?.length }
  const page: Statement<EventRow> = {
    template: pages(`${shape.type} ${shape.key} ${shape.products}`, shape),
    values: { after, limit: limit + 1, type, key, readable: `,${readable.join()},` },
  }
  const isNarrowed = shape.type || shape.key || shape.products !== undefined
  const needsEdges = follows || (after > 0 && isNarrowed)
  const [found, [known]] = needsEdges ? await db.read(page, edges({})) : [...(await db.read(page)), []]
  const first = isNarrowed ? known?.first : found[0]?.id
  const end = Math.min(limit, rowsThatFit(found, ['data', 'previous']))
  return {
    rows: found.slice(0, end),
    hasMore: found.length > end,
    from: first && after > 0 && first > after + 1 ? first : undefined,
    newest: known?.newest ?? 0,
  }
}
