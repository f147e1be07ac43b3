import * as z from 'zod'
import type { Actor } from '../../db/sql/actor'
import { canRead } from '../../http/auth'
import { declareCeiling, SCANNED_EVENTS_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { IMPORTS, type ImportName } from '../../imports'
import { filterResources, type ResourceName } from '../../resources'
import { invalidValueError } from '../../text/errors'
import { toIso } from '../../text/moments'
import { hideFileDetails } from '../assets/hide-details'
import { toEventSource } from './actor'
import { parseCascade } from './cascade'
import { typesOfPatterns } from './filter'
import { fillInRecordKeys } from './keys'
import { addArchivedEvents } from './page'
import { clearPeople, fillInPerson } from './people'
import { type EventRow, listEvents as list } from './queries/list'
import { Event, EventQuery } from './schema'
import { MAX_WAITERS_PER_KEY, MAX_WAITERS_PER_WORKSPACE, waitForEventPage } from './waiting'

/** An import run belongs to the area of the imported records. */
function canReadEventData({ type, data }: EventRow, actor: Actor): boolean {
  if (!type.startsWith('import.') || data === null) return true
  const { kind }: { kind: ImportName } = JSON.parse(data)
  return canRead(actor, IMPORTS[kind].area)
}

function toEventReply(storedRow: EventRow, actor: Actor): z.input<typeof Event> {
  const row = canReadEventData(storedRow, actor)
    ? storedRow
    : { ...storedRow, data: null, previous: null, cascade: null }
  const parseVisible = (json: string): z.input<typeof Event>['data'] => hideFileDetails(JSON.parse(json), actor)
  return {
    id: row.id,
    type: row.type,
    ...toEventSource(row, actor),
    productId: row.productId,
    resourceKey: row.resourceKey,
    data: row.data === null ? null : parseVisible(fillInRecordKeys(fillInPerson(row.data, row), actor)),
    previous: row.previous === null ? null : parseVisible(fillInRecordKeys(clearPeople(row.previous), actor)),
    cascade: parseCascade(row.cascade, actor),
    createdAt: toIso(row.createdAt),
  }
}

export const listEvents = operation({
  id: 'listEvents',
  tag: 'Events',
  route: 'GET /api/v2/events',
  summary: 'List events',
  description: `The append-only log of every write, oldest first (\`order=newest\`: newest first). Only keys with the \`:read\` scope of the area see the data of a record; other keys see the type, the resource and the time. A key that is limited to products sees the events of its products. Ids increase in the order of the writes: continue after the last id that you have seen, and you miss no event. \`wait\` delays the response until an event arrives: the service reads the log after 1 second and then every 5 seconds, and the list is empty when the time is over. At most ${MAX_WAITERS_PER_KEY} requests of a key and ${MAX_WAITERS_PER_WORKSPACE} of a workspace can wait at once; more get a 429. A page also ends at 4 MB: a page can be shorter than \`limit\` and still have a \`next\`. By default events move to an archive after 30 days (\`EVENTS_KEPT_DAYS\`), and the list also reads the archive. A page of archived events can be short or empty and still have a \`next\`. Archived events of ideas have a null actor and the user 0, and archived events of members have no attributes, and no ids in other systems. When neither the log nor the archive has the next event, the response is a 410 that names the first available event. The log stores only the ids of people: names and addresses are current, and empty for removed people. The service emits \`mail_provider.down\`, with \`{provider, since, reason}\`, when the mail provider has accepted no mail of the workspace for three days, or when the service has given up a mail, and \`mail_provider.restored\`, with \`{provider, since, until}\`, when the provider accepts mail again.`,
  scope: 'events:read',
  mayBeGone: true,
  ceiling: declareCeiling(11_000, SCANNED_EVENTS_COST_REASON),
  query: EventQuery,
  data: z.array(Event),
  async handle({ query, db, actor, env, signal }) {
    const readable: ResourceName[] = [...filterResources((area) => canRead(actor, area)), 'import']
    const { type, wait, ...asked } = query
    if (wait && query.order === 'newest')
      throw invalidValueError('/query/wait', 'A wait follows the log. Leave out order=newest, or leave out wait.')
    if (query.from !== undefined && query.to !== undefined && query.from >= query.to)
      throw invalidValueError('/query/to', 'Must be after from')
    const filter = { ...asked, types: typesOfPatterns(type), readable }
    const page = query.wait
      ? await waitForEventPage({
          actor,
          seconds: query.wait,
          signal,
          read: (readUpTo, now) =>
            list(db.atTime(now), { ...filter, after: Math.max(query.after, readUpTo) }, { follows: true }),
          isAnswer: ({ rows, next, firstKept }) => rows.length > 0 || next !== undefined || firstKept !== undefined,
        })
      : await list(db, filter)
    const { subscriptionId } = actor
    const { rows, next } = await addArchivedEvents(page, { db, files: env.FILES, subscriptionId, filter })
    return {
      data: rows.map((row) => toEventReply(row, actor)),
      ...(next !== undefined && { next: { after: String(next) } }),
    }
  },
})
