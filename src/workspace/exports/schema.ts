import * as z from 'zod'
import { createListQuery } from '../../http/pagination'
import { integer, Timestamp } from '../../http/schemas'

export const EXPORT_PARTS = ['files', 'events'] as const
export type ExportPart = (typeof EXPORT_PARTS)[number]

// Stored files cost money, and a workspace exports rarely.
export const MAX_KEPT_EXPORTS = 50

/** Parts of a workspace that no file contains. */
export const UNEXPORTED_PARTS = ['keys', 'secrets', 'imports', 'exports'] as const

export const EXPORT_KINDS = ['export', 'backup', 'restore'] as const
export type ExportKind = (typeof EXPORT_KINDS)[number]

export const EXPORT_STATUSES = ['queued', 'running', 'completed', 'failed', 'expired'] as const

export const ExportParams = z.object({
  exportId: integer({ min: 1 }).meta({ description: 'Id of the export.', example: 1 }),
})

export const CreateExport = z
  .object({
    include: z.array(z.enum(EXPORT_PARTS)).max(EXPORT_PARTS.length).optional().meta({
      description:
        '`files`: the uploaded files. `events`: the log of events. Records are always part of the export, and alone by default.',
    }),
  })
  .optional()
  .meta({ id: 'CreateExport', examples: [{ include: ['files'] }] })

export const ListExports = createListQuery(['-createdAt', 'createdAt'])

export const WorkspaceExport = z
  .object({
    id: z.int(),
    kind: z.enum(EXPORT_KINDS).meta({
      description:
        '`backup`: a nightly export of the service. `restore`: the restore of an export; its file is deleted at the end.',
    }),
    status: z.enum(EXPORT_STATUSES).meta({ description: '`expired`: the file is deleted.' }),
    include: z.array(z.enum(EXPORT_PARTS)),
    omitted: z.array(z.enum([...UNEXPORTED_PARTS, ...EXPORT_PARTS])).meta({
      description:
        'Parts of the workspace that are not in the file of an export, or that a restore does not bring back: API keys, secrets, runs of imports and exports, and the parts that `include` does not name. A restore never brings events back, and brings files back if the file has them.',
    }),
    progress: z.int().min(0).max(100).meta({ description: 'Percentage of the work.' }),
    totals: z.object({ records: z.int(), files: z.int(), events: z.int() }),
    size: z.int().nullable().meta({ description: 'Bytes of the file; null until the export is complete.' }),
    problem: z.string().nullable().meta({ description: 'Reason of a failed export or restore.' }),
    expiresAt: Timestamp.nullable().meta({ description: 'Time when the file is deleted.' }),
    createdAt: Timestamp,
    completedAt: Timestamp.nullable(),
  })
  .meta({ id: 'WorkspaceExport', description: 'An export of the whole workspace, or a restore.' })

export const WorkspaceRestoredEvent = z.object({
  name: z.string(),
  exportId: z.int(),
  totals: z.object({ records: z.int(), files: z.int() }),
})
