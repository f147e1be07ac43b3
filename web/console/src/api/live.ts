import { EventsGoneError, follow, GroundworkError, readLatestEventId } from 'groundwork-client'
import { client } from './client'
import { queries } from './queries'

const RETRY_MS = 5_000
const NAME = 'groundwork-events'

/** Each wait for events counts as ten requests, also in a workspace where somebody changes something every second. */
const PAUSE_SECONDS = 4

/** A record that somebody has changed. */
export interface Change {
  resource: string
  /** Such as `feedback.created`. */
  type: string
  key: string
}

/** One page of the browser follows the events, and tells the others what has changed. */
const pages = new BroadcastChannel(NAME)

const listeners = new Set<(change: Change) => void>()

/** For lists, which show new records on request. Returns the end of the listening. */
export function listenToChanges(listener: (change: Change) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A change of any record may change what a search finds. */
const ALSO_SHOWN = ['search']

function readAgain(change: Change): void {
  // The own workspace may be erased soon.
  if (change.resource === 'workspace') void queries.invalidateQueries({ queryKey: ['me'] })
  for (const name of [change.resource, ...ALSO_SHOWN]) void queries.invalidateQueries({ queryKey: [name] })
  for (const listener of listeners) listener(change)
}

/** Keeps what the page shows up to date, while the page is visible. */
export async function followWorkspace(): Promise<void> {
  pages.onmessage = ({ data }: MessageEvent<Change>) => readAgain(data)
  for (;;) {
    await untilVisible()
    const hidden = new AbortController()
    const stop = () => document.hidden && hidden.abort()
    document.addEventListener('visibilitychange', stop)
    await navigator.locks
      .request(NAME, { signal: hidden.signal }, () => followEvents(hidden.signal))
      .catch(() => undefined)
    document.removeEventListener('visibilitychange', stop)
    // What happened meanwhile is unknown.
    if (hidden.signal.aborted) await untilVisible().then(() => queries.invalidateQueries())
  }
}

async function followEvents(signal: AbortSignal): Promise<void> {
  let after: number | undefined
  while (!signal.aborted) {
    try {
      after ??= await readLatestEventId(client)
      for await (const event of follow(client, { after, signal, pause: PAUSE_SECONDS })) {
        after = event.id
        const [resource = ''] = event.type.split('.')
        const change = { resource, type: event.type, key: event.resourceKey }
        readAgain(change)
        pages.postMessage(change)
      }
    } catch (error) {
      if (error instanceof EventsGoneError) {
        after = undefined
        void queries.invalidateQueries()
      }
      await wait(error instanceof GroundworkError && error.retryAfter ? error.retryAfter * 1_000 : RETRY_MS)
    }
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const untilVisible = () =>
  new Promise<void>((resolve) => {
    if (!document.hidden) return resolve()
    const see = () => {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', see)
      resolve()
    }
    document.addEventListener('visibilitychange', see)
  })
