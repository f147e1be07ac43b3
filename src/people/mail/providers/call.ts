import * as z from 'zod'
import { type MailBatch, type MessageOutcome, makeRetryLater, type RetryLater, type SendResult } from './provider'

export interface ProviderConnection {
  fetch: typeof fetch
  now(): number
  baseUrl: string
  apiKey: string
}

// A provider takes a few seconds for the largest batch.
const PROVIDER_TIMEOUT_MS = 30_000

export async function callProvider(
  { fetch, baseUrl }: ProviderConnection,
  path: string,
  init: RequestInit & { headers: Record<string, string> },
): Promise<{ status: number; headers: Headers; json: unknown } | RetryLater> {
  try {
    // A redirect could leak the key and the addresses.
    const response = await fetch(baseUrl + path, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, json: parseOrUndefined(text) }
  } catch (cause) {
    return makeRetryLater(
      `The provider could not be reached: ${cause instanceof Error ? cause.message : String(cause)}`,
      true,
    )
  }
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const BatchResponse = z.object({
  data: z.array(z.object({ id: z.string() })),
  errors: z
    .array(z.object({ index: z.int().nonnegative(), code: z.string().default(''), message: z.string().default('') }))
    .nullish(),
})

export type FailedOutcome = Exclude<MessageOutcome, { status: 'sent' }>

/** `data` lists the accepted messages in order, and `errors` names the index of each rejected message. */
export function readBatchResponse(
  { messages }: Pick<MailBatch, 'messages'>,
  json: unknown,
  failure: (position: number, error: { code: string; message: string }) => FailedOutcome,
): SendResult {
  const read = BatchResponse.safeParse(json).data
  const failed = new Map(read?.errors?.map((error) => [error.index, error]))
  if (read?.data.length !== messages.length - failed.size) {
    return makeRetryLater('The response of the provider does not match the batch.', true)
  }
  const ids = read.data.values()
  const outcomes = messages.map(({ position }, index): MessageOutcome => {
    const error = failed.get(index)
    return error ? failure(position, error) : { position, status: 'sent', providerId: ids.next().value?.id ?? null }
  })
  return { kind: 'settled', outcomes }
}

/**
 * The provider has seen the key with different content: the sender, a secret or a name has changed since an attempt.
 * Without proof of failure, the attempt counts as delivered.
 */
export const toReusedKeyResult = (
  { messages, unsure }: Pick<MailBatch, 'messages' | 'unsure'>,
  reason: string,
): SendResult =>
  unsure
    ? { kind: 'settled', outcomes: messages.map(({ position }) => ({ position, status: 'sent', providerId: null })) }
    : makeRetryLater(reason, false)

export function toErrorResult(status: number, headers: Headers, reason: string, now: number): SendResult {
  const after = parseRetryAfter(headers.get('retry-after'), now)
  const statusAndReason = `${status}: ${reason}`
  if (status === 408 || status >= 500) return makeRetryLater(`The provider answered ${statusAndReason}`, true, after)
  if (status === 425 || status === 429)
    return makeRetryLater(`The provider answered ${statusAndReason}`, false, after, status === 429)
  if (status === 401 || status === 403) return toConfigurationResult(statusAndReason, after)
  if (status < 400 || status === 404 || status === 405) {
    return makeRetryLater(
      `The address is not the provider's API (${statusAndReason}). Check MAIL_BASE_URL.`,
      false,
      after,
    )
  }
  return { kind: 'rejected', reason: reason.slice(0, 500) }
}

/** The key or the sender is wrong, not a recipient: mail waits until the operator corrects the configuration. */
export function toConfigurationResult(reason: string, after?: number): RetryLater {
  return makeRetryLater(
    `The provider refused the key or the sender (${reason}). Check MAIL_API_KEY and MAIL_FROM.`,
    false,
    after,
  )
}

export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const value = header?.trim()
  if (!value) return undefined
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000
  // Date.parse accepts far more than HTTP dates, which begin with the name of a day.
  const at = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
