import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { apiKeys, users } from '../../../db/schema/tenancy'
import { caller, param, statement } from '../../../db/sql/statement'
import type { ResourceName } from '../../../resources'
import type { EventPerson } from '../people'
import { type ArchivedEvent, eventPersonColumns } from '../statements'
import type { EventRow } from './list'

type EventPersonRow = EventPerson & { id: number }

const selectEventPeople = statement<
  EventPersonRow,
  { ids: string }
>(sql`SELECT ${users.id} AS "id", ${eventPersonColumns}
  FROM json_each(${param('ids')}) p CROSS JOIN ${users} ON ${users.id} = p.value
    AND ${users.subscriptionId} = ${caller.subscription} AND ${users.deletedAt} IS NULL`)

type EventKeyRow = { jti: string; keyId: number; keyName: string }

const selectEventKeys = statement<EventKeyRow, { keys: string }>(sql`SELECT ${apiKeys.jti} AS "jti",
    ${apiKeys.id} AS "keyId", ${apiKeys.name} AS "keyName"
  FROM json_each(${param('keys')}) k CROSS JOIN ${apiKeys} ON ${apiKeys.subscriptionId} = ${caller.subscription}
    AND ${apiKeys.jti} = k.value`)

/** Current names of the people and of the API keys of archived events. */
export interface EventNames {
  people: readonly EventPersonRow[]
  keys: readonly EventKeyRow[]
}

export async function listEventNames(db: Database, events: readonly ArchivedEvent[]): Promise<EventNames> {
  const ids = [...new Set(events.flatMap(({ personId }) => personId ?? []))]
  const jtis = [...new Set(events.flatMap(({ actorKey }) => actorKey ?? []))]
  if (!ids.length && !jtis.length) return { people: [], keys: [] }
  const [people, keys] = await db.read(
    selectEventPeople({ ids: JSON.stringify(ids) }),
    selectEventKeys({ keys: JSON.stringify(jtis) }),
  )
  return { people, keys }
}

const REMOVED_PERSON = { firstName: '', lastName: '', email: '' }
const REMOVED_KEY = { keyId: null, keyName: null }

/** Hides the data of resources that are not `readable`, as `listEvents` does in SQL. */
export function toEventRows(
  events: readonly ArchivedEvent[],
  { people, keys }: EventNames,
  readable: readonly ResourceName[],
): EventRow[] {
  const personById = new Map(people.map((person) => [person.id, person]))
  const keyByJti = new Map(keys.map((key) => [key.jti, key]))
  return events.map(({ personId, ...event }) => {
    const isReadable = readable.some((resource) => event.type.startsWith(`${resource}.`))
    const { firstName, lastName, email } = (personId !== null && personById.get(personId)) || REMOVED_PERSON
    const { keyId, keyName } = (event.actorKey !== null && keyByJti.get(event.actorKey)) || REMOVED_KEY
    const hidden = isReadable ? {} : { data: null, previous: null, cascade: null }
    return { ...event, ...hidden, ...{ firstName, lastName, email, keyId, keyName } }
  })
}
