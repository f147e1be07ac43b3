import type { Client } from './client.ts'
import { GroundworkError } from './errors.ts'
import { wait } from './retry.ts'
import type { Event, Operations } from './types.ts'

export interface FollowOptions extends Pick<Operations['listEvents']['input'], 'type' | 'product' | 'origin' | 'key'> {
  /** Id of the last event that you have handled; 0 begins with the oldest kept event. */
  after: number
  signal?: AbortSignal | undefined
  /** Seconds to let events gather before the next request, which counts as ten; 0 by default. */
  pause?: number
}

/** Thrown when the service no longer keeps the events after `after`: read your records again, and follow from `latest`. */
export class EventsGoneError extends Error {
  override readonly name = 'EventsGoneError'
}

/** Yields each event of the log once, in order, and waits for new events until the signal aborts. */
export async function* follow(
  client: Client,
  { after, signal, pause = 0, ...filter }: FollowOptions,
): AsyncGenerator<Event, void, undefined> {
  let last = after
  while (!signal?.aborted) {
    const page = { ...filter, after: last, limit: 100, wait: 25 }
    const { data, headers } = await client.request('listEvents', page, { signal }).catch((error: unknown) => {
      if (signal?.aborted) return { data: [], headers: new Headers() }
      if (error instanceof GroundworkError && error.code === 'gone') throw new EventsGoneError(error.message)
      throw error
    })
    for (const event of data) {
      yield event
      last = event.id
    }
    if (data.length && pause) await wait(pause * 1000, signal)
    // A filtered page can be empty and still have a next page.
    last = Math.max(last, Number(/[?&]after=(\d+)/.exec(headers.get('link') ?? '')?.[1] ?? 0))
  }
}

/** Id of the newest event: the place from where to follow after a first read of all records. */
export async function readLatestEventId(client: Client): Promise<number> {
  const [event] = await client.listEvents({ order: 'newest', limit: 1 })
  return event?.id ?? 0
}
