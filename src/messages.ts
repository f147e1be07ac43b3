/** What travels through the queue, by kind: ids only. The rows they name say what is to be done. */
export interface Messages {
  /** Puts every due chunk of an accepted mailing on the queue, which is named by what its write knows of it. */
  'mail.accepted': { subscriptionId: number } & ({ emailId: number } | { randomName: string })
  /** Writes the next recipients of a mailing that were too many for the batch that accepted it. */
  'mail.slice': { subscriptionId: number; emailId: number; slice: number }
  /** Sends one chunk of a mailing. */
  'mail.chunk': { subscriptionId: number; emailId: number; chunk: number }
  /** Mails a workspace's people what is new of the ideas that concern them. */
  'feedback.notices': { subscriptionId: number }
  /** Goes on with an import run, or with its undo. */
  'import.run': { subscriptionId: number; importId: number }
  /** Gives what is new in the log of a workspace to its endpoints. */
  'webhook.wake': { subscriptionId: number }
  /** Does what came to an incoming webhook. */
  'hook.receipt': { subscriptionId: number; receiptId: number }
  /** Delivers what is due at one endpoint. */
  'webhook.deliver': { subscriptionId: number; webhookId: number }
}

export type Kind = keyof Messages

export type QueueMessage<K extends Kind = Kind> = { [Each in K]: { kind: Each } & Messages[Each] }[K]

const MESSAGES_PER_CALL = 100

/** The parts of a list that one call to the queue takes each. */
export function* inCalls<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += MESSAGES_PER_CALL) yield items.slice(at, at + MESSAGES_PER_CALL)
}

/** What puts messages on the queue, up to 100 a call. */
export interface Outlet {
  sendBatch(messages: Iterable<{ body: QueueMessage; delaySeconds?: number }>): Promise<unknown>
}
