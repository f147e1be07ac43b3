// `cloudflare:test` on Node.

/** The work after a response. */
class Context {
  readonly props = {}
  readonly #pending: Promise<unknown>[] = []

  waitUntil(work: Promise<unknown>): void {
    this.#pending.push(Promise.resolve(work))
  }

  passThroughOnException(): void {}

  /** Waits for the work, and for the work that this work adds. */
  async settle(): Promise<void> {
    const outcomes: PromiseSettledResult<unknown>[] = []
    while (outcomes.length < this.#pending.length) {
      outcomes.push(...(await Promise.allSettled(this.#pending.slice(outcomes.length))))
    }
    const failure = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failure) throw failure.reason
  }
}

export const createExecutionContext = (): Context => new Context()

export const waitOnExecutionContext = (context: Context): Promise<void> => context.settle()

interface SentMessage<Body> {
  id: string
  timestamp: Date
  attempts: number
  body: Body
}

interface RetryOptions {
  delaySeconds?: number
}

class Batch<Body> {
  readonly metadata = { metrics: { backlogCount: 0, backlogBytes: 0 } }
  readonly messages: (SentMessage<Body> & { ack(): void; retry(options?: RetryOptions): void })[]
  readonly result = {
    outcome: 'ok',
    ackAll: false,
    retryBatch: { retry: false },
    explicitAcks: [] as string[],
    retryMessages: [] as ({ msgId: string } & RetryOptions)[],
  }
  readonly queue: string

  constructor(queue: string, messages: readonly SentMessage<Body>[]) {
    this.queue = queue
    this.messages = messages.map((message) => ({
      ...message,
      ack: () => void this.result.explicitAcks.push(message.id),
      retry: (options = {}) => void this.result.retryMessages.push({ msgId: message.id, ...options }),
    }))
  }

  ackAll(): void {
    this.result.ackAll = true
  }

  retryAll(options: RetryOptions = {}): void {
    this.result.retryBatch = { retry: true, ...options }
  }
}

export const createMessageBatch = <Body>(queue: string, messages: readonly SentMessage<Body>[]): Batch<Body> =>
  new Batch(queue, messages)

export async function getQueueResult(batch: Batch<unknown>, context: Context) {
  await context.settle()
  return batch.result
}
