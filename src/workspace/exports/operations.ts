import * as z from 'zod'
import { discardObject, MEMORY_PER_OBJECT_WRITE } from '../../http/object'
import { operation } from '../../http/operation'
import { replyWithStoredFile } from '../../http/stored-file'
import { ApiError, notFoundError } from '../../text/errors'
import { toIso } from '../../text/moments'
import { makeObjectKey } from '../objects/fields'
import { createRestore } from './queries/restore'
import * as queries from './queries/run'
import { CreateExport, ExportParams, ListExports, WorkspaceExport } from './schema'
import { MAX_RESTORE_BYTES, storeExportFile } from './store'

export const createExport = operation({
  id: 'createExport',
  of: 'export',
  scope: '*',
  workspaceWide: true,
  weight: 'export',
  ignoresErasure: true,
  route: 'POST /api/v2/exports',
  summary: 'Export the workspace',
  description:
    'Starts an export of all records of the workspace, also of removed and merged records, as a ZIP file. Follow the progress with a GET, or wait for the event `export.completed`. The file has `manifest.json`, with the number of records and the SHA-256 of each file, and a file of NDJSON per table in `records/`. `include` adds the uploaded files and the log of events. API keys, secrets and import runs are not part of the export. The tables are read one after the other: a record that you change meanwhile can be missing in one of two tables. The file is kept for 7 days, and a workspace keeps at most 50 exports (409).',
  body: CreateExport,
  data: WorkspaceExport,
  message: 'Export started',
  location: '/api/v2/exports/{id}',
  async handle({ body, db, actor, enqueue }) {
    const { subscriptionId } = actor
    const reply = await queries.createExport(db, makeObjectKey('exportFile', subscriptionId), body?.include ?? [])
    enqueue({ kind: 'export.run', subscriptionId, exportId: reply.data.id })
    return reply
  },
})

export const listExports = operation({
  id: 'listExports',
  of: 'export',
  scope: '*',
  route: 'GET /api/v2/exports',
  summary: 'List exports of the workspace',
  description: 'Exports and nightly backups, newest first. An expired or failed export is listed for 30 more days.',
  query: ListExports,
  data: z.array(WorkspaceExport),
  handle: ({ query, db }) => queries.listExports(db, query),
})

export const getExport = operation({
  id: 'getExport',
  of: 'export',
  scope: '*',
  route: 'GET /api/v2/exports/{exportId}',
  summary: 'Retrieve an export, with its progress',
  description:
    'The export with its status and progress, the number of records and, after the end, the size or the `problem`.',
  params: ExportParams,
  data: WorkspaceExport,
  handle: ({ params, db }) => queries.getExport(db, params),
})

export const downloadExport = operation({
  id: 'downloadExport',
  of: 'export',
  scope: '*',
  workspaceWide: true,
  route: 'GET /api/v2/exports/{exportId}/download',
  summary: 'Download the file of an export',
  description:
    'The ZIP file. An export that is not complete, or has failed, is a 409. An expired export is a 410. You can continue an interrupted download with `Range`.',
  conflicts: ['conflict'],
  params: ExportParams,
  mayBeGone: true,
  async handle({ params, db, env, header }) {
    const { objectKey, size, createdAt } = await queries.getExportFile(db, params)
    const file = { name: `workspace-${toIso(createdAt).slice(0, 10)}.zip`, mime: 'application/zip' }
    // A new export has a new object.
    const tag = objectKey.slice(objectKey.lastIndexOf('/') + 1)
    const reply = await replyWithStoredFile({ files: env.FILES, objectKey, size, tag, file, header })
    if (!reply) throw notFoundError('export_not_found')
    return reply
  },
})

export const restoreExport = operation({
  id: 'restoreExport',
  of: 'export',
  scope: '*',
  workspaceWide: true,
  weight: 'export',
  route: 'POST /api/v2/exports/restore',
  summary: 'Restore an export into an empty workspace',
  description:
    'Brings all records of an export back, from its ZIP file of at most 95 MB. The workspace has only its owner, the default statuses and the settings, else the answer is a 409 `workspace_not_empty`. Keys, slugs, removed and merged records, times and the order stay, and ids are new. The owner is merged with the member of the same address. Webhooks come back paused and with a secret that nobody knows. The file has no API keys, secrets, import runs and exports, and its events are not restored. People who were erased after the export do not come back. Follow the progress with `GET /api/v2/exports/{exportId}`, or wait for the event `workspace.restored`. The whole file is checked before the first record is written. Larger files: `npm run restore`.',
  preflight: { auth: true },
  conflicts: ['workspace_not_empty'],
  upload: {
    part: 'file',
    description: 'The ZIP file of an export.',
    maxBytes: MAX_RESTORE_BYTES,
    maxHeldBytes: MEMORY_PER_OBJECT_WRITE,
    receive: (file, { env, actor }) =>
      storeExportFile(env.FILES, makeObjectKey('exportFile', actor.subscriptionId), file),
    discard: ({ objectKey }, { env }) => discardObject(env.FILES, objectKey),
  },
  data: WorkspaceExport,
  message: 'Restore started. API keys, secrets, import runs, exports and events of the file are not restored.',
  location: '/api/v2/exports/{id}',
  async handle({ body, db, env, actor, enqueue, runAfterResponse }) {
    const { subscriptionId } = actor
    const { objectKey } = body.file
    try {
      const reply = await createRestore(db, objectKey)
      enqueue({ kind: 'export.run', subscriptionId, exportId: reply.data.id })
      return reply
    } catch (cause) {
      // A refusal wrote no run. After an interruption the outcome is unknown, and the sweep deletes a surplus object.
      if (cause instanceof ApiError && cause.status < 500) runAfterResponse(discardObject(env.FILES, objectKey))
      throw cause
    }
  },
})
