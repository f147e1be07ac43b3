export interface Message {
  position: number
  from: string
  to: string
  subject: string
  html: string
  /** Empty if the HTML contains no words. */
  text: string
  replyTo?: string
  headers: Record<string, string>
  /** Letters, digits and dashes; the provider's events carry the tag. */
  tag: string
}

export interface MailBatch {
  /** Idempotency key, the same in every attempt to send these messages. */
  key: string
  /** Name of the chunk of up to 500 recipients that includes these messages. */
  chunk: string
  /** At least one and at most `batchSize` messages. */
  messages: readonly Message[]
  /** Whether an earlier attempt may have been delivered. */
  unsure: boolean
}

export type MessageOutcome =
  | { position: number; status: 'sent'; providerId: string | null }
  | { position: number; status: 'failed'; reason: string }
  /** Not accepted, without fault of the recipient. */
  | { position: number; status: 'later'; reason: string; busy: boolean }

export type SendResult =
  | { kind: 'settled'; outcomes: MessageOutcome[] }
  /** Refused as a whole because of at least one message. */
  | { kind: 'rejected'; reason: string }
  | RetryLater

export interface RetryLater {
  kind: 'later'
  reason: string
  /** Whether the provider may have accepted the messages. */
  unsure: boolean
  /** Milliseconds that the provider asks to wait. */
  after?: number | undefined
  /** Whether the provider's rate limit was hit, which counts as no failure. */
  busy: boolean
}

export function retryLater(reason: string, unsure: boolean, after?: number, busy = false): RetryLater {
  return { kind: 'later', reason: reason.slice(0, 500), unsure, after, busy }
}

export interface MailProvider {
  readonly batchSize: number
  /** Milliseconds during which the same key sends no message twice. */
  readonly keyTtl: number
  send(batch: MailBatch): Promise<SendResult>
}
