/** One message to one recipient. */
export interface Message {
  position: number
  from: string
  to: string
  subject: string
  html: string
  /** Empty when the HTML holds no words. */
  text: string
  replyTo?: string
  headers: Record<string, string>
  /** Letters, digits and dashes: what the provider tells of the message comes with it. */
  tag: string
}

export interface Batch {
  /** Names these messages: the same in every attempt to send them. */
  key: string
  /** Names the up to 500 recipients that these messages are among. */
  chunk: string
  /** One or more, and no more than `batchSize`. */
  messages: readonly Message[]
  /** Whether an earlier attempt may have been taken. */
  unsure: boolean
}

/** What became of one message. */
export type Outcome =
  | { position: number; status: 'sent'; providerId: string | null }
  | { position: number; status: 'failed'; reason: string }
  /** Not taken, but not the recipient's fault. */
  | { position: number; status: 'later'; reason: string; busy: boolean }

/** What became of a batch. */
export type SendResult =
  | { kind: 'settled'; outcomes: Outcome[] }
  /** Refused as a whole, for a fault of one message or more. */
  | { kind: 'rejected'; reason: string }
  | Later

/** Not now. */
export interface Later {
  kind: 'later'
  reason: string
  /** It is not known whether the provider took the messages. */
  unsure: boolean
  /** Milliseconds that the provider asked for. */
  after?: number | undefined
  /** It was asked too often: nothing has failed. */
  busy: boolean
}

export function later(reason: string, unsure: boolean, after?: number, busy = false): Later {
  return { kind: 'later', reason: reason.slice(0, 500), unsure, after, busy }
}

/** A mail service. It takes messages in batches, each to one recipient. */
export interface Provider {
  readonly batchSize: number
  /** Milliseconds during which a batch can be sent again under its key without a recipient getting it twice. */
  readonly remembers: number
  send(batch: Batch): Promise<SendResult>
}
