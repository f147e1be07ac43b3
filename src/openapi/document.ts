import { version } from '../../package.json'
import { type AnyOperation, takesPatch } from '../http/operation'
import { RATE_LIMIT_WEIGHTS } from '../http/weight'
import { API_TAGS } from '../resources'
import { createComponents, shareParameters } from './components'
import { describeEventsByType } from './events'
import { RESPONSE_HEADERS } from './headers'
import { describeHealth } from './health'
import { describeOperation, KEY_SECURITY } from './operation'
import type { JsonObject } from './schemas'
import { DELIVERY_HEADERS, describeWebhooks } from './webhooks'

const API_DESCRIPTION = `Backlog, feedback, segments, KPIs and personas of product teams.

Every request carries \`x-api-key: Bearer <API_KEY>\` or \`Authorization: Bearer <API_KEY>\`. Every JSON response is an envelope of \`success\`, \`message\` and
\`data\`; a failure adds \`error\` with a stable \`code\`. POST accepts an \`Idempotency-Key\` for 24 hours. The \`Link\`
header of a list has the next page. A modify with \`If-Match\` changes only the version that you have read.

Requests are limited in units, per key and for all keys of a workspace together; the header \`RateLimit-Policy\`
states both limits. A request takes one unit. A search, or a filter without an index, takes ${RATE_LIMIT_WEIGHTS.walk}; an
upload ${RATE_LIMIT_WEIGHTS.upload}; a bulk operation, an import, a mailing, a preview, a replay or a \`wait\` ${RATE_LIMIT_WEIGHTS.bulk}; an export ${RATE_LIMIT_WEIGHTS.export}.
\`x-rate-limit-units\` shows a number above one. A request that exceeds a limit is a 429 with \`Retry-After\`.`

export function buildOpenApiDocument(operations: readonly AnyOperation[]): JsonObject {
  const components = createComponents()
  const described = operations.map((op) => [op, describeOperation(op, components)] as const)
  const sharedParameters = shareParameters(described.map(([, description]) => description))
  const paths: Record<string, JsonObject> = {}
  for (const [op, description] of described) {
    const patch = takesPatch(op) && { patch: { ...description, operationId: `${op.id}ByPatch` } }
    paths[op.path] = { ...paths[op.path], [op.method]: description, ...patch }
  }
  paths['/health'] = { get: describeHealth(components) }
  describeEventsByType(operations, components)
  const webhooks = describeWebhooks(operations, components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Groundwork',
      version,
      description: API_DESCRIPTION,
      contact: { name: 'Operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This service' }],
    security: KEY_SECURITY,
    tags: Object.entries(API_TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        'x-api-key': {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'The word `Bearer`, a space, and the key: `Bearer <API_KEY>`.',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The key in the header `Authorization: Bearer <API_KEY>`, in place of `x-api-key`.',
        },
        'x-end-user': {
          type: 'apiKey',
          in: 'header',
          name: 'x-end-user',
          description:
            'A JWT that your server signs for one of your users, beside a publishable key in `x-api-key`: the person takes part in a portal.',
        },
      },
      headers: RESPONSE_HEADERS,
      parameters: { ...DELIVERY_HEADERS, ...sharedParameters },
      schemas: components.schemas,
      responses: components.responses,
    },
  }
}
