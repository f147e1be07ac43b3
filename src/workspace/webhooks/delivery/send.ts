import { parseRetryAfter } from '../../../people/mail/providers/call'
import { toIso } from '../../../text/moments'
import type { Attempt } from '../schema'

// Standard Webhooks recommends 15 to 30 seconds.
export const ATTEMPT_TIMEOUT = 15_000
const MAX_EXCERPT = 1_024

export interface AttemptResult {
  attempt: Attempt
  isGone: boolean
  retryAfter: number | undefined
  timedOut: boolean
}

interface SendDeps {
  fetch: typeof fetch
  now(): number
}

/** Only a 2xx is a success, and a redirect is a failure. */
export async function postDelivery(
  url: string,
  body: string,
  headers: Record<string, string>,
  { fetch, now }: SendDeps,
): Promise<AttemptResult> {
  const started = now()
  const toAttempt = (status: number | null, response: string | null, error: string | null): Attempt => ({
    ...{ at: toIso(started), status, durationMs: now() - started, response, error },
  })
  // The timer is cleared by hand, because the platform keeps timers of AbortSignal.timeout until expiry, at most
  // 10,000.
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), ATTEMPT_TIMEOUT)
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'user-agent': 'Groundwork-Webhooks/1.0', ...headers },
      redirect: 'manual',
      signal: abort.signal,
    })
    const { status } = answer
    const response = await readExcerpt(answer)
    const error = answer.ok ? null : explainStatus(status)
    const after = parseRetryAfter(answer.headers.get('retry-after'), now())
    return { attempt: toAttempt(status, response, error), isGone: status === 410, retryAfter: after, timedOut: false }
  } catch (cause) {
    const slow = abort.signal.aborted
    const why = slow ? `No answer within ${ATTEMPT_TIMEOUT / 1000} seconds.` : 'The connection failed.'
    const detail = !slow && cause instanceof Error ? ` (${cause.message.slice(0, 200).toWellFormed()})` : ''
    return { attempt: toAttempt(null, null, why + detail), isGone: false, retryAfter: undefined, timedOut: slow }
  } finally {
    clearTimeout(timer)
  }
}

function explainStatus(status: number): string {
  if (status >= 300 && status < 400) return `The receiver answered ${status}; redirects are not followed.`
  return `The receiver answered ${status}.`
}

async function readExcerpt({ body }: Response): Promise<string> {
  if (!body) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let [text, read] = ['', 0]
  while (read < MAX_EXCERPT) {
    const { value, done } = await reader.read()
    if (done) break
    text += decoder.decode(value.subarray(0, MAX_EXCERPT - read), { stream: true })
    read += value.length
  }
  await reader.cancel().catch(() => undefined)
  return text.replace(/[^\P{Cc}\n\t]/gu, ' ')
}
