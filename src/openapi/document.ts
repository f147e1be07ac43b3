import type { Context } from 'hono'
import * as z from 'zod'
import { version } from '../../package.json'
import type { AppEnv } from '../http/answer'
import type { AnyOperation } from '../http/operation'
import { TAGS } from '../resources'

type Json = Record<string, unknown>

let document: string | undefined

/** GET /openapi.json: built when first asked for, then kept. */
export function openapi(c: Context<AppEnv>, operations: readonly AnyOperation[]): Response {
  document ??= JSON.stringify(describe(operations))
  return c.body(document, 200, { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' })
}

const DESCRIPTION = `Backlog, feedback, segments, KPIs and personas of product teams.

Every request carries \`x-api-key: Bearer <API_KEY>\`. Every JSON answer is an envelope of \`success\`, \`message\` and
\`data\`; a failure adds \`error\` with a stable \`code\`. POST accepts an \`Idempotency-Key\` for 24 hours; lists are read
page by page through the \`Link\` header; a modify with \`If-Match\` changes only what you have seen.`

const ERRORS = {
  400: ['ValidationFailed', 'The input is wrong; every issue is listed.', 'validation_failed'],
  401: ['Unauthorized', 'No key, or one that is malformed, expired or revoked.', 'unauthorized'],
  403: ['Forbidden', "The key's scopes or products do not cover the operation.", 'insufficient_scope'],
  404: ['NotFound', 'Not there, deleted, or not yours.', 'product_not_found'],
  405: ['MethodNotAllowed', 'The path exists with other methods; `Allow` lists them.', 'method_not_allowed'],
  409: ['Conflict', 'The present state forbids it.', 'conflict'],
  412: ['PreconditionFailed', 'The record has changed since the version in `If-Match`.', 'precondition_failed'],
  413: ['PayloadTooLarge', 'The body is larger than the limit that the message names.', 'payload_too_large'],
  415: ['UnsupportedMediaType', 'The Content-Type is not what the operation takes.', 'unsupported_media_type'],
  416: ['RangeNotSatisfiable', 'The file has no such range.', 'range_not_satisfiable'],
  422: ['IdempotencyKeyReused', 'The Idempotency-Key was used with another body.', 'idempotency_key_reused'],
  429: ['RateLimited', 'Too many requests with this key.', 'rate_limited'],
  500: ['InternalError', 'A fault of the service.', 'internal_error'],
  503: ['Unavailable', 'The database is busy; repeat later.', 'temporarily_unavailable'],
} as const satisfies Record<number, readonly [name: string, description: string, code: string]>

type ErrorStatus = keyof typeof ERRORS

/** The OpenAPI 3.1 document of a table of operations. */
export function describe(operations: readonly AnyOperation[]): Json {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const op of operations) {
    paths[op.path] = { ...paths[op.path], [op.method]: describeOperation(op, schemas) }
  }
  paths['/health'] = { get: HEALTH }
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
      schemas: { ...schemas, Failure: FAILURE },
      responses: Object.fromEntries(
        Object.entries(ERRORS).map(([status, error]) => [error[0], describeError(Number(status) as ErrorStatus)]),
      ),
    },
  }
}

function describeOperation(op: AnyOperation, schemas: Json): Json {
  const statuses = errorStatuses(op)
  const closed = op.workspaceWide && 'Closed to API keys that are limited to products.'
  const description = [op.description, closed].filter(Boolean).join(' ')
  return {
    operationId: op.id,
    tags: [op.tag],
    summary: op.summary,
    ...(description && { description }),
    ...(op.scope && { 'x-required-scope': op.scope }),
    parameters: [
      ...parameters(op.params, 'path', schemas),
      ...parameters(op.query, 'query', schemas),
      ...headerParameters(op),
    ],
    ...requestBody(op, schemas),
    responses: {
      [op.status ?? 200]: success(op, schemas),
      ...(!op.data && { 206: partial(op) }),
      ...(isConditionalRead(op) && { 304: NOT_MODIFIED }),
      ...Object.fromEntries(
        statuses.map((status) => [status, { $ref: `#/components/responses/${ERRORS[status][0]}` }]),
      ),
    },
  }
}

function errorStatuses(op: AnyOperation): ErrorStatus[] {
  const writes = op.method !== 'get'
  const statuses: (ErrorStatus | false)[] = [
    400,
    401,
    403,
    (op.path.includes('{') || (op.errors?.length ?? 0) > 0) && 404,
    writes && 409,
    op.conditional === true && 412,
    Boolean(op.body || op.upload) && 413,
    Boolean(op.body || op.upload) && 415,
    !op.data && 416,
    op.method === 'post' && 422,
    429,
    500,
    503,
  ]
  return statuses.filter((status) => status !== false)
}

