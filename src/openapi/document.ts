import type { Context } from 'hono'
import { version } from '../../package.json'
import type { AnyOperation } from '../http/operation'
import type { AppEnv } from '../http/response'
import { WEIGHTS } from '../http/weight'
import { TAGS } from '../resources'
import { describeFailures, FAILURE } from './failures'
import { HEADERS } from './headers'
import { HEALTH } from './health'
import { describeOperation } from './operation'
import type { Json } from './schemas'
import { DELIVERY_HEADERS, describeWebhooks } from './webhooks'

let documentText: string | undefined

export function serveOpenApi(c: Context<AppEnv>, operations: readonly AnyOperation[]): Response {
  documentText ??= JSON.stringify(buildDocument(operations))
  return c.body(documentText, 200, { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' })
}

const DESCRIPTION = `Backlog, feedback, segments, KPIs and personas of product teams.

Every request carries \`x-api-key: Bearer <API_KEY>\`. Every JSON response is an envelope of \`success\`, \`message\` and
\`data\`; a failure adds \`error\` with a stable \`code\`. POST accepts an \`Idempotency-Key\` for 24 hours. The \`Link\`
header of a list has the next page. A modify with \`If-Match\` changes only the version that you have read.

Requests are limited in units, per key and for all keys of a workspace together; the header \`RateLimit-Policy\`
states both limits. A request takes one unit. A search, or a filter without an index, takes ${WEIGHTS.walk}; a file
${WEIGHTS.upload}; a bulk operation, an import, a mailing, a preview, a replay or a \`wait\` ${WEIGHTS.bulk}; an export ${WEIGHTS.export}.
\`x-rate-limit-units\` shows a number above one. A request that exceeds a limit is a 429 with \`Retry-After\`.`

export function buildDocument(operations: readonly AnyOperation[]): Json {
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
      contact: { name: 'Operator of this service' },
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
