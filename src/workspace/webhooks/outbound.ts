import { explainRefusedWebhookUrl, type WebhookUrlRules } from './target'

const OUTBOUND_TIMEOUT_MS = 5_000
const MAX_ANSWER_BYTES = 200_000

/** The other service cannot be reached, or does not answer as it should. The message is for the person who asked. */
export class OutboundError extends Error {}

async function readBoundedText({ body }: Response): Promise<string> {
  if (!body) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let [text, read] = ['', 0]
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return text + decoder.decode()
    read += value.length
    if (read > MAX_ANSWER_BYTES) {
      await reader.cancel().catch(() => undefined)
      throw new OutboundError('the answer is too large')
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** Fetches JSON of another service: no redirects, no private hosts, and bounded in bytes and time. */
export async function fetchJson(url: string, init: RequestInit, rules: WebhookUrlRules): Promise<unknown> {
  const refusal = explainRefusedWebhookUrl(url, rules)
  if (refusal) throw new OutboundError(`the address ${url.slice(0, 200)} is not allowed`)
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), OUTBOUND_TIMEOUT_MS)
  try {
    const answer = await fetch(url, { ...init, redirect: 'manual', signal: abort.signal })
    const text = await readBoundedText(answer)
    if (!answer.ok) throw new OutboundError(`the answer has the status ${answer.status}`)
    return JSON.parse(text)
  } catch (cause) {
    if (cause instanceof OutboundError) throw cause
    const reason = abort.signal.aborted ? 'there was no answer in time' : 'there was no valid answer'
    throw new OutboundError(reason, { cause })
  } finally {
    clearTimeout(timer)
  }
}
