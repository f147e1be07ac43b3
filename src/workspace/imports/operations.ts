import * as z from 'zod'
import { MEDIA_TYPES } from '../../files/write'
import { ALL_RECORDS, walk } from '../../http/ceiling'
import { operation } from '../../http/operation'
import * as queries from './queries/run'
import { rejectedCsv } from './rejected'
import { ImportItem, ImportParams, ImportRun, ListImports } from './schema'

export const listImports = operation({
  id: 'listImports',
  tag: 'Imports',
  route: 'GET /api/v2/imports',
  summary: 'List import runs',
  description:
    'The newest first, with what became of their rows in numbers: those of the areas of which the key has `:read` or `:write`.',
  query: ListImports,
  data: z.array(ImportItem),
  handle: ({ query, db }) => queries.listImports(db, query),
})

export const getImport = operation({
  id: 'getImport',
  tag: 'Imports',
  route: 'GET /api/v2/imports/{importId}',
  summary: 'Retrieve an import run, with its progress',
  description: 'With the mapping, and the first rows that were rejected, or that an undo left.',
  params: ImportParams,
  data: ImportRun,
  errors: ['import_not_found'],
  handle: ({ params, db }) => queries.getImport(db, params),
})

export const downloadRejectedRows = operation({
  id: 'downloadRejectedRows',
  ceiling: walk(70_000, ALL_RECORDS, 200_000_000),
  tag: 'Imports',
  route: 'GET /api/v2/imports/{importId}/rejected.csv',
  summary: 'Download the rejected rows of an import',
  description:
    'CSV with the columns of the file, then `row`, `field` and `reason`: to be corrected and imported again. A cell that a spreadsheet would calculate has an apostrophe before it. What became of single rows is kept for 30 days.',
  params: ImportParams,
  streams: [MEDIA_TYPES.csv],
  errors: ['import_not_found'],
  handle: ({ params, db }) => rejectedCsv(db, params),
})

export const cancelImport = operation({
  id: 'cancelImport',
  tag: 'Imports',
  route: 'POST /api/v2/imports/{importId}/cancel',
  summary: 'Cancel an import run',
  description: 'What it has imported so far stays, until it is undone. A run that has ended is a 409.',
  stops: true,
  params: ImportParams,
  data: ImportRun,
  errors: ['import_not_found'],
  message: 'Import canceled',
  handle: ({ params, db }) => queries.cancelImport(db, params),
})

export const undoImport = operation({
  id: 'undoImport',
  tag: 'Imports',
  route: 'POST /api/v2/imports/{importId}/undo',
  summary: 'Undo an import run',
  description:
    'For 30 days. What it created goes for good, what it updated gets the former values back, and who joined the segment by it leaves. What was changed since, or has something of its own by now (a person an API key, a team or another segment, an item others below it), is left as it is and named in `kept`. More than 5,000 are taken back by the queue.',
  bulk: true,
  params: ImportParams,
  data: ImportRun,
  errors: ['import_not_found'],
  async handle({ params, db, actor, wake }) {
    const undone = await queries.undoImport(db, params)
    const { id, status } = undone.data
    if (status === 'undoing') wake({ kind: 'import.run', subscriptionId: actor.subscriptionId, importId: id })
    return { ...undone, message: status === 'undone' ? 'Import undone' : 'The import is being undone' }
  },
})