function isConditionalRead(op: AnyOperation): boolean {
  return op.method === 'get' && !(op.data instanceof z.ZodArray)
}

/** JSON Schema of a zod schema; schemas with an id go to the components. */
function schemaOf(schema: z.ZodType, schemas: Json, io: 'input' | 'output'): Json {
  const made = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // What is transformed inside is text outside.
      if (zodSchema._zod.def.type === 'transform') Object.assign(jsonSchema, { type: 'string' })
      if (io === 'output') return
      // Zod leaves out the examples and defaults of what transforms, taking them for what comes out; ours also go in.
      const { examples } = z.globalRegistry.get(zodSchema) ?? {}
      if (examples) Object.assign(jsonSchema, { examples })
      if (zodSchema instanceof z.ZodDefault) Object.assign(jsonSchema, { default: zodSchema.def.defaultValue })
    },
  }) as Json
  const { $schema: _, $defs, ...rest } = made
  for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>)) {
    const { $schema: __, id: ___, ...component } = definition
    schemas[name] = relocate(component)
  }
  const id = rest.id as string | undefined
  if (id === undefined) return relocate(rest)
  const { id: ____, ...component } = rest
  schemas[id] = relocate(component)
  return { $ref: `${COMPONENT}${id}` }
}

function relocate(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${COMPONENT}`))
}

function parameters(schema: z.ZodType | undefined, where: 'path' | 'query', schemas: Json): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, schemas, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property
    return {
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: rest,
    }
  })
}

function headerParameters(op: AnyOperation): Json[] {
  const text = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  })
  return [
    ...(op.method === 'post'
      ? [text('Idempotency-Key', 'Repeating the request with the same key within 24 hours gets the same answer, once.')]
      : []),
    ...(op.conditional
      ? [text('If-Match', 'The ETag of the version to change; 412 when it is no longer the present.')]
      : []),
    ...(isConditionalRead(op) ? [text('If-None-Match', 'An ETag; 304 when the record still has it.')] : []),
    ...(op.data
      ? []
      : [
          text('Range', 'One range of bytes, like `bytes=0-99`.'),
          text('If-Range', 'An ETag: the range is heeded only when the file still has it.'),
        ]),
  ]
}

function requestBody(op: AnyOperation, schemas: Json): Json {
  if (op.upload) {
    const { properties = {}, required = [] } = op.upload.fields
      ? (schemaOf(op.upload.fields, schemas, 'input') as { properties?: Json; required?: string[] })
      : {}
    const file = { type: 'string', contentMediaType: 'application/octet-stream', description: op.upload.description }
    return {
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              required: [op.upload.part, ...required],
              properties: { [op.upload.part]: file, ...properties },
            },
          },
        },
      },
    }
  }
  if (!op.body) return {}
  return {
    requestBody: {
      required: !op.body.safeParse(undefined).success,
      content: { 'application/json': { schema: schemaOf(op.body, schemas, 'input') } },
    },
  }
}

function success(op: AnyOperation, schemas: Json): Json {
  const headers = {
    ...onEveryAnswer(),
    ...(op.data instanceof z.ZodArray && op.query ? references('Link') : {}),
    ...(isConditionalRead(op) || op.conditional ? references('ETag') : {}),
    ...(op.method === 'post' ? references('Location', 'Idempotent-Replayed') : {}),
  }
  if (!op.data)
    return {
      description: 'The file.',
      headers: { ...headers, ...references('Accept-Ranges', 'Content-Disposition', 'Content-Security-Policy') },
      content: FILE_CONTENT,
    }
  return {
    description: 'Success.',
    headers,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['success', 'data'],
          properties: {
            success: { type: 'boolean', const: true },
            message: { type: 'string', description: 'A sentence for a person.' },
            data: sparse(op, schemaOf(op.data, schemas, 'output'), schemas),
          },
          additionalProperties: false,
        },
      },
    },
  }
}

/** Where `fields` may ask for fewer fields, an item has all of them or those. */
function sparse(op: AnyOperation, data: Json, schemas: Json): Json {
  const items = data.items as { $ref?: string } | undefined
  if (!items?.$ref || !(op.query instanceof z.ZodObject && 'fields' in op.query.shape)) return data
  const name = items.$ref.slice(COMPONENT.length)
  const { required: _, description: __, ...properties } = schemas[name] as Json
  schemas[`Sparse${name}`] = { ...properties, minProperties: 1, description: 'Only what `fields` names.' }
  return { ...data, items: { anyOf: [items, { $ref: `${COMPONENT}Sparse${name}` }] } }
}

const COMPONENT = '#/components/schemas/'

// A file is answered in its own media type.
const FILE_CONTENT = { '*/*': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } }

/** A part of a file, as `Range` asked for it. */
function partial(op: AnyOperation): Json {
  const { description: _, ...whole } = success(op, {})
  const headers = { ...(whole.headers as Json), ...references('Content-Range') }
  return { ...whole, description: 'The range of the file that was asked for.', headers }
}

type HeaderName = keyof typeof HEADERS

function references(...names: HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function onEveryAnswer(): Json {
  return references(
    'x-request-id',
    'x-d1-bookmark',
    'Server-Timing',
    'RateLimit-Policy',
    'Cache-Control',
    'X-Content-Type-Options',
  )
}

const header = (description: string, example: string, { always = true } = {}) => ({
  description,
  required: always,
  schema: { type: 'string' },
  example,
})

/** Where a header is documented it is always sent, but for those that say otherwise. */
const HEADERS = {
  'x-request-id': header(
    'Names this answer; the one you sent, when it was sane.',
    'b0f5ae0e-6d43-4c0a-8f4e-1f5b0d1b7a56',
  ),
  'x-d1-bookmark': header(
    'Send it back to read your own writes from any replica.',
    '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683',
    { always: false },
  ),
  'Server-Timing': header('Time spent in the database, and the round trips.', 'd1;dur=3;desc="1"'),
  'RateLimit-Policy': header('How many requests the key may make.', '"key";q=1000;w=60'),
  'Cache-Control': header('Answers are private to the key, and asked for again each time.', 'private, no-cache'),
  'X-Content-Type-Options': header('The Content-Type is what it says.', 'nosniff'),
  Link: header(
    'The next page, with `rel="next"`; the last page has none.',
    '<https://api.example.com/api/initiatives?cursor=abc>; rel="next"',
    { always: false },
  ),
  Location: header('The path of what was made, where it has one.', '/api/initiatives/GW-DEMO/epics/EP-1', {
    always: false,
  }),
  ETag: header('The version of the record.', '"v3"'),
  'Accept-Ranges': header('Ranges of the file can be asked for.', 'bytes'),
  'Content-Disposition': header(
    'The name of the file, and whether it may be shown.',
    'attachment; filename="plan.pdf"; filename*=UTF-8\'\'plan.pdf',
  ),
  'Content-Security-Policy': header('A file that is shown runs nothing.', "default-src 'none'; sandbox"),
  'Content-Range': header('Which bytes of the file these are, or how many it has.', 'bytes 0-99/1234'),
  'Idempotent-Replayed': header('`true` when this is the answer of an earlier request.', 'true', { always: false }),
  'WWW-Authenticate': header('What kind of key is asked for.', 'Bearer realm="groundwork", error="invalid_token"'),
  Allow: header('The methods of the path.', 'GET, HEAD'),
  'Retry-After': header('Seconds to wait.', '60'),
} as const

/** Headers of a failure beyond those of every answer. */
const ERROR_HEADERS: Partial<Record<ErrorStatus, HeaderName>> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  416: 'Content-Range',
  429: 'Retry-After',
  503: 'Retry-After',
}

const NOT_MODIFIED = {
  description: 'The record is still the one in `If-None-Match`.',
  headers: { ...onEveryAnswer(), ...references('ETag') },
}

const FAILURE = {
  type: 'object',
  required: ['success', 'message', 'data', 'error'],
  additionalProperties: false,
  properties: {
    success: { type: 'boolean', const: false },
    message: { type: 'string', description: 'A sentence for a person; it says what to do.' },
    data: { type: 'object', additionalProperties: false },
    error: {
      type: 'object',
      required: ['code', 'requestId', 'issues'],
      additionalProperties: false,
      properties: {
        code: { type: 'string', description: 'A stable word for a program.' },
        requestId: { type: 'string' },
        issues: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'code', 'message'],
            additionalProperties: false,
            properties: {
              path: { type: 'string', description: 'A JSON pointer into the body, or /query/…, /path/…, /header/….' },
              code: { type: 'string' },
              message: { type: 'string' },
            },
          },
        },
      },
    },
  },
}

function describeError(status: ErrorStatus): Json {
  const [, description, code] = ERRORS[status]
  const own = ERROR_HEADERS[status]
  return {
    description,
    headers: { ...onEveryAnswer(), ...(own && references(own)) },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Failure' },
        example: { success: false, message: description, data: {}, error: { code, requestId: 'b0f5ae0e', issues: [] } },
      },
    },
  }
}

const HEALTH = {
  operationId: 'health',
  tags: ['Service'],
  summary: 'Say whether the service runs and reaches its database',
  description: 'Answers without a key.',
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
                required: ['status'],
                properties: { status: { type: 'string', const: 'ok' } },
                additionalProperties: false,
              },
            },
            additionalProperties: false,
          },
        },
      },
    },
    405: { $ref: '#/components/responses/MethodNotAllowed' },
    503: { $ref: '#/components/responses/Unavailable' },
  },
}
