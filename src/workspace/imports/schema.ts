import * as z from 'zod'
import { listQuery } from '../../http/pagination'
import { integer, jsonText, Timestamp } from '../../http/schemas'

export const STATUSES = [
  'pending',
  'running',
  'completed',
  'partial',
  'failed',
  'canceled',
  'undoing',
  'undone',
] as const

export const ImportParams = z.object({
  importId: integer({ min: 1 }).meta({ description: 'Id of the import run.', example: 1 }),
})

export const ImportQuery = z.object({
  dryRun: z
    .enum(['false', 'true'])
    .default('false')
    .meta({ description: '`true`: nothing is imported; the answer, a 200, says what would be.' }),
  onConflict: z
    .enum(['skip', 'update'])
    .default('skip')
    .meta({ description: 'What becomes of a row whose record is known: it is left as it is, or updated.' }),
})

export const ImportFields = z.object({
  mapping: jsonText(60_000, (value) => typeof value === 'object' && value !== null, 'Must be a JSON object of columns')
    .optional()
    .meta({
      description:
        'JSON that says how columns are read where their names do not: `{"column": "field"}`, `{"column": {"attribute": "name"}}`, `{"column": {"field": "role", "values": {"theirs": "ours"}}}`, `null` for a column that is left out, `{"field": "=value"}` for one value in all rows.',
    }),
})

export const ListImports = listQuery(['-createdAt', 'createdAt'])

const Line = z.object({
  row: z.int().meta({ description: 'Rows count from 1, without the header and empty lines.' }),
  reason: z.string(),
})

const item = {
  id: z.int().meta({ description: '0 of a dry run.' }),
  kind: z.string().meta({ examples: ['people'] }),
  segmentId: z.int().nullable().meta({ description: 'The segment that the people join, if any.' }),
  status: z.enum(STATUSES).meta({
    description: '`partial`: some rows were rejected; `failed`: all of them, or `problem` says why it could not go on.',
  }),
  progress: z.int().min(0).max(100).meta({ description: 'Percent of the rows that are done.' }),
  totals: z.object({
    rows: z.int(),
    created: z.int(),
    updated: z.int(),
    skipped: z.int().meta({ description: 'Known and left as they are, or a second row of one address.' }),
    rejected: z.int(),
    kept: z.int().meta({ description: 'That an undo left, because they have changed since or are in use.' }),
  }),
  onConflict: z.enum(['skip', 'update']),
  file: z.string().meta({ description: 'Name of the file.' }),
  problem: z.string().nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  completedAt: Timestamp.nullable(),
}

export const ImportItem = z.object(item).meta({ id: 'Import', description: 'An import of a file of rows.' })

export const ImportRun = z
  .object({
    ...item,
    mapping: z
      .object({
        preset: z
          .string()
          .nullable()
          .meta({ description: 'The product whose export the header is, where it is known.' }),
        columns: z.array(z.looseObject({ column: z.string() })),
        constants: z.record(z.string(), z.string()),
      })
      .meta({ description: 'How the columns were read.' }),
    rejected: z
      .array(Line.extend({ field: z.string().nullable(), value: z.string().nullable() }))
      .meta({ description: 'The first 100 rows that were rejected. `/rejected.csv` has all of them.' }),
    kept: z.array(Line).meta({ description: 'The first 100 rows that an undo left, and why.' }),
    preview: z.array(z.looseObject({})).optional().meta({
      description:
        'Of a dry run: the records of the first 50 rows, as they would be stored; for a key that reads no people, as the file has them.',
    }),
  })
  .meta({ id: 'ImportRun', description: 'An import run, with its mapping and what was rejected.' })

/** Rows as a JSON body. Rows are validated separately, because a bad row must not reject the rest. */
export const rowsOfJson = (id: string, example: Record<string, unknown>[]) =>
  z.array(z.looseObject({})).meta({
    id,
    description: 'The rows, each with the columns of a file as its members.',
    examples: [example],
  })
