import type * as z from 'zod'
import { PEOPLE, reads } from '../../http/auth'
import { discardObject } from '../../http/object'
import type { Input, Reply, UploadSpec } from '../../http/operation'
import type { Upload } from '../../http/upload'
import { IMPORTS, type ImportName } from '../../imports'
import { invitationMail } from '../../people/invitations/letter'
import { wakes } from '../../people/mail/statements'
import { ApiError, invalid } from '../../text/errors'
import { iso } from '../../text/moments'
import { newObjectKey } from '../objects/fields'
import type { Target } from './bulk'
import type { Mapping } from './kind'
import { mappingOf } from './mapping'
import { acceptImport, importAtOnce, type NewRun } from './queries/run'
import {
  HELD_BY_IMPORT,
  MAX_IMPORT_BYTES,
  MAX_ROWS,
  type ReceivedRows,
  receiveRows,
  type UnreadableFile,
} from './receive'
import { rehearse } from './rehearse'
import { slicerOf, slicesOf } from './rows'
import { ImportFields, type ImportQuery, ImportRun } from './schema'

type Received = ReceivedRows | UnreadableFile

export const importUpload = (
  name: ImportName,
  part: string,
  json: z.ZodType,
): UploadSpec<typeof ImportFields, Received> => ({
  part,
  description: 'A CSV, JSON or NDJSON file, at most 95 MB.',
  fields: ImportFields,
  json,
  maxBytes: MAX_IMPORT_BYTES,
  holds: HELD_BY_IMPORT,
  receive: (file, { env, actor }) =>
    receiveRows(env.FILES, newObjectKey('importFile', actor.subscriptionId), file, IMPORTS[name].kind),
  discard: async (received, { env }) => {
    if (!('problem' in received) && received.objectKey) await discardObject(env.FILES, received.objectKey)
  },
})

export const IMPORTS_FILE = {
  bulk: true,
  // A preflight checks the key before a large file goes to R2.
  asksFirst: true,
  status: 201,
  otherStatus: 200,
  data: ImportRun,
} as const

const rowsIn = (most = MAX_ROWS) => most.toLocaleString('en-US')

/** Builds the description of an import operation around `said`, the part about columns and rows. */
export const described = (name: ImportName, said: string) =>
  `The file is CSV, JSON or NDJSON, at most 95 MB or ${rowsIn(IMPORTS[name].kind.maxRows)} rows; what it holds decides which. The rows may be sent as JSON, too.

${said}

Up to 5,000 rows are imported in the answer. More (or more than 8 MB) wait for the queue: the run at \`Location\` says how far it is. With \`dryRun=true\` nothing is imported: the answer has the mapping, the totals of all rows and a \`preview\` of the first 50.`

type Query = z.output<typeof ImportQuery> & { invite?: 'true' | 'false' }

type Importing = Pick<
  Input<unknown, Query, Upload<Received> & { fields: z.output<typeof ImportFields> }>,
  'body' | 'query' | 'db' | 'env' | 'actor' | 'now' | 'origin' | 'wake' | 'afterwards'
>

export async function importFile(
  name: ImportName,
  part: string,
  segmentId: number | null,
  { body, query, db, env, actor, now, origin, wake, afterwards }: Importing,
): Promise<Reply<z.input<typeof ImportRun>>> {
  const { file, fields } = body
  if ('problem' in file) throw invalid(`/${part}`, file.problem, 'invalid_file')
  const { header, open, rows, objectKey } = file
  const discard = () => objectKey !== null && afterwards(discardObject(env.FILES, objectKey))
  const made = ({ data, version }: Made) => {
    return { data, version, message: messageOf(data), location: `/api/v2/imports/${data.id}` }
  }
  try {
    const given = fields.mapping === undefined ? undefined : JSON.parse(fields.mapping)
    const mapping = mappingOf(IMPORTS[name].kind, header, given, { open })
    const target: Target = { reference: crypto.randomUUID(), onConflict: query.onConflict, segmentId }
    if (query.dryRun === 'true') {
      const reply = await rehearsed({ db, env, actor, now, kind: name, file, target, mapping })
      discard()
      return reply
    }
    const run: NewRun = {
      ...{ ...target, kind: name, area: IMPORTS[name].area, objectKey, total: file.total },
      ...{ fileName: file.name, fileType: file.type, inviteUrl: query.invite === 'true' ? origin : null },
      ...{ mapping: JSON.stringify(mapping), header: JSON.stringify(header) },
    }
    if (rows) {
      const slicer = await slicerOf(IMPORTS[name], { mapping, onConflict: query.onConflict })
      const slices = slicesOf(slicer, rows)
      const letters = run.inviteUrl === null ? [] : slices.map(() => invitationMail(env, origin))
      const imported = await importAtOnce(db, run, slices, IMPORTS[name], letters)
      for (const letter of letters) wake(wakes(actor.subscriptionId, letter))
      return made(imported)
    }
    const accepted = await acceptImport(db, run, IMPORTS[name])
    // A replayed reply belongs to an earlier request with the same Idempotency-Key, and the new file is surplus.
    if (accepted.replayed) discard()
    wake({ kind: 'import.run', subscriptionId: actor.subscriptionId, importId: accepted.data.id })
    return made(accepted)
  } catch (cause) {
    // A refusal wrote no run. After an interruption the outcome is unknown, and a surplus object is better than a lost
    // object.
    if (cause instanceof ApiError && cause.status < 500) discard()
    throw cause
  }
}

type Made = Awaited<ReturnType<typeof importAtOnce>>

interface Rehearsing extends Pick<Importing, 'db' | 'env' | 'actor' | 'now'> {
  kind: ImportName
  file: ReceivedRows
  target: Target
  mapping: Mapping
}

async function rehearsed({ db, env, actor, now, kind, file, target, mapping }: Rehearsing) {
  const readsPeople = reads(actor, ...PEOPLE)
  const { totals, rejected, preview } = await rehearse(db, env.FILES, kind, { ...file, target, mapping, readsPeople })
  const skipped = file.total - totals.created - totals.updated - totals.rejected
  const status = totals.rejected === 0 ? 'completed' : totals.rejected === file.total ? 'failed' : 'partial'
  const data: z.input<typeof ImportRun> = {
    ...{ id: 0, kind, segmentId: target.segmentId, status, progress: 100, onConflict: target.onConflict },
    ...{ totals: { rows: file.total, ...totals, skipped, kept: 0 }, file: file.name, problem: null },
    ...{ createdAt: iso(now), updatedAt: iso(now), completedAt: null, mapping, rejected, kept: [], preview },
  }
  return { data, message: `Nothing is imported yet: ${messageOf(data)}`, status: 200 as const }
}

function messageOf({ status, totals }: z.input<typeof ImportRun>): string {
  if (status === 'pending') return `${totals.rows} rows wait to be imported`
  const rejected = totals.rejected ? `, ${totals.rejected} rejected` : ''
  return `${totals.created} created, ${totals.updated} updated, ${totals.skipped} skipped${rejected}`
}
