import * as z from 'zod'
import { operation } from '../../http/operation'
import { iso } from '../../text/moments'
import { withoutPeople, withPerson } from './people'
import { type EventRow, listEvents as list } from './queries'
import { Event, EventQuery } from './schema'

function toEvent(row: EventRow): z.input<typeof Event> {
  return {
    id: row.id,
    type: row.type,
    actor: { userId: row.actorUserId, key: row.actorKey },
    productId: row.productId,
    resourceKey: row.resourceKey,
    data: JSON.parse(withPerson(row.data, row)),
    previous: row.previous === null ? null : JSON.parse(withoutPeople(row.previous)),
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
    'The append-only log of every write, oldest first. A key that is limited to products sees what happened in those. The log keeps of a person an id: names and addresses are filled in as they are now, and empty where the person is gone.',
  scope: 'events:read',
  query: EventQuery,
  data: z.array(Event),
  async handle({ query, db }) {
    const rows = await list(db, query)
    const page = rows.slice(0, query.limit)
    const last = page.at(-1)
    return {
      data: page.map(toEvent),
      ...(rows.length > query.limit && last && { next: { after: String(last.id) } }),
    }
  },
})
