import type { Store } from '../../db/client/client'
import { type MessageOutlet, type QueueMessage, splitIntoQueueCalls } from '../../messages'
import { logError } from '../../text/log'
import { claimDeadLetters, deleteDeadLetters, insertDeadLetter } from './queries'

/** Enqueues the dead letters that an operator has marked, each once. */
export async function replayDeadLetters({ store, outlet }: { store: Store; outlet: MessageOutlet }): Promise<void> {
  for (const some of splitIntoQueueCalls(await claimDeadLetters(store))) {
    await outlet.sendBatch(some.map(({ message }) => ({ body: JSON.parse(message) as QueueMessage })))
    await deleteDeadLetters(
      store,
      some.map(({ id }) => id),
    )
  }
}

/** Keeps a message that failed for good, or returns the delay of a further attempt. */
export async function keepFailedMessage(openStore: () => Store, message: QueueMessage, retryDelay: number) {
  try {
    await insertDeadLetter(openStore(), message)
    return undefined
  } catch (cause) {
    logError('A dead letter was not kept; the queue will retry the message.', { kind: message?.kind }, cause)
    return retryDelay
  }
}
