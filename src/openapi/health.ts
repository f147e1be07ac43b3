import { onEveryAnswer } from './headers'

/** GET /health is not in the operation table, and is described by hand. */
export const HEALTH = {
  operationId: 'health',
  tags: ['Service'],
  summary: 'Say whether the service runs and reaches its database',
  description: 'Answers without a key, with what was so at most five seconds ago.',
  security: [],
  responses: {
    200: {
      description: 'It does.',
      headers: onEveryAnswer(),
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['success', 'message', 'data'],
            properties: {
              success: { type: 'boolean', const: true },
              message: { type: 'string' },
              data: {
                type: 'object',
                required: ['status', 'migration'],
                properties: {
                  status: { type: 'string', const: 'ok' },
                  migration: {
                    type: ['string', 'null'],
                    description: 'The migration that was applied last; null where none is noted.',
                    examples: ['0001_tenancy.sql'],
                  },
                },
                additionalProperties: false,
              },
            },
            additionalProperties: false,
          },
        },
      },
    },
    405: { $ref: '#/components/responses/MethodNotAllowed' },
    429: { $ref: '#/components/responses/RateLimited' },
    503: { $ref: '#/components/responses/Unavailable' },
  },
}
