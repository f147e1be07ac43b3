import * as z from 'zod'
import { createRestorableQuery } from '../../http/pagination'
import { integer, line, ProductParams, storedValue, Timestamp, text } from '../../http/schemas'

export const AssetParams = ProductParams.extend({
  assetId: integer({ min: 1 }).meta({ description: "The file's id.", example: 1 }),
})

export const FILE_OWNERS = ['epic', 'feature', 'userstory', 'feedback', 'persona', 'experiment', 'document'] as const

export const UploadFields = z.object({
  description: text(2000).optional(),
  usedAt: z.enum(FILE_OWNERS).optional().meta({ description: 'Type of the record that uses the file.' }),
})

export const ModifyAsset = z
  .object({
    description: text(2000).nullable().optional(),
    usedAt: z.enum(FILE_OWNERS).optional().meta({ description: 'Type of the record that uses the file.' }),
    artifactKey: line(30).nullable().optional().meta({
      description:
        'External key of a work item, feedback item, persona, experiment or document: attaches the file to this record, and changes `usedAt` unless you send `usedAt` too. A record has at most 1,000 files. `null` detaches the file from all records.',
    }),
  })
  .meta({ id: 'ModifyAsset', examples: [{ description: 'The first sketch.', usedAt: 'feature' }] })

export const ListAssets = createRestorableQuery(['-createdAt', 'createdAt']).extend({
  artifactKey: line(30)
    .optional()
    .meta({ description: 'Files of the record with this external key.', example: 'US-1' }),
})

export const File = z
  .object({
    id: z.int(),
    path: z.string().meta({ description: 'Storage key of the bytes.' }),
    size: z.string().meta({ description: 'Decimal text with two places, in `sizeType`.', examples: ['12.34'] }),
    sizeType: storedValue(['kb']).meta({ examples: ['kb'] }),
    userId: z.int().meta({ description: 'User who uploaded the file.' }),
    subscriptionId: z.int(),
    initiativeId: z.int(),
    usedAt: z.string().meta({ examples: ['userstory'] }),
    description: z.string().nullable(),
    name: z.string(),
    artifactId: z.int().meta({
      description:
        'Id of the record that the file was last attached to, or 0. `usedAt` is the type of the record unless you set `usedAt`.',
    }),
    status: z.string(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    file: z.string().meta({ description: 'Download path, below the address of this service.' }),
  })
  .meta({ id: 'File' })

export const Asset = File.extend({
  mime: z.string().meta({ description: 'Media type, detected from the bytes.', examples: ['image/png'] }),
  sha256: z.string().meta({ description: 'SHA-256 of the bytes, in hex.' }),
}).meta({ id: 'Asset', description: 'An uploaded file.' })
