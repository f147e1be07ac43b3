import { type SQL, sql } from 'drizzle-orm'
import { covered } from '../../db/access'
import type { Database } from '../../db/client'
import { events } from '../../db/schema/tenancy'
import { caller, columns, param, type Selected, variants } from '../../db/statement'

const COLUMNS = [
  'id',
  'type',
  'actorUserId',
  'actorKey',
  'productId',
  'resourceKey',
  'data',
  'previous',
  'createdAt',
] as const

export type EventRow = Selected<typeof events, (typeof COLUMNS)[number]>

export interface EventFilter {
  limit: number
  after: number
  type?: string | undefined
  key?: string | undefined
  /** Whether the caller's key is limited to products. */
  limited: boolean
}

type Variant = 'all' | 'type' | 'key' | 'type and key'

const FILTERS: Record<Variant, SQL> = {
  all: sql``,
  type: sql`AND ${events.type} = ${param('type')}`,
  key: sql`AND ${events.resourceKey} = ${param('key')}`,
  'type and key': sql`AND ${events.resourceKey} = ${param('key')} AND ${events.type} = ${param('type')}`,
}

// Left to choose, SQLite walks the whole log in the order that the page wants.
const INDEXES: Record<Variant, SQL> = {
  all: sql``,
  type: sql`INDEXED BY events_type`,
  key: sql`INDEXED BY events_resource`,
  'type and key': sql`INDEXED BY events_resource`,
}

// A key limited to products sees what happened in those; what belongs to no product is the whole workspace's.
const list = variants<EventRow, { after: number; limit: number; type?: string; key?: string }, Variant>(
  (variant) => sql`SELECT ${columns(events, COLUMNS)} FROM ${events} ${INDEXES[variant]}
    WHERE ${events.subscriptionId} = ${caller.subscription} AND ${events.id} > ${param('after')} ${FILTERS[variant]}
      AND ${covered(sql`${events.productId}`)}
    ORDER BY ${events.id} LIMIT ${param('limit')}`,
)

// As many of each product as the page may need: what the page costs does not grow with what other products have.
const listOfProducts = variants<EventRow, { after: number; limit: number; type?: string }, 'all' | 'type'>(
  (variant) => sql`SELECT ${columns(events, COLUMNS)} FROM ${events}
    WHERE ${events.subscriptionId} = ${caller.subscription} AND ${events.id} IN (
      SELECT e.id FROM json_each(${caller.products}) p CROSS JOIN ${events} e
      WHERE e.subscription_id = ${caller.subscription} AND e.product_id = p.value AND e.id IN (
        SELECT own.id FROM ${events} own INDEXED BY events_product
        WHERE own.subscription_id = ${caller.subscription} AND own.product_id = p.value AND own.id > ${param('after')}
          ${variant === 'type' ? sql`AND own.type = ${param('type')}` : sql``}
        ORDER BY own.id LIMIT ${param('limit')})
      ORDER BY e.id LIMIT ${param('limit')})
    ORDER BY ${events.id}`,
)

export async function listEvents(db: Database, filter: EventFilter): Promise<EventRow[]> {
  const { type, key, limit, after, limited } = filter
  const variant = type === undefined ? (key === undefined ? 'all' : 'key') : key === undefined ? 'type' : 'type and key'
  const values = { after, limit: limit + 1, ...(type !== undefined && { type }), ...(key !== undefined && { key }) }
  // What is about one record is little, whoever may see it.
  const ofProducts = limited && (variant === 'all' || variant === 'type')
  const [rows] = await db.read(ofProducts ? listOfProducts(variant, values) : list(variant, values))
  return rows
}
