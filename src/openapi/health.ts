import { referenceCommonHeaders } from './headers'

/** GET /health is not in the operation table, and is described by hand. */
export const HEALTH_OPERATION = {
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
    405: { $ref: '#/components/responses/MethodNotAllowed' },
    429: { $ref: '#/components/responses/RateLimited' },
    503: { $ref: '#/components/responses/Unavailable' },
  },
}
