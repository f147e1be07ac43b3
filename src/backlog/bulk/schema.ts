import * as z from 'zod'
import { MAX_OPERATIONS } from '../../http/bulk'

const Operation = z.unknown().meta({
  type: 'object',
  required: ['op', 'type'],
  properties: {
    op: { type: 'string', maxLength: 10, enum: ['create', 'update', 'delete'] },
    type: { type: 'string', maxLength: 10, enum: ['epic', 'feature', 'userstory'] },
    externalKey: { type: 'string', maxLength: 30, description: 'What is updated or deleted.' },
    ref: { type: 'string', maxLength: 100, description: 'A name of yours, by which a later operation names this one.' },
    parentRef: {
      type: 'string',
      maxLength: 100,
      description: 'The `ref` of an earlier operation, whose item becomes the parent.',
    },
    body: { type: 'object', description: 'As that of the create or modify of the type.' },
  },
})

export const BulkBacklog = z
  .array(Operation, { error: 'Must be an array of operations' })
  .min(1, 'Must hold at least one operation')
  .max(MAX_OPERATIONS, `Must hold at most ${MAX_OPERATIONS} operations. Send the rest in another request.`)
  .meta({
    id: 'BulkBacklog',
    examples: [
      [
        { op: 'create', type: 'epic', ref: 'checkout', body: { summary: 'Checkout' } },
        { op: 'create', type: 'userstory', parentRef: 'checkout', body: { summary: 'Pay by card', storyPoint: '3' } },
      ],
    ],
  })
