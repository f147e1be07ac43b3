import * as z from 'zod'
import { MESSAGE_TAG_FIELD } from '../events/read'
import { callProvider, type ProviderConnection, toConfigurationResult, toErrorResult } from './call'
import {
  type MailBatch,
  type MailProvider,
  type MessageOutcome,
  makeRetryLater,
  type RetryLater,
  type SendResult,
} from './provider'

// Limit of messages per call and of a page of the search, and therefore of a chunk.
const POSTMARK_BATCH_SIZE = 500
const SEARCH_DELAY_MS = 30_000

/**
 * The batch API has no idempotency keys. After an unknown outcome, a search by the chunk's name finds the accepted
 * messages. The search lags, so such a retry waits half a minute.
 */
export function createPostmarkProvider(connection: ProviderConnection): MailProvider {
  const headers = {
    'X-Postmark-Server-Token': connection.apiKey,
    'Content-Type': 'application/json',
    Accept: 'application/json',
  }

  async function findAccepted({ chunkName, messages }: MailBatch): Promise<Map<number, string> | RetryLater> {
    const path = `/messages/outbound?count=${POSTMARK_BATCH_SIZE}&offset=0&metadata_chunk=${encodeURIComponent(chunkName)}`
    const response = await callProvider(connection, path, { method: 'GET', headers })
    if ('kind' in response) return response
    const found = response.status === 200 ? PostmarkSearchResponse.safeParse(response.json).data : undefined
    if (!found)
      return makeRetryLater(
        `Postmark's message search answered ${response.status}: ${describePostmarkReason(response.json)}`,
        true,
      )
    const positions = new Map(messages.map(({ to, position }) => [to.toLowerCase(), position]))
    const accepted = new Map<number, string>()
    for (const message of found.Messages) {
      for (const recipient of message.Recipients) {
        const position = positions.get(recipient.toLowerCase())
        if (position !== undefined) accepted.set(position, message.MessageID)
      }
    }
    return accepted
  }

  return {
    batchSize: POSTMARK_BATCH_SIZE,
    keyTtl: Number.POSITIVE_INFINITY,
    async send(batch) {
      const taken = batch.unsure ? await findAccepted(batch) : new Map<number, string>()
      if ('kind' in taken) return taken
      const before = Array.from(
        taken,
        ([position, providerId]): MessageOutcome => ({ position, status: 'sent', providerId }),
      )
      const messages = batch.messages.filter(({ position }) => !taken.has(position))
      if (!messages.length) return { kind: 'settled', outcomes: before }
      const response = await callProvider(connection, '/email/batch', {
        method: 'POST',
        headers,
        body: JSON.stringify(messages.map((message) => toPostmarkMessage(message, batch.chunkName))),
      })
      const result =
        'kind' in response
          ? response
          : readPostmarkResponse(response.status, response.headers, response.json, { messages }, connection.now())
      if (result.kind === 'settled') return { ...result, outcomes: [...before, ...result.outcomes] }
      if (result.kind === 'later' && result.unsure)
        return { ...result, after: Math.max(result.after ?? 0, SEARCH_DELAY_MS) }
      return result
    },
  }
}

function toPostmarkMessage(message: MailBatch['messages'][number], chunk: string) {
  return {
    From: message.from,
    To: message.to,
    Subject: message.subject,
    HtmlBody: message.html,
    ...(message.text && { TextBody: message.text }),
    ...(message.replyTo && { ReplyTo: message.replyTo }),
    Headers: Object.entries(message.headers).map(([Name, Value]) => ({ Name, Value })),
    Metadata: { chunk, [MESSAGE_TAG_FIELD]: message.tag },
  }
}

const PostmarkSearchResponse = z.object({
  Messages: z.array(z.object({ MessageID: z.string(), Recipients: z.array(z.string()).default([]) })),
})

const PostmarkBatchItem = z.object({
  ErrorCode: z.int(),
  Message: z.string().default(''),
  MessageID: z.string().optional(),
})

const POSTMARK_CONFIGURATION_CODES = new Set([10, 400, 401, 405, 412, 413])
const POSTMARK_MAINTENANCE_CODE = 100
const POSTMARK_RATE_LIMIT_CODE = 429

function describePostmarkReason(json: unknown): string {
  const item = PostmarkBatchItem.safeParse(json).data
  return item ? `${item.Message} (code ${item.ErrorCode})` : 'no reason given'
}

export function readPostmarkResponse(
  status: number,
  headers: Headers,
  json: unknown,
  { messages }: Pick<MailBatch, 'messages'>,
  now: number,
): SendResult {
  if (status !== 200) {
    const code = PostmarkBatchItem.safeParse(json).data?.ErrorCode ?? 0
    if (POSTMARK_CONFIGURATION_CODES.has(code)) return toConfigurationResult(describePostmarkReason(json))
    if (code === POSTMARK_MAINTENANCE_CODE) return makeRetryLater(describePostmarkReason(json), false)
    return toErrorResult(code === POSTMARK_RATE_LIMIT_CODE ? 429 : status, headers, describePostmarkReason(json), now)
  }
  const items = z.array(PostmarkBatchItem).safeParse(json).data
  if (items?.length !== messages.length)
    return makeRetryLater('The response of Postmark does not match the batch.', true)
  const outcomes = messages.map(({ position }, index): MessageOutcome => {
    const item = items[index]
    if (item?.ErrorCode === 0) return { position, status: 'sent', providerId: item.MessageID ?? null }
    const reason = describePostmarkReason(item).slice(0, 500)
    const code = item?.ErrorCode ?? 0
    const late =
      code === POSTMARK_RATE_LIMIT_CODE || code === POSTMARK_MAINTENANCE_CODE || POSTMARK_CONFIGURATION_CODES.has(code)
    return late
      ? { position, status: 'later', reason, busy: code === POSTMARK_RATE_LIMIT_CODE }
      : { position, status: 'failed', reason }
  })
  return { kind: 'settled', outcomes }
}
