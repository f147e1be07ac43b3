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

export interface Batch {
  /** Idempotency key, the same in every attempt to send these messages. */
  key: string
  /** Name of the chunk of up to 500 recipients that includes these messages. */
  chunk: string
  /** At least one and at most `batchSize` messages. */
  messages: readonly Message[]
  /** Whether an earlier attempt may have been delivered. */
  unsure: boolean
}

export type Outcome =
  | { position: number; status: 'sent'; providerId: string | null }
  | { position: number; status: 'failed'; reason: string }
  /** Not accepted, without fault of the recipient. */
  | { position: number; status: 'later'; reason: string; busy: boolean }

export type SendResult =
  | { kind: 'settled'; outcomes: Outcome[] }
  /** Refused as a whole because of at least one message. */
  | { kind: 'rejected'; reason: string }
  | Later

export interface Later {
  kind: 'later'
  reason: string
  /** Whether the provider may have accepted the messages. */
  unsure: boolean
  /** Milliseconds that the provider asks to wait. */
  after?: number | undefined
  /** Whether the provider's rate limit was hit, which counts as no failure. */
  busy: boolean
}

export function later(reason: string, unsure: boolean, after?: number, busy = false): Later {
  return { kind: 'later', reason: reason.slice(0, 500), unsure, after, busy }
}

export interface Provider {
  readonly batchSize: number
  /** Milliseconds during which the same key sends no message twice. */
  readonly remembers: number
  send(batch: Batch): Promise<SendResult>
}
