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
 * Queue consumer of imports. A message contains the id of a run; the rest is in the database, and the file in R2.
 * Acknowledged: the run has ended, or the next message is enqueued; another invocation holds the lease, or the run was
 * canceled. Retried after the lease: a failure of the database or of R2. A batch writes a slice and the progress
 * together, and refuses when another invocation was faster: no row is written twice or lost. Given up: a run without
 * the file, segment or product fails with the reason; written rows stay and can be undone. A dead letter is handled
 * again like any message, and the cron wakes runs without a message.
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

/** An invocation stops far below the platform's time limit, because further messages of the batch wait. */
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

/** Writes the next slices of a file. Returns true after the last slice. */
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
