import * as z from 'zod'
import { MAX_BULK_OPERATIONS } from '../../http/bulk'

export const OPERATION_NAMES = ['update', 'delete', 'merge'] as const
export const MAX_KEY_CHARACTERS = 30

// Operations are parsed in `read.ts`, because an invalid operation must not reject the rest.
const Operation = z.unknown().meta({
  type: 'object',
  required: ['op', 'externalKey'],
  properties: {
    op: { type: 'string', maxLength: 10, enum: [...OPERATION_NAMES] },
    externalKey: { type: 'string', maxLength: MAX_KEY_CHARACTERS, description: 'External key of the item.' },
    body: { type: 'object', description: 'Body of the modify operation, or `{into}` of a merge.' },
  },
})

export const BulkFeedback = z
  .array(Operation, { error: 'Must be an array of operations' })
  .min(1, 'Must hold at least one operation')
  .max(MAX_BULK_OPERATIONS, `Must hold at most ${MAX_BULK_OPERATIONS} operations. Send the rest in another request.`)
  .meta({
    id: 'BulkFeedback',
    examples: [
      [
        { op: 'update', externalKey: 'IDEA-1001', body: { status_id: 3, tags: ['ui', 'night'] } },
        { op: 'merge', externalKey: 'IDEA-1002', body: { into: 'IDEA-1001' } },
        { op: 'delete', externalKey: 'IDEA-1003' },
      ],
    ],
  })
