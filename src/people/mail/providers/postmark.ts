import * as z from 'zod'
import { TAG } from '../events/read'
import { type Connection, call, misconfigured, refused } from './call'
import { type Batch, type Later, later, type Outcome, type Provider, type SendResult } from './provider'

// Limit of messages per call and of a page of the search, and therefore of a chunk.
const BATCH_SIZE = 500
const SEARCH_DELAY = 30_000

/**
 * Postmark's batch API has no idempotency keys. After an attempt with unknown outcome, a search by the chunk's name in
 * the metadata finds the accepted messages, and the rest is sent again. Because the search lags, such a retry waits
 * half a minute.
 */
export function postmark(connection: Connection): Provider {
  const headers = {
    'X-Postmark-Server-Token': connection.apiKey,
    'Content-Type': 'application/json',
    Accept: 'application/json',
  }

  async function find({ chunk, messages }: Batch): Promise<Map<number, string> | Later> {
    const path = `/messages/outbound?count=${BATCH_SIZE}&offset=0&metadata_chunk=${encodeURIComponent(chunk)}`
    const response = await call(connection, path, { method: 'GET', headers })
    if ('kind' in response) return response
    const found = response.status === 200 ? Found.safeParse(response.json).data : undefined
    if (!found) return later(`Postmark's message search answered ${response.status}: ${reasonOf(response.json)}`, true)
    const positions = new Map(messages.map(({ to, position }) => [to.toLowerCase(), position]))
    const taken = new Map<number, string>()
    for (const message of found.Messages) {
      for (const recipient of message.Recipients) {
        const position = positions.get(recipient.toLowerCase())
        if (position !== undefined) taken.set(position, message.MessageID)
      }
    }
    return taken
  }

  return {
    batchSize: BATCH_SIZE,
    remembers: Number.POSITIVE_INFINITY,
    async send(batch) {
      const taken = batch.unsure ? await find(batch) : new Map<number, string>()
      if ('kind' in taken) return taken
      const before = Array.from(taken, ([position, providerId]): Outcome => ({ position, status: 'sent', providerId }))
      const messages = batch.messages.filter(({ position }) => !taken.has(position))
      if (!messages.length) return { kind: 'settled', outcomes: before }
      const response = await call(connection, '/email/batch', {
        method: 'POST',
        headers,
        body: JSON.stringify(messages.map((message) => toPostmark(message, batch.chunk))),
      })
      const result =
        'kind' in response
          ? response
          : readPostmark(response.status, response.headers, response.json, { messages }, connection.now())
      if (result.kind === 'settled') return { ...result, outcomes: [...before, ...result.outcomes] }
      if (result.kind === 'later' && result.unsure)
        return { ...result, after: Math.max(result.after ?? 0, SEARCH_DELAY) }
      return result
    },
  }
}

function toPostmark(message: Batch['messages'][number], chunk: string) {
  return {
    From: message.from,
    To: message.to,
    Subject: message.subject,
    HtmlBody: message.html,
    ...(message.text && { TextBody: message.text }),
    ...(message.replyTo && { ReplyTo: message.replyTo }),
    Headers: Object.entries(message.headers).map(([Name, Value]) => ({ Name, Value })),
    Metadata: { chunk, [TAG]: message.tag },
  }
}

const Found = z.object({
  Messages: z.array(z.object({ MessageID: z.string(), Recipients: z.array(z.string()).default([]) })),
})

const Item = z.object({ ErrorCode: z.int(), Message: z.string().default(''), MessageID: z.string().optional() })

/** Postmark's API error codes for the server, the sender or the account, not the recipient. */
const CONFIGURATION = new Set([10, 400, 401, 405, 412, 413])
const OFFLINE_FOR_MAINTENANCE = 100
const TOO_OFTEN = 429

function reasonOf(json: unknown): string {
  const item = Item.safeParse(json).data
  return item ? `${item.Message} (code ${item.ErrorCode})` : 'no reason given'
}

/** Reads Postmark's response to a batch: an item per message, in order, each with a code. */
export function readPostmark(
  status: number,
  headers: Headers,
  json: unknown,
  { messages }: Pick<Batch, 'messages'>,
  now: number,
): SendResult {
  if (status !== 200) {
    const code = Item.safeParse(json).data?.ErrorCode ?? 0
    if (CONFIGURATION.has(code)) return misconfigured(reasonOf(json))
    if (code === OFFLINE_FOR_MAINTENANCE) return later(reasonOf(json), false)
    return refused(code === TOO_OFTEN ? 429 : status, headers, reasonOf(json), now)
  }
  const items = z.array(Item).safeParse(json).data
  if (items?.length !== messages.length) return later('Postmark answered in a way that does not fit the batch.', true)
  const outcomes = messages.map(({ position }, index): Outcome => {
    const item = items[index]
    if (item?.ErrorCode === 0) return { position, status: 'sent', providerId: item.MessageID ?? null }
    const reason = reasonOf(item).slice(0, 500)
    const code = item?.ErrorCode ?? 0
    const late = code === TOO_OFTEN || code === OFFLINE_FOR_MAINTENANCE || CONFIGURATION.has(code)
    return late
      ? { position, status: 'later', reason, busy: code === TOO_OFTEN }
      : { position, status: 'failed', reason }
  })
  return { kind: 'settled', outcomes }
}
