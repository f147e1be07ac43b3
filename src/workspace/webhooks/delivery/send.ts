import { parseRetryAfter } from '../../../people/mail/providers/call'
import { toIso } from '../../../text/moments'
import type { DeliveryAttempt } from '../schema'

// Standard Webhooks recommends 15 to 30 seconds.
export const ATTEMPT_TIMEOUT_MS = 15_000
const MAX_EXCERPT_BYTES = 1_024

export interface AttemptResult {
  attempt: DeliveryAttempt
  isGone: boolean
  retryAfter: number | undefined
  timedOut: boolean
}

interface PostDeliveryDeps {
  fetch: typeof fetch
  now(): number
}

/** Only a 2xx is a success, and a redirect is a failure. */
export async function postDelivery(
  url: string,
  body: string,
  headers: Record<string, string>,
  { fetch, now }: PostDeliveryDeps,
): Promise<AttemptResult> {
  const started = now()
  const toAttempt = (status: number | null, response: string | null, error: string | null): DeliveryAttempt => ({
    ...{ at: toIso(started), status, durationMs: now() - started, response, error },
  })
  // The timer is cleared by hand, because the platform keeps timers of AbortSignal.timeout until expiry, at most
  // 10,000.
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), ATTEMPT_TIMEOUT_MS)
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'user-agent': 'Groundwork-Webhooks/1.0', ...headers },
      redirect: 'manual',
      signal: abort.signal,
    })
    const { status } = answer
    const response = await readResponseExcerpt(answer)
    const error = answer.ok ? null : explainFailedStatus(status)
    const after = parseRetryAfter(answer.headers.get('retry-after'), now())
    return { attempt: toAttempt(status, response, error), isGone: status === 410, retryAfter: after, timedOut: false }
  } catch (cause) {
    const slow = abort.signal.aborted
    const why = slow ? `No answer within ${ATTEMPT_TIMEOUT_MS / 1000} seconds.` : 'The connection failed.'
    const detail = !slow && cause instanceof Error ? ` (${cause.message.slice(0, 200).toWellFormed()})` : ''
    return { attempt: toAttempt(null, null, why + detail), isGone: false, retryAfter: undefined, timedOut: slow }
  } finally {
    clearTimeout(timer)
  }
}

function explainFailedStatus(status: number): string {
  if (status >= 300 && status < 400) return `The receiver answered ${status}; redirects are not followed.`
  return `The receiver answered ${status}.`
}

async function readResponseExcerpt({ body }: Response): Promise<string> {
  if (!body) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let [text, read] = ['', 0]
  while (read < MAX_EXCERPT_BYTES) {
    const { value, done } = await reader.read()
    if (done) break
    text += decoder.decode(value.subarray(0, MAX_EXCERPT_BYTES - read), { stream: true })
    read += value.length
  }
  await reader.cancel().catch(() => undefined)
  return text.replace(/[^\P{Cc}\n\t]/gu, ' ')
}
