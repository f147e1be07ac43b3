import type { BackgroundDeps, MessageHandler } from '../../../background'
import { IMPORTS, type ImportName, undoImportOfKind } from '../../../imports'
import { createInvitationMail } from '../../../people/invitations/invitation-mail'
import { createMailAcceptedMessage } from '../../../people/mail/statements'
import { ApiError } from '../../../text/errors'
import { serializeMissingKinds } from '../bulk'
import { DEFAULT_MISSING_KINDS, type ImportMapping } from '../kind'
import {
  type ClaimedRun,
  claimImportRun,
  failRun,
  passTurn,
  RUN_LEASE_MS,
  undoNextRound,
  writeImportSlice,
} from '../queries/work'
import { createRowSlicer, cutFileIntoSlices } from '../rows'

/*
 * Queue consumer. Acknowledged: the run has ended or its turn is over, and the next run of the workspace is enqueued; or
 * another invocation works on a run of the workspace, and enqueues the next run. Retried after the lease: a failure of
 * the database or of R2; a batch refuses a slice out of turn, so no row is written twice or lost. Given up: a run without
 * the file, segment or product fails with the reason. The cron wakes runs without a message.
 */

export const importRunHandler: MessageHandler<'import.run'> = {
  afterFailure: RUN_LEASE_MS,
  async handle({ subscriptionId, importId }, deps) {
    const run = await claimImportRun(deps.store(deps.now()), { subscriptionId, importId })
    if (!run) return undefined
    const origin = { via: 'import', id: importId } as const
    const store: BackgroundDeps['store'] = (now, meter) => deps.store(now, meter, origin)
    let holdsLease = true
    try {
      if (run.status === 'undoing') await continueImportUndo(run, { ...deps, store })
      else await continueImport(run, { ...deps, store })
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      if (cause.code === 'segment_not_found') await failRun(store(deps.now()), run, 'The segment was removed.')
      else if (cause.code === 'product_not_found') await failRun(store(deps.now()), run, 'The product was removed.')
      else if (cause.code !== 'conflict') throw cause
      // The run was canceled, or another invocation took over and holds a lease of its own.
      else holdsLease = false
    }
    await enqueueNextRun(run, holdsLease, deps)
    return undefined
  },
}

/** Further messages of the batch wait for the invocation. */
const MAX_SLICES_PER_INVOCATION = 30
// An invocation may run 1,000 statements on D1. The rest is for the claim and for the charges of the quota.
const MAX_STATEMENTS_PER_INVOCATION = 900
const MAX_UNDO_ROUNDS_PER_INVOCATION = 20
const ROWS_PER_UNDO_ROUND = 1_000

async function enqueueNextRun(run: ClaimedRun, holdsLease: boolean, { store, outlet, now }: BackgroundDeps) {
  const next = await passTurn(store(now()), run, holdsLease)
  if (next) await outlet.sendBatch([{ body: { kind: 'import.run', ...next } }])
}

async function continueImportUndo(run: ClaimedRun, { store, now }: BackgroundDeps): Promise<void> {
  const undo = undoImportOfKind(run.kind as ImportName)
  for (let n = 0; n < MAX_UNDO_ROUNDS_PER_INVOCATION; n++)
    if (await undoNextRound(store(now()), run, ROWS_PER_UNDO_ROUND, undo)) return
}

async function continueImport(run: ClaimedRun, { store, now, files, settings, outlet }: BackgroundDeps): Promise<void> {
  const importing = IMPORTS[run.kind as ImportName]
  // A run from before release 0.3.0 has no kinds.
  const mapping: ImportMapping = { createMissing: DEFAULT_MISSING_KINDS, ...JSON.parse(run.mapping) }
  const values = { ...run, createMissing: serializeMissingKinds(mapping.createMissing) }
  const slicer = await createRowSlicer(importing, { mapping, onConflict: run.onConflict, from: run.done })
  let [slices, sent] = [0, 0]
  const open = async () => {
    const object = run.objectKey === null ? null : await files.get(run.objectKey)
    if (!object) throw new StoredFileGone()
    return object.body
  }
  try {
    for await (const slice of cutFileIntoSlices(slicer, open, { name: run.fileName, type: run.fileType })) {
      const invitation = run.inviteUrl === null ? undefined : createInvitationMail(settings, run.inviteUrl)
      const statements = await writeImportSlice(store(now()), values, slice, importing, invitation)
      sent += statements
      if (invitation) await outlet.sendBatch([{ body: createMailAcceptedMessage(run.subscriptionId, invitation) }])
      if (++slices === MAX_SLICES_PER_INVOCATION || sent + statements > MAX_STATEMENTS_PER_INVOCATION) return
    }
  } catch (cause) {
    if (!(cause instanceof StoredFileGone)) throw cause
    await failRun(store(now()), run, 'The file is missing. Import the file again.')
  }
}

class StoredFileGone extends Error {}
