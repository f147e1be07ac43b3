import { type SQL, sql } from 'drizzle-orm'
import { covered } from '../db/access'
import type { Database } from '../db/client'
import { events } from '../db/schema/tenancy'
import { caller, columns, param, type Selected, variants } from '../db/statement'

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
}

type Variant = 'all' | 'type' | 'key' | 'type and key'

const FILTERS: Record<Variant, SQL> = {
  all: sql``,
  type: sql`AND ${events.type} = ${param('type')}`,
  key: sql`AND ${events.resourceKey} = ${param('key')}`,
  'type and key': sql`AND ${events.resourceKey} = ${param('key')} AND ${events.type} = ${param('type')}`,
}

// A key limited to products sees what happened in those; what belongs to no product is the whole workspace's.
const list = variants<EventRow, { after: number; limit: number; type?: string; key?: string }, Variant>(
  (variant) => sql`SELECT ${columns(events, COLUMNS)} FROM ${events}
    WHERE ${events.subscriptionId} = ${caller.subscription} AND ${events.id} > ${param('after')} ${FILTERS[variant]}
      AND ${covered(sql`${events.productId}`)}
    ORDER BY ${events.id} LIMIT ${param('limit')}`,
)

export async function listEvents(db: Database, { type, key, limit, after }: EventFilter): Promise<EventRow[]> {
  const variant = type === undefined ? (key === undefined ? 'all' : 'key') : key === undefined ? 'type' : 'type and key'
  const values = { after, limit: limit + 1, ...(type !== undefined && { type }), ...(key !== undefined && { key }) }
  const [rows] = await db.read(list(variant, values))
  return rows
}
