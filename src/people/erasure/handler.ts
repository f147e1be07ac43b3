import type { BackgroundDeps, MessageHandler } from '../../background'
import type { Store } from '../../db/client/client'
import type { MessageOutlet } from '../../messages'
import { hashErasedAddress } from '../erased-addresses/suppress'
import { eraseFromNextObject } from './archive'
import {
  advanceInArchive,
  areTablesDone,
  claimErasure,
  type Erasure,
  eraseSlice,
  finishErasure,
  isLastStepDone,
  listDueErasures,
} from './queries/work'

/*
 * Queue consumer. Acknowledged: the erasure is complete, waits for other work, or its turn is over and the next message
 * is enqueued. Retried: a failure of the database, after the lease. A slice and the progress are one batch, so a killed
 * invocation repeats at most nothing. Given up: never, because the cron enqueues every unfinished erasure.
 */

const RETRY_AFTER_MS = 120_000
/** Further messages of the workspace wait for the invocation. */
const MAX_SLICES_PER_INVOCATION = 30

export const erasureHandler: MessageHandler<'member.erase'> = {
  afterFailure: RETRY_AFTER_MS,
  async handle({ subscriptionId, memberId }, deps) {
    let erasure: Erasure | undefined = await claimErasure(deps.store(deps.now()), { subscriptionId, memberId })
    for (let n = 0; erasure && n < MAX_SLICES_PER_INVOCATION; n++) {
      if (isLastStepDone(erasure)) return finish(erasure, deps)
      erasure = areTablesDone(erasure)
        ? await advanceInArchive(deps.store(deps.now()), erasure, await eraseFromNextObject(deps.files, erasure))
        : await eraseSlice(deps.store(deps.now()), erasure)
    }
    if (erasure) await deps.outlet.sendBatch([{ body: { kind: 'member.erase', subscriptionId, memberId } }])
    return undefined
  },
}

async function finish(erasure: Erasure, { store, now, settings }: BackgroundDeps): Promise<undefined> {
  const { subscriptionId, email } = erasure
  await finishErasure(store(now()), erasure, await hashErasedAddress(store(now()), settings, subscriptionId, email))
}

/** Wakes erasures after a lost message or a wait. */
export async function enqueueErasures({ store, outlet }: { store: Store; outlet: MessageOutlet }): Promise<void> {
  const due = await listDueErasures(store)
  if (due.length) await outlet.sendBatch(due.map((erasure) => ({ body: { kind: 'member.erase', ...erasure } })))
}
