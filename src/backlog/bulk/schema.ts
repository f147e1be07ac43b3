import * as z from 'zod'

/** One request's operations: one batch of a second at most. */
export const MAX_OPERATIONS = 1_000

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

const flag = (description: string) =>
  z.enum(['true', 'false'], { error: 'Must be "true" or "false"' }).default('false').meta({ description })

export const BulkQuery = z.object({
  dryRun: flag('With `true` everything is checked, and nothing stored.'),
  atomic: flag('With `true` one operation that fails refuses all of them.'),
})

export const BulkDone = z
  .object({
    results: z
      .array(
        z.object({
          index: z.int(),
          op: z.string(),
          success: z.boolean(),
          id: z.int().optional(),
          externalKey: z.string().optional(),
          ref: z.string().optional(),
          message: z.string().optional().meta({ description: 'Why it failed.' }),
          issues: z
            .array(z.object({ path: z.string(), code: z.string(), message: z.string() }))
            .optional()
            .meta({ description: 'What is wrong with it; paths are those within the operation.' }),
        }),
      )
      .meta({ description: 'One for each operation, in the same order.' }),
    totals: z.object({ created: z.int(), updated: z.int(), deleted: z.int(), failed: z.int() }),
  })
  .meta({ id: 'BulkDone' })
