import * as z from 'zod'
import { createChangesQuery } from '../../http/pagination'
import { integer, jsonText, storedValue, Timestamp, text } from '../../http/schemas'
import { MISSING_KINDS, PRESET_CERTAINTIES } from './kind'

export const IMPORT_STATUSES = [
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

const anyMissingKind = `(?:${MISSING_KINDS.join('|')})`
// An empty text creates nothing.
const MISSING_KINDS_PATTERN = new RegExp(`^(?:${anyMissingKind}(?:,${anyMissingKind})*)?$`)

export const ImportQuery = z.object({
  dryRun: z.enum(['false', 'true']).default('false').meta({
    description: '`true`: dry run. Nothing is imported, and the response (200) shows the result of the import.',
  }),
  onConflict: z.enum(['skip', 'update']).default('skip').meta({
    description: 'Action for rows whose record exists: `skip` keeps the record, `update` changes the record.',
  }),
  createMissing: text(100)
    .regex(MISSING_KINDS_PATTERN, `Must be ${MISSING_KINDS.join(', ')}, separated by commas`)
    .transform((given) => MISSING_KINDS.filter((kind) => given.split(',').includes(kind)))
    .optional()
    .meta({
      description:
        'Records to create for unknown names of the file, separated by commas: `statuses` and `categories` of feedback items, `tags`, `versions` (solution versions) and `segments`. The default is `tags`, and all of them for an export of this service. An unknown name that is not created is a warning. A key that is limited to products creates no statuses and no categories.',
      example: 'statuses,categories,tags',
    }),
  preset: z.enum(['none']).optional().meta({
    description:
      '`none`: the columns are matched by their names alone, as in a file of no known product. Without the parameter, the header decides.',
  }),
  dates: z.enum(['dmy', 'mdy']).optional().meta({
    description:
      'Order of day and month in dates like `03/04/2026`, for columns whose cells leave the order open. Without the parameter, the other columns of the file decide.',
  }),
})

export const ImportFields = z.object({
  mapping: jsonText(60_000, (value) => typeof value === 'object' && value !== null, 'Must be a JSON object of columns')
    .optional()
    .meta({
      description:
        'JSON that maps columns to fields or attributes: `{"column": "field"}`, `{"column": {"attribute": "name"}}`, `{"column": {"field": "role", "values": {"theirs": "ours"}}}`, `{"column": {"field": "summary", "level": 2}}` for a title that is below the last title of level 1, `null` to ignore a column, `{"field": "=value"}` for the same value in all rows.',
    }),
})

export const ListImports = createChangesQuery(['-createdAt', 'createdAt'])

const ReportedRow = z.object({
  row: z.int().meta({ description: 'Row number, from 1, without the header and empty lines.' }),
  reason: z.string(),
})

const importSchemaMembers = {
  id: z.int().meta({ description: 'Id of the run; 0 for a dry run.' }),
  kind: storedValue(['people', 'backlog', 'feedback', 'changelog', 'suppressions']).meta({ examples: ['people'] }),
  segmentId: z.int().nullable().meta({ description: 'Id of the segment that the people join.' }),
  status: z.enum(IMPORT_STATUSES).meta({
    description: '`partial`: some rows were rejected. `failed`: all rows were rejected, or `problem` gives the reason.',
  }),
  progress: z.int().min(0).max(100).meta({ description: 'Percentage of processed rows.' }),
  totals: z.object({
    rows: z.int(),
    created: z.int(),
    updated: z.int(),
    skipped: z.int().meta({ description: 'Unchanged existing records, and duplicates of earlier rows.' }),
    rejected: z.int(),
    suppressed: z.int().meta({
      description:
        'People: new suppressions, for rows that say that the person gets no mail. An undo keeps these suppressions.',
    }),
    kept: z
      .int()
      .meta({ description: 'Records that an undo left, because the records were changed since or are in use.' }),
  }),
  onConflict: z.enum(['skip', 'update']),
  file: z.string().meta({ description: 'Name of the file.' }),
  problem: z.string().nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  completedAt: Timestamp.nullable(),
}

export const ImportItem = z.object(importSchemaMembers).meta({ id: 'Import', description: 'An import run of a file.' })

export const ImportRun = z
  .object({
    ...importSchemaMembers,
    mapping: z
      .object({
        preset: z.string().nullable().meta({ description: 'Product that exported the file, if the header is known.' }),
        certainty: z.enum(PRESET_CERTAINTIES).optional().meta({
          description:
            'Certainty of the preset: `certain` if the product knows at least half of the columns, `likely` if fewer, `none` without a preset. Absent for runs before release 0.3.0.',
        }),
        presetReason: z
          .string()
          .optional()
          .meta({ description: 'Columns that decided the preset, or that are missing.' }),
        columns: z.array(
          z.looseObject({
            column: z.string(),
            field: z.string().optional().meta({ description: 'Field that the column gives.' }),
            values: z
              .record(z.string(), z.string())
              .optional()
              .meta({ description: 'Values of the file that become other values.' }),
            attribute: z.string().optional().meta({ description: 'Attribute that the column gives.' }),
            ignored: z.boolean().optional().meta({ description: '`true`: the column is left out.' }),
            level: z.int().optional().meta({
              description:
                'Level of the rows whose title stands in the column; a row is below the last row of a higher level.',
            }),
            dates: z.enum(['dmy', 'mdy', 'iso']).nullish().meta({
              description:
                'Order of day and month in a column of dates: day first, month first, or no need for an order. Null if the order is unknown.',
            }),
          }),
        ),
        constants: z.record(z.string(), z.string()),
        refusalList: z.string().optional().meta({
          description: 'Name of the file, if the name says that the people get no mail, like `unsubscribed.csv`.',
        }),
        createMissing: z.array(z.enum(MISSING_KINDS)).optional().meta({ description: 'Records that the run creates.' }),
      })
      .meta({ description: 'Mapping of the columns.' }),
    rejected: z
      .array(ReportedRow.extend({ field: z.string().nullable(), value: z.string().nullable() }))
      .meta({ description: 'The first 100 rejected rows. `/rejected.csv` has all rejected rows.' }),
    warnings: z
      .array(
        z.object({
          field: z.string(),
          column: z.string().nullable().meta({ description: 'Column of the file; null for a constant.' }),
          value: z.string().nullable().meta({ description: 'Value in the file, at most 100 characters.' }),
          rows: z.int().meta({ description: 'Count of rows with this value.' }),
          became: z.string().nullable().meta({ description: 'Value of the record; null if the value was left out.' }),
          reason: z.string(),
        }),
      )
      .meta({
        description:
          'The first 100 values of optional fields that could not be read. The rows are imported. `/warnings.csv` has all of them. An import of people also lists what the file says about unsubscription, bounces, complaints and consent, and lists it first: `field` is `suppression` for values that end mail, and `consent` for the others; `value` is null for times and sentences. `became` is the reason of the new suppression; with null, the import does not take the value over, and mail reaches these people.',
      }),
    kept: z
      .array(
        ReportedRow.extend({
          externalKey: z
            .string()
            .nullable()
            .meta({ description: 'Key of the item or the changelog entry; null for people.' }),
          id: z.int().nullable().meta({ description: 'Id of the person or the suppression; null for items.' }),
        }),
      )
      .meta({
        description:
          'The first 100 records that an undo left unchanged, with the row and the reason. Undos before release 0.3.0 have neither key nor id.',
      }),
    firstValues: z.array(z.string().nullable()).optional().meta({
      description:
        'Dry run: the first value of each column in the first 50 rows, in the order of `mapping.columns`; at most 100 characters.',
    }),
    fields: z
      .array(
        z.object({
          name: z.string(),
          required: z.boolean(),
          values: z.array(z.string()).nullable().meta({ description: 'The only values; null for any value.' }),
        }),
      )
      .optional()
      .meta({ description: 'Dry run: the fields that a column can give.' }),
    preview: z.array(z.looseObject({})).optional().meta({
      description:
        'Dry run: records of the first 50 rows as the import would store them, with the members of the API. Work items also have `parentRow` (the row of the parent), `assignee` (the name in the file), `solutionVersions`, `externalIds` and the count of new `comments`. Ideas have the names of `category` and `status`, and the counts of new `votes` and `comments`. Changelog entries have the keys of `product`, `ideas` and `versions`. Without access to people, people have only the values of the file.',
    }),
  })
  .meta({ id: 'ImportRun', description: 'An import run, with its mapping and its rejected rows.' })

/** Rows as a JSON body. Rows are validated separately, because a bad row must not reject the rest. */
export const createRowsSchema = (id: string, example: Record<string, unknown>[]) =>
  z.array(z.looseObject({})).meta({
    id,
    description: 'Rows as objects, with the columns of a file as members.',
    examples: [example],
  })
