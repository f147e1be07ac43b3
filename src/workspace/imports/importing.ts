import type * as z from 'zod'
import { canRead, PEOPLE_AREAS } from '../../http/auth'
import { discardObject } from '../../http/object'
import type { HandlerInput, HandlerReply, UploadSpec } from '../../http/operation'
import type { ReceivedUpload } from '../../http/upload'
import { IMPORTS, type ImportName } from '../../imports'
import { createInvitationMail } from '../../people/invitations/invitation-mail'
import { createMailAcceptedMessage } from '../../people/mail/statements'
import { listRolesBeyond } from '../../roles'
import { ApiError, invalidValueError } from '../../text/errors'
import { toIso } from '../../text/moments'
import { makeObjectKey } from '../objects/fields'
import { type ImportRunValues, serializeMissingKinds } from './bulk'
import { dryRunImport } from './dry-run'
import { type ImportMapping, SUPPRESSION_FIELD } from './kind'
import { buildImportMapping } from './mapping'
import { describeOtherOperation } from './other-kinds'
import { acceptImport, importWithinRequest, type NewImportRun } from './queries/run'
import {
  MAX_IMPORT_BYTES,
  MAX_IMPORT_ROWS,
  MEMORY_BYTES_PER_IMPORT,
  type ReceivedImportRows,
  receiveImportRows,
  type UnreadableImportFile,
} from './receive'
import { createRowSlicer, cutRowsIntoSlices } from './rows'
import { ImportFields, type ImportQuery, ImportRun } from './schema'

type ReceivedImport = ReceivedImportRows | UnreadableImportFile

export const createImportUpload = (
  name: ImportName,
  part: string,
  json: z.ZodType,
): UploadSpec<typeof ImportFields, ReceivedImport> => ({
  part,
  description: 'A CSV, JSON or NDJSON file, at most 95 MB.',
  fields: ImportFields,
  json,
  maxBytes: MAX_IMPORT_BYTES,
  maxHeldBytes: MEMORY_BYTES_PER_IMPORT,
  receive: (file, { env, actor }) =>
    receiveImportRows(env.FILES, makeObjectKey('importFile', actor.subscriptionId), file, IMPORTS[name].kind),
  discard: async (received, { env }) => {
    if (!('problem' in received) && received.objectKey) await discardObject(env.FILES, received.objectKey)
  },
})

export const IMPORT_OPTIONS = {
  bulk: true,
  preflight: { auth: true },
  status: 201,
  alternativeStatus: 200,
  data: ImportRun,
} as const

export const describeImport = (name: ImportName, rowsDescription: string) =>
  `The file is CSV, JSON or NDJSON, at most 95 MB or ${(IMPORTS[name].kind.maxRows ?? MAX_IMPORT_ROWS).toLocaleString('en-US')} rows. The content decides the format. [Importing](/docs/importing) lists the known products, and how to get their files. You can also send the rows as JSON. A header may stand below other lines, and a Trello board or issues of GitHub or GitLab may be the JSON of that product. An Excel workbook is a 400: save it as CSV.

${rowsDescription}

Up to 5,000 rows and 8 MB are imported within the request. A larger file waits for the queue: the run at \`Location\` shows the progress. \`dryRun=true\` imports nothing: the response has the mapping, the totals of all rows and a \`preview\` of the first 50 rows. \`mapping.certainty\` and \`mapping.presetReason\` say how sure the choice of the product is, and why.`

function describeUnreadableFile(name: ImportName, { problem, header = [] }: UnreadableImportFile): string {
  const other = describeOtherOperation(name, header)
  return other?.isKnownProduct ? `${problem} ${other.hint}` : problem
}

type ImportRequestQuery = z.output<typeof ImportQuery> & { invite?: 'true' | 'false' }

type ImportRequest = Pick<
  HandlerInput<unknown, ImportRequestQuery, ReceivedUpload<ReceivedImport> & { fields: z.output<typeof ImportFields> }>,
  'body' | 'query' | 'db' | 'env' | 'actor' | 'now' | 'origin' | 'enqueue' | 'runAfterResponse'
>

