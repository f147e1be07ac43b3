import { type Client, createClient, type Event, mirror } from '../../clients/typescript/src'
import { send } from '../client'
import { UNLIMITED } from '../contract/table'
import type { Workspace } from '../factories'
import type { Random } from '../random'
import { MemoryStore } from './memory-store'

/** The packaged client with the app as its service. */
export async function createMirrorClient(workspace: Workspace, scopes = ['*']): Promise<Client> {
  const key = await workspace.key({ scopes })
  const fetchFromApp: typeof fetch = async (at, { method = 'GET', headers, body, signal } = {}) => {
    const { pathname, search } = new URL(String(at))
    const options = { headers: headers as Record<string, string>, env: UNLIMITED }
    const { response } = await send(method, pathname + search, {
      ...options,
      ...(body && { raw: body }),
      ...(signal && { signal }),
    })
    return response
  }
  return createClient({ url: 'https://groundwork.test', key: key.replace(/^Bearer /, ''), fetch: fetchFromApp })
}

/** The records of a mirror right after the first read. */
export async function readAll(client: Client): Promise<MemoryStore> {
  const store = new MemoryStore()
  const stop = new AbortController()
  const { apply } = store
  store.apply = (changes, position) => {
    apply.call(store, changes, position)
    if (position !== undefined) stop.abort()
  }
  await mirror(client, store, { signal: stop.signal })
  store.apply = apply
  return store
}

export async function readEventsSince(client: Client, after: number): Promise<Event[]> {
  const events: Event[] = []
  for (;;) {
    const page = await client.listEvents({ after: events.at(-1)?.id ?? after, limit: 100 })
    if (!page.length) return events
    events.push(...page)
  }
}

/** All events in another order, some of them twice, as webhooks deliver them. */
export function shuffleDeliveries(events: readonly Event[], random: Random): Event[] {
  const deliveries = [...events, ...events.filter(() => random.chance(30))]
  for (let n = deliveries.length - 1; n > 0; n--) {
    const other = random.below(n + 1)
    ;[deliveries[n], deliveries[other]] = [deliveries[other] as Event, deliveries[n] as Event]
  }
  return deliveries
}
