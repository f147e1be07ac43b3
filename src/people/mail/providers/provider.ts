export interface MailMessage {
  position: number
  from: string
  to: string
  subject: string
  html: string
  text: string
  replyTo?: string
  headers: Record<string, string>
  tag: string
}

export interface MailBatch {
  idempotencyKey: string
  chunkName: string
  messages: readonly MailMessage[]
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
  after?: number | undefined
  /** Whether the provider's rate limit was hit, which counts as no failure. */
  busy: boolean
}

export function makeRetryLater(reason: string, unsure: boolean, after?: number, busy = false): RetryLater {
  return { kind: 'later', reason: reason.slice(0, 500), unsure, after, busy }
}

export interface MailProvider {
  readonly batchSize: number
  /** Milliseconds during which the same key sends no message twice. */
  readonly keyTtl: number
  send(batch: MailBatch): Promise<SendResult>
}