export async function importFile(
  name: ImportName,
  part: string,
  segmentId: number | null,
  { body, query, db, env, actor, now, origin, enqueue, runAfterResponse }: ImportRequest,
): Promise<HandlerReply<z.input<typeof ImportRun>>> {
  const { file, fields } = body
  if ('problem' in file) throw invalidValueError(`/${part}`, describeUnreadableFile(name, file), 'invalid_file')
  const { header, open, rows, objectKey, evidence, convertedFrom } = file
  const discard = () => objectKey !== null && runAfterResponse(discardObject(env.FILES, objectKey))
  const toCreatedReply = ({ data, version }: Awaited<ReturnType<typeof importWithinRequest>>) => {
    return { data, version, message: describeImportRun(data), location: `/api/v2/imports/${data.id}` }
  }
  try {
    const mappingJson = fields.mapping === undefined ? undefined : JSON.parse(fields.mapping)
    const mapping = buildImportMapping(IMPORTS[name].kind, header, mappingJson, {
      ...{ open, evidence, dates: query.dates, preset: query.preset },
      createMissing: query.createMissing,
      ...{ isLimited: actor.products !== null, convertedFrom },
      otherOperation: describeOtherOperation(name, header),
    })
    const refusedRoles = listRolesBeyond(actor.scopes)
    if (refusedRoles.length) mapping.refusedRoles = refusedRoles
    if (IMPORTS[name].kind.judgeFile?.(file.name, mapping)) mapping.refusalList = file.name
    const target: ImportRunValues = {
      ...{ reference: crypto.randomUUID(), onConflict: query.onConflict, segmentId },
      createMissing: serializeMissingKinds(mapping.createMissing),
    }
    if (query.dryRun === 'true') {
      const reply = await replyToDryRun({ db, env, actor, now, kind: name, file, target, mapping })
      discard()
      return reply
    }
    const run: NewImportRun = {
      ...{ ...target, kind: name, area: IMPORTS[name].area, objectKey, total: file.total },
      ...{ fileName: file.name, fileType: file.type, inviteUrl: query.invite === 'true' ? origin : null },
      ...{ mapping: JSON.stringify(mapping), header: JSON.stringify(header) },
    }
    if (rows) {
      const slicer = await createRowSlicer(IMPORTS[name], { mapping, onConflict: query.onConflict })
      const slices = cutRowsIntoSlices(slicer, rows)
      const invitations = run.inviteUrl === null ? [] : slices.map(() => createInvitationMail(env, origin))
      const imported = await importWithinRequest(db, run, slices, IMPORTS[name], invitations)
      for (const letter of invitations) enqueue(createMailAcceptedMessage(actor.subscriptionId, letter))
      return toCreatedReply(imported)
    }
    const accepted = await acceptImport(db, run, IMPORTS[name])
    // A replayed reply belongs to an earlier request with the same Idempotency-Key, and the new file is surplus.
    if (accepted.replayed) discard()
    enqueue({ kind: 'import.run', subscriptionId: actor.subscriptionId, importId: accepted.data.id })
    return toCreatedReply(accepted)
  } catch (cause) {
    // A refusal wrote no run. After an interruption the outcome is unknown, and a surplus object is better than a lost
    // one.
    if (cause instanceof ApiError && cause.status < 500) discard()
    throw cause
  }
}

interface DryRunRequest extends Pick<ImportRequest, 'db' | 'env' | 'actor' | 'now'> {
  kind: ImportName
  file: ReceivedImportRows
  target: ImportRunValues
  mapping: ImportMapping
}

async function replyToDryRun({ db, env, actor, now, kind, file, target, mapping }: DryRunRequest) {
  const readsPeople = canRead(actor, ...PEOPLE_AREAS)
  const { totals, rejected, warnings, preview, firstValues, fields } = await dryRunImport(db, env.FILES, kind, {
    ...file,
    target,
    mapping,
    readsPeople,
  })
  const skipped = file.total - totals.created - totals.updated - totals.rejected
  const status = totals.rejected === 0 ? 'completed' : totals.rejected === file.total ? 'failed' : 'partial'
  const data: z.input<typeof ImportRun> = {
    ...{ id: 0, kind, segmentId: target.segmentId, status, progress: 100, onConflict: target.onConflict },
    ...{ totals: { rows: file.total, ...totals, skipped, kept: 0 }, file: file.name, problem: null },
    ...{
      createdAt: toIso(now),
      updatedAt: toIso(now),
      completedAt: null,
      mapping,
      rejected,
      warnings,
      kept: [],
      preview,
      firstValues,
      fields,
    },
  }
  return {
    data,
    message: `Nothing is imported yet: ${describeTotals(data.totals, 'would be ')}${describeLostRefusals(data)}`,
    status: 200 as const,
  }
}

function describeImportRun(run: z.input<typeof ImportRun>): string {
  const { status, totals } = run
  return status === 'pending'
    ? `${totals.rows} rows wait to be imported`
    : `${describeTotals(totals)}${describeLostRefusals(run)}`
}

type Totals = Omit<z.input<typeof ImportRun>['totals'], 'rows' | 'kept'>

const describeTotals = ({ created, updated, skipped, rejected, suppressed }: Totals, would = '') =>
  `${created} ${would}created, ${updated} updated, ${skipped} skipped${rejected ? `, ${rejected} rejected` : ''}${suppressed ? `, ${suppressed} suppressed` : ''}`

/** Says that mail reaches people whose row says that they get no mail. */
function describeLostRefusals({ warnings }: Pick<z.input<typeof ImportRun>, 'warnings'>): string {
  const lost = warnings.filter(({ field, became }) => field === SUPPRESSION_FIELD && became === null)
  return lost.length ? '. Mail reaches people whose row says that they get no mail: see the warnings' : ''
}
