/** Messages of the queue by kind. Messages carry only ids, because the rows hold the current state. */
export interface MessageDataByKind {
  /** Runs the jobs of the cron in a home, which its reserved workspace names. */
  'home.cron': { subscriptionId: number }
  /** Enqueues every due chunk of an accepted mailing; the accepting write knows either the id or the random name. */
  'mail.accepted': { subscriptionId: number } & ({ emailId: number } | { randomName: string })
  /** Inserts the next recipients of a mailing that was too large for the accepting batch. */
  'mail.slice': { subscriptionId: number; emailId: number; slice: number }
  'mail.chunk': { subscriptionId: number; emailId: number; chunk: number }
  /** Erases the data of a person that the request left to the queue. */
  'member.erase': { subscriptionId: number; memberId: number }
  'feedback.notices': { subscriptionId: number }
  /** Sends the due mail that asks members of segments for their confirmation. */
  'segment.confirmations': { subscriptionId: number }
  'import.run': { subscriptionId: number; importId: number }
  /** Continues the move of a workspace that began in the home. */
  'workspace.move': { subscriptionId: number; home: number }
  'export.run': { subscriptionId: number; exportId: number }
  'webhook.wake': { subscriptionId: number }
  'hook.receipt': { subscriptionId: number; receiptId: number }
  'webhook.deliver': { subscriptionId: number; webhookId: number }
}

export type MessageKind = keyof MessageDataByKind

export type QueueMessage<K extends MessageKind = MessageKind> = {
  [Each in K]: { kind: Each } & MessageDataByKind[Each]
}[K]

const MAX_MESSAGES_PER_CALL = 100

/** A call to the queue takes 100 messages. */
export function* splitIntoQueueCalls<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += MAX_MESSAGES_PER_CALL) yield items.slice(at, at + MAX_MESSAGES_PER_CALL)
}

export interface MessageOutlet {
  sendBatch(messages: Iterable<{ body: QueueMessage; delaySeconds?: number }>): Promise<unknown>
}
