import * as z from 'zod'
import { operation } from '../../http/operation'
import { replyWithStoredFile } from '../../http/stored-file'
import { notFoundError } from '../../text/errors'
import { toIso } from '../../text/moments'
import { makeObjectKey } from '../objects/fields'
import * as queries from './queries/run'
import { CreateExport, ExportParams, ListExports, WorkspaceExport } from './schema'

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
  params: ExportParams,
  mayBeGone: true,
  async handle({ params, db, env, header }) {
    const { objectKey, size, createdAt } = await queries.getExportFile(db, params)
    const headers = {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="workspace-${toIso(createdAt).slice(0, 10)}.zip"`,
    }
    // A new export has a new object.
    const tag = objectKey.slice(objectKey.lastIndexOf('/') + 1)
    const reply = await replyWithStoredFile({ files: env.FILES, objectKey, size, tag, headers, header })
    if (!reply) throw notFoundError('export_not_found')
    return reply
  },
})
