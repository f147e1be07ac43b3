import * as z from 'zod'
import { EXPORT_MEDIA_TYPES } from '../../files/write'
import { ALL_RECORDS_COST_REASON, declareCeiling } from '../../http/ceiling'
import { operation } from '../../http/operation'
import * as queries from './queries/run'
import { streamRejectedCsv } from './rejected'
import { ImportItem, ImportParams, ImportRun, ListImports } from './schema'
import { streamWarningsCsv } from './warnings-csv'

export const listImports = operation({
  id: 'listImports',
  tag: 'Imports',
  route: 'GET /api/v2/imports',
  summary: 'List import runs',
  description:
    'Import runs, newest first, with their totals. You see the runs of the areas for which your key has `:read` or `:write`.',
  query: ListImports,
  data: z.array(ImportItem),
  handle: ({ query, db }) => queries.listImports(db, query),
})

export const getImport = operation({
  id: 'getImport',
  tag: 'Imports',
  route: 'GET /api/v2/imports/{importId}',
  summary: 'Retrieve an import run, with its progress',
  description:
    'The run with its mapping, the first warnings, and the first rows that were rejected or that an undo left unchanged.',
  params: ImportParams,
  data: ImportRun,
  errors: ['import_not_found'],
  handle: ({ params, db }) => queries.getImport(db, params),
})

export const downloadRejectedRows = operation({
  id: 'downloadRejectedRows',
  ceiling: declareCeiling(70_000, ALL_RECORDS_COST_REASON, 200_000_000),
  tag: 'Imports',
  route: 'GET /api/v2/imports/{importId}/rejected.csv',
  summary: 'Download the rejected rows of an import',
  description:
    'CSV with the columns of the file, then `row`, `field` and `reason`. Correct the rows and import the CSV again. Cells that a spreadsheet would calculate begin with an apostrophe. The outcome of single rows is kept for 30 days.',
  params: ImportParams,
  streamedTypes: [EXPORT_MEDIA_TYPES.csv],
  errors: ['import_not_found'],
  handle: ({ params, db }) => streamRejectedCsv(db, params),
})

export const downloadImportWarnings = operation({
  id: 'downloadImportWarnings',
  ceiling: declareCeiling(70_000, ALL_RECORDS_COST_REASON, 200_000_000),
  tag: 'Imports',
  route: 'GET /api/v2/imports/{importId}/warnings.csv',
  summary: 'Download the warnings of an import',
  description:
    'CSV of the values that the import left out or replaced: `field`, `column`, `value`, `rows` (a count), `became` (empty if the value was left out) and `reason`. Equal values of a column are one line. A run keeps 2,000 different values; `…` stands for the others of a column. Cells that a spreadsheet would calculate begin with an apostrophe. Warnings are kept for 30 days.',
  params: ImportParams,
  streamedTypes: [EXPORT_MEDIA_TYPES.csv],
  errors: ['import_not_found'],
  handle: ({ params, db }) => streamWarningsCsv(db, params),
})

export const cancelImport = operation({
  id: 'cancelImport',
  tag: 'Imports',
  route: 'POST /api/v2/imports/{importId}/cancel',
  summary: 'Cancel an import run',
  description: 'Imported rows stay until you undo the run. A run that has ended is a 409.',
  ignoresQuota: true,
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
    'You can undo a run for 30 days. Created records are removed for good, also if they are in the trash, updated records get their former values back, and people leave the segment that the run added them to. Members that the run created as authors, voters, followers or commenters go last, unless they are in use or changed. Records that were changed since, or are in use (like a person with an API key, a team, another segment, an idea, a vote, a comment or an assignment; an item with later comments, links to other items or ideas, or children that stay), do not change and are listed in `kept`. An import that created or changed the role of a person whose role has scopes that your key lacks is a 403. The queue undoes the records after the first 5,000.',
  bulk: true,
  params: ImportParams,
  data: ImportRun,
  errors: ['import_not_found'],
  async handle({ params, db, actor, enqueue }) {
    const undone = await queries.undoImport(db, params)
    const { id, status } = undone.data
    if (status === 'undoing') enqueue({ kind: 'import.run', subscriptionId: actor.subscriptionId, importId: id })
    return { ...undone, message: status === 'undone' ? 'Import undone' : 'The import is being undone' }
  },
})
