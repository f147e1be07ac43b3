import * as z from 'zod'
import { MAX_BULK_OPERATIONS } from '../../http/bulk'

export const MAX_ETAG_CHARACTERS = 100

const Operation = z.unknown().meta({
  type: 'object',
  required: ['op', 'type'],
  properties: {
    op: { type: 'string', maxLength: 10, enum: ['create', 'update', 'delete'] },
    type: { type: 'string', maxLength: 10, enum: ['epic', 'feature', 'userstory'] },
    externalKey: { type: 'string', maxLength: 30, description: 'External key of the item to update or delete.' },
    ref: {
      type: 'string',
      maxLength: 100,
      description: 'Name of your choice. A later operation sends this name as `parentRef`.',
    },
    parentRef: {
      type: 'string',
      maxLength: 100,
      description: 'The `ref` of the earlier operation on the parent item.',
    },
    ifMatch: {
      type: 'string',
      maxLength: MAX_ETAG_CHARACTERS,
      description: 'ETag of the item to update or delete: the operation fails if the item has changed since.',
    },
    body: { type: 'object', description: 'Body of the create or modify operation of the type.' },
  },
})

export const BulkBacklog = z
  .array(Operation, { error: 'Must be an array of operations' })
  .min(1, 'Must hold at least one operation')
  .max(MAX_BULK_OPERATIONS, `Must hold at most ${MAX_BULK_OPERATIONS} operations. Send the rest in another request.`)
  .meta({
    id: 'BulkBacklog',
    examples: [
      [
        { op: 'create', type: 'epic', ref: 'checkout', body: { summary: 'Checkout' } },
        { op: 'create', type: 'userstory', parentRef: 'checkout', body: { summary: 'Pay by card', storyPoint: '3' } },
      ],
    ],
  })
