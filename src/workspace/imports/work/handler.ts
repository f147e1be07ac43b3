import type { Deps, Handler } from '../../../background'
import { IMPORTS, type ImportName } from '../../../imports'
import { invitationMail } from '../../../people/invitations/letter'
import { wakes } from '../../../people/mail/statements'
import { ApiError } from '../../../text/errors'
import type { Bulk } from '../bulk'
import type { Mapping } from '../kind'
import { type Claimed, claimRun, failRun, LEASE, releaseRun, takeBack, writeSlice } from '../queries/work'
import { slicerOf, slicesOfFile } from '../rows'

/*
 * What the queue does for imports. A message names a run; everything else is in the database, and its file in R2.
 *
 * Acknowledged: the run has ended, or its next message is on the queue; another invocation has it, or it was canceled.
 * Retried, when the claim has lapsed: a fault of ours (the database, R2). A slice is written with its progress in one
 *   batch, which refuses where another was faster: nothing is twice and nothing is missing, whoever comes when.
 * Given up: a run whose file or segment is gone fails with the reason; what it did stays, and can be undone.
 * A dead letter is handled like any other; the cron wakes what no message names.
 */

export const importRun: Handler<'import.run'> = {
  afterFailure: LEASE,
  async handle({ subscriptionId, importId }, deps) {
    const run = await claimRun(deps.store(deps.now()), { subscriptionId, importId })
    if (!run) return undefined
    try {
      const ended = run.status === 'undoing' ? await undo(run, deps) : await goOn(run, deps)
      if (!ended) await passOn(run, deps)
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      if (cause.code === 'segment_not_found') await failRun(deps.store(deps.now()), run, 'The segment was removed.')
      else if (cause.code === 'product_not_found')
        await failRun(deps.store(deps.now()), run, 'The product was removed.')
      else if (cause.code !== 'conflict') throw cause
    }
    return undefined
  },
}

/** What one invocation does, far below its time: its neighbours in the batch wait for it. */
const SLICES = 30
const TAKEN_BACK = 1_000

async function passOn({ subscriptionId, importId }: Claimed, { store, outlet, now }: Deps): Promise<void> {
  await releaseRun(store(now()), { subscriptionId, importId })
  await outlet.sendBatch([{ body: { kind: 'import.run', subscriptionId, importId } }])
}

async function undo(run: Claimed, { store, now }: Deps): Promise<boolean> {
  const { bulk }: { bulk: Bulk } = IMPORTS[run.kind as ImportName]
  for (let n = 0; n < SLICES; n++) if (await takeBack(store(now()), run, TAKEN_BACK, bulk)) return true
  return false
}

/** Writes the next slices of a file; true when they are all written. */
async function goOn(run: Claimed, { store, now, files, settings, outlet }: Deps): Promise<boolean> {
  const importing = IMPORTS[run.kind as ImportName]
  const mapping = JSON.parse(run.mapping) as Mapping
  const slicer = await slicerOf(importing, { mapping, onConflict: run.onConflict, from: run.done })
  let slices = 0
  const open = async () => {
    const object = run.objectKey === null ? null : await files.get(run.objectKey)
    if (!object) throw new Gone()
    return object.body
  }
  try {
    for await (const slice of slicesOfFile(slicer, open, { name: run.fileName, type: run.fileType })) {
      const letter = run.inviteUrl === null ? undefined : invitationMail(settings, run.inviteUrl)
      await writeSlice(store(now()), run, slice, importing, letter)
      if (letter) await outlet.sendBatch([{ body: wakes(run.subscriptionId, letter) }])
      if (++slices === SLICES) return slice.to === run.total
    }
  } catch (cause) {
    if (!(cause instanceof Gone)) throw cause
    await failRun(store(now()), run, 'The file is gone. Import it again.')
  }
  return true
}

class Gone extends Error {}
