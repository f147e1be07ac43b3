import type { Components } from './components'
import { referenceFailure } from './failures'
import { referenceCommonHeaders } from './headers'
import type { JsonObject } from './schemas'

/** GET /health is not in the operation table, and is described by hand. */
export const describeHealth = (components: Components): JsonObject => ({
  operationId: 'health',
  tags: ['Service'],
  summary: 'Check that the service runs, is configured and reaches its database',
  description:
    'Needs no key. The result is at most five seconds old. The code is `not_configured` if a setting is missing or the database lacks a migration that this version needs.',
  security: [],
  responses: {
    200: {
      description: 'The service runs and reaches its database.',
      headers: referenceCommonHeaders(),
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
                    description: 'Name of the last applied migration.',
                    examples: ['0013_experiments_and_documents.sql'],
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
    405: referenceFailure(405, ['method_not_allowed'], components),
    429: referenceFailure(429, ['rate_limited'], components),
    503: referenceFailure(503, ['temporarily_unavailable', 'not_configured'], components),
  },
})
