import * as z from 'zod'
import type { Actor } from '../../db/actor'
import { reads } from '../../http/auth'
import { operation } from '../../http/operation'
import { IMPORTS, type ImportName } from '../../imports'
import { type ResourceName, resourcesOf } from '../../resources'
import { ApiError } from '../../text/errors'
import { iso } from '../../text/moments'
import { hidingFiles } from '../assets/hiding'
import { withKeys } from './keys'
import { withoutPeople, withPerson } from './people'
import { type EventPage, type EventRow, listEvents as list } from './queries'
import { Event, EventQuery } from './schema'
import { MAX_WAITERS_OF_KEY, MAX_WAITERS_OF_WORKSPACE, waitFor } from './waiting'

/** An import run belongs to the area of the imported records. */
function isReadable({ type, data }: EventRow, actor: Actor): boolean {
  if (!type.startsWith('import.') || data === null) return true
  const { kind }: { kind: ImportName } = JSON.parse(data)
  return reads(actor, IMPORTS[kind].area)
}

function toEvent(found: EventRow, actor: Actor): z.input<typeof Event> {
  const row = isReadable(found, actor) ? found : { ...found, data: null, previous: null }
  const shown = (told: string): z.input<typeof Event>['data'] => hidingFiles(JSON.parse(told), actor)
  return {
    id: row.id,
    type: row.type,
    actor: { userId: row.actorUserId, key: row.actorKey },
    productId: row.productId,
    resourceKey: row.resourceKey,
    data: row.data === null ? null : shown(withKeys(withPerson(row.data, row), actor)),
    previous: row.previous === null ? null : shown(withKeys(withoutPeople(row.previous), actor)),
    createdAt: iso(row.createdAt),
  }
}

/** Continuing after a deleted event would skip events without notice. */
const notKept = (from: number) =>
  new ApiError(
    'gone',
    `Events before ${from} are not kept any more. Go on with after=${from - 1}, and read anew what you follow: what happened between is in the archive.`,
  )

const hasAnswer = ({ rows, from }: EventPage) => rows.length > 0 || from !== undefined

export const listEvents = operation({
  id: 'listEvents',
  tag: 'Events',
  route: 'GET /api/v2/events',
  summary: 'List events',
  description: `The append-only log of every write, oldest first. What a record held is shown to a key with the \`:read\` of its area; to others its event says what happened to which, and when. A key that is limited to products sees what happened in those. Ids count up in the order of the writes, so whoever goes on from the last that they have seen misses none; with \`wait\` the answer comes once there is one: the log is asked after a second, then each 5 seconds, and the answer is empty when the time is over. At most ${MAX_WAITERS_OF_KEY} requests of a key and ${MAX_WAITERS_OF_WORKSPACE} of a workspace wait at once; beyond that, 429. A page ends at 4 MB too: it may be shorter than \`limit\` and still have a \`next\`. Events are kept for a year unless the service is set otherwise (\`EVENTS_KEPT_DAYS\`): to go on from one after which some are not kept any more is a 410 that names the first that is. The log keeps of a person an id: names and addresses are filled in as they are now, and empty where the person is gone. Of the service itself it tells \`mail_provider.down\`, with \`{provider, since, reason}\`, once the mail provider has taken nothing of the workspace for three days or mail was given up on it, and \`mail_provider.restored\`, with \`{provider, since, until}\`, when it does again.`,
  scope: 'events:read',
  mayBeGone: true,
  query: EventQuery,
  data: z.array(Event),
  async handle({ query, db, actor, signal }) {
    const readable: ResourceName[] = [...resourcesOf((area) => reads(actor, area)), 'import']
    const filter = { ...query, readable }
    const { rows, hasMore, from } = query.wait
      ? await waitFor({
          actor,
          seconds: query.wait,
          signal,
          read: (readUpTo, now) =>
            list(db.at(now), { ...filter, after: Math.max(query.after, readUpTo) }, { follows: true }),
          isAnswer: hasAnswer,
        })
      : await list(db, filter)
    if (from !== undefined) throw notKept(from)
    const last = rows.at(-1)
    return {
      data: rows.map((row) => toEvent(row, actor)),
      ...(hasMore && last && { next: { after: String(last.id) } }),
    }
  },
})
