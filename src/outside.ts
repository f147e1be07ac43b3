/** What travels through the queue: ids only. The rows they name say what is to be done. */
export type OutsideMessage =
  /** Puts every due chunk of an accepted mailing on the queue. */
  | { kind: 'mail.accepted'; subscriptionId: number; emailId: number }
  /** Sends one chunk of a mailing. */
  | { kind: 'mail.chunk'; subscriptionId: number; emailId: number; chunk: number }

/** What puts messages on the queue, up to 100 a call. */
export interface Outlet {
  sendBatch(messages: Iterable<{ body: OutsideMessage }>): Promise<unknown>
}
