import { type SQL, sql } from 'drizzle-orm'
import { covered } from '../../db/access'
import type { Database } from '../../db/client'
import { eventsAfter, ofWorkspace } from '../../db/log'
import { eachProduct, union } from '../../db/page'
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
  /** JSON; null of a resource that is not `readable`. */
  data: string | null
  previous: string | null
}

export interface EventFilter {
  limit: number
  after: number
  type?: string | undefined
  key?: string | undefined
  /** The resources whose events show what they hold. */
  readable: readonly ResourceName[]
}

/** What decides the text of a page. */
interface PageShape {
  type: boolean
  key: boolean
  /** How many products the caller's key is limited to. */
  products: number | undefined
}

const readable = sql`instr(${param('readable')}, ',' || substr(${log.type}, 1, instr(${log.type}, '.') - 1) || ',')`
const shown = (column: SQL) => sql`CASE WHEN ${readable} THEN ${column} END`

const selection = sql`${columns(log, COLUMNS)}, ${shown(sql`${log.data}`)} AS "data",
  ${shown(sql`${log.previous}`)} AS "previous", ${names}`

const behind = sql`${log.subscriptionId} = ${caller.subscription} AND ${eventsAfter(param('after'))}`

// Left to choose, SQLite walks the whole log in the order that the page wants.
const indexOf = ({ type, key }: PageShape) =>
  key ? sql`INDEXED BY log_resource` : type ? sql`INDEXED BY log_type` : sql`NOT INDEXED`

function conditions({ type, key }: PageShape): SQL {
  const ofKey = key ? sql`AND ${log.resourceKey} = ${param('key')}` : sql``
  const ofType = type ? sql`AND ${log.type} = ${param('type')}` : sql``
  return sql`${ofKey} ${ofType}`
}

/** A key limited to products sees what happened in those; what belongs to no product is the whole workspace's. */
function pageSql(shape: PageShape): SQL {
  const { key, products } = shape
  const also = conditions(shape)
  const end = boundLimit('limit')
  // What is about one record is little, whoever may see it.
  if (products === undefined || key) {
    const own = products === undefined ? sql`` : sql`AND ${covered(sql`${log.productId}`)}`
    return sql`SELECT ${selection} FROM ${log} ${indexOf(shape)} ${people}
      WHERE ${behind} ${also} ${own} ORDER BY ${log.place} ${end}`
  }
  const which = eachProduct(sql`${log.productId}`, products).map(
    (own) => sql`SELECT ${log.place} AS place FROM ${log} INDEXED BY log_product
      WHERE ${behind} AND ${own} ${also}`,
  )
  return sql`SELECT ${selection} FROM (${union(which)} ORDER BY place ${end}) page
    CROSS JOIN ${log} ON ${log.place} = page.place ${people} ORDER BY page.place`
}

const pages = textsBy(pageSql)

const oldest = statement<{ id: number | null }>(
  sql`SELECT min(${log.place}) & 4294967295 AS "id" FROM ${log} WHERE ${ofWorkspace}`,
)

interface EventPage {
  /** One event more than `limit`, where there are more. */
  rows: EventRow[]
  /** The first event that is kept, where those behind `after` are not. */
  from: number | undefined
}

/** Ids have no gaps and the newest event is always kept, so a whole page says itself where one is not the next. */
export async function listEvents(db: Database, { type, key, limit, after, readable }: EventFilter): Promise<EventPage> {
  const shape = { type: type !== undefined, key: key !== undefined, products: db.products?.length }
  const page: Statement<EventRow> = {
    template: pages(`${shape.type} ${shape.key} ${shape.products}`, shape),
    values: { after, limit: limit + 1, type, key, readable: `,${readable.join()},` },
  }
  const next = (first: number | null | undefined) => (first && after > 0 && first > after + 1 ? first : undefined)
  if (after > 0 && (shape.type || shape.key || shape.products !== undefined)) {
    const [rows, [first]] = await db.read(page, oldest({}))
    return { rows, from: next(first?.id) }
  }
  const [rows] = await db.read(page)
  return { rows, from: next(rows[0]?.id) }
}
