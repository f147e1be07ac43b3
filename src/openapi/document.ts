import type { Context } from 'hono'
import { version } from '../../package.json'
import type { AppEnv } from '../http/answer'
import type { AnyOperation } from '../http/operation'
import { WEIGHTS } from '../http/weight'
import { TAGS } from '../resources'
import { describeFailures, FAILURE } from './failures'
import { HEADERS } from './headers'
import { HEALTH } from './health'
import { describeOperation } from './operation'
import type { Json } from './schemas'
import { DELIVERY_HEADERS, describeWebhooks } from './webhooks'

let document: string | undefined

export function openapi(c: Context<AppEnv>, operations: readonly AnyOperation[]): Response {
  document ??= JSON.stringify(describe(operations))
  return c.body(document, 200, { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' })
}

const DESCRIPTION = `Backlog, feedback, segments, KPIs and personas of product teams.

Every request carries \`x-api-key: Bearer <API_KEY>\`. Every JSON answer is an envelope of \`success\`, \`message\` and
\`data\`; a failure adds \`error\` with a stable \`code\`. POST accepts an \`Idempotency-Key\` for 24 hours; lists are read
page by page through the \`Link\` header; a modify with \`If-Match\` changes only what you have seen.

Requests are limited in units, for each key and for all keys of a workspace together; the header \`RateLimit-Policy\`
states both limits. A request takes one unit. A search, or a filter that no index serves, takes ${WEIGHTS.walk}; a file
${WEIGHTS.upload}; a bulk operation, an import, a mailing, a preview, a replay or a \`wait\` ${WEIGHTS.bulk}; an export ${WEIGHTS.export}.
\`x-rate-limit-units\` says so where it is more than one. Beyond a limit the answer is 429, with \`Retry-After\`.`

export function describe(operations: readonly AnyOperation[]): Json {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const op of operations) {
    paths[op.path] = { ...paths[op.path], [op.method]: describeOperation(op, schemas) }
  }
  paths['/health'] = { get: HEALTH }
  const webhooks = describeWebhooks(operations, schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Groundwork',
      version,
      description: DESCRIPTION,
      contact: { name: 'Whoever runs this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This service' }],
    security: [{ 'x-api-key': [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
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
      },
      headers: HEADERS,
      parameters: DELIVERY_HEADERS,
      schemas: { ...schemas, Failure: FAILURE },
      responses: describeFailures(),
    },
  }
}
