import * as z from 'zod'
import { operation } from '../../http/operation'
import { iso } from '../../text/moments'
import { type EventRow, listEvents as list } from './queries'
import { Event, EventQuery } from './schema'

function toEvent(row: EventRow): z.input<typeof Event> {
  return {
    id: row.id,
    type: row.type,
    actor: { userId: row.actorUserId, key: row.actorKey },
    productId: row.productId,
    resourceKey: row.resourceKey,
    data: JSON.parse(row.data),
    previous: row.previous === null ? null : JSON.parse(row.previous),
    createdAt: iso(row.createdAt),
  }
}

export const listEvents = operation({
  id: 'listEvents',
  method: 'get',
  path: '/api/v2/events',
  tag: 'Events',
  summary: 'List events',
  description:
    'The append-only log of every write, oldest first. A key that is limited to products sees what happened in those.',
  scope: 'events:read',
  query: EventQuery,
  data: z.array(Event),
  async handle({ query, db, actor }) {
    const rows = await list(db, { ...query, limited: actor.products !== null })
    const page = rows.slice(0, query.limit)
    const last = page.at(-1)
    return {
      data: page.map(toEvent),
      ...(rows.length > query.limit && last && { next: { after: String(last.id) } }),
    }
  },
})
