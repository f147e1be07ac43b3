import { signal } from '@preact/signals'
import { askToSignInAgain } from './session-end'

/** False after a request that got no answer, until the service answers again. */
export const isReachable = signal(true)

/** True after a request that the service refused as one too many, until it takes requests again. */
export const isSlowed = signal(false)

const HEALTH = '/health'
const RETRY_MS = 3_000
const TOO_MANY_STATUS = 429

/** The page does not show what these wait for. */
const WAITS_UNSEEN = /\/api\/v2\/(?:events\?|sign-in)/

/** A second DELETE would find no record. The client gives each POST an idempotency key, and a PUT brings the same state. */
const isRepeatable = (method = 'GET') => method !== 'DELETE'

/** Tries of a request that fails while the service answers others. */
const MAX_TRIES = 3

const running = new Set<Promise<unknown>>()

/** Resolves when no change is on its way, such as before a sign-out, which would overtake it. */
export async function outlastChanges(): Promise<void> {
  while (running.size > 0) {
    await Promise.allSettled(running)
    // A change that waited for another one begins now.
    await new Promise((resolve) => setTimeout(resolve))
  }
}

export function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const answer = sendUntilAnswered(input, init)
  if ((init?.method ?? 'GET') === 'GET') return answer
  running.add(answer)
  const end = () => void running.delete(answer)
  answer.then(end, end)
  return answer
}

/** Waits for the network, and for the person if the session has ended; then sends the request again. */
async function sendUntilAnswered(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    try {
      const response = await fetch(input, init)
      isReachable.value = true
      if (!WAITS_UNSEEN.test(String(input))) isSlowed.value = response.status === TOO_MANY_STATUS
      if (response.status !== 401 || !(await askToSignInAgain())) return response
    } catch (cause) {
      if (init?.signal?.aborted) throw cause
      const outlasted = outlastFault()
      if (!isRepeatable(init?.method) || tries === MAX_TRIES) throw cause
      await outlasted
    }
  }
}

/** Says that the service cannot be reached, until it answers. */
export function outlastFault(): Promise<void> {
  isReachable.value = false
  return waitForService()
}

/** A page that waits for no answer would not notice. */
addEventListener('offline', () => void fetch(HEALTH, { cache: 'no-store' }).catch(outlastFault))

let waiting: Promise<void> | undefined

function waitForService(): Promise<void> {
  waiting ??= pollService().finally(() => {
    waiting = undefined
  })
  return waiting
}

async function pollService(): Promise<void> {
  for (;;) {
    await new Promise<void>((resolve) => {
      setTimeout(resolve, RETRY_MS)
      addEventListener('online', () => resolve(), { once: true })
    })
    const answer = await fetch(HEALTH, { cache: 'no-store' }).catch(() => undefined)
    if (!answer) continue
    isReachable.value = true
    return
  }
}
