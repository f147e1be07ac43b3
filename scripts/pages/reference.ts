// The parts of openapi.json that the pages show.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  type Document as ClientDocument,
  type Described,
  JSON_TYPE,
  listOperations,
  type Parameter,
} from '../clients/document.ts'
import { type JsonSchema, typeNameOf } from '../clients/schema-types.ts'
import { root } from '../wrangler.ts'

export interface Schema extends JsonSchema {
  examples?: unknown[]
  example?: unknown
  default?: unknown
  format?: string
  pattern?: string
  contentMediaType?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: boolean | Schema
}

interface MediaType {
  schema: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

interface ReferenceResponse {
  description: string
  headers?: Record<string, { $ref: string }>
  content?: Record<string, MediaType>
}

export interface Failure {
  status: string
  codes: string[]
}

export interface Operation {
  id: string
  tag: string
  summary: string
  description: string
  method: string
  path: string
  /** Page of the operation. */
  href: string
  scope: string | undefined
  units: number
  needsKey: boolean
  parameters: (Parameter & { schema: Schema; 'x-rate-limit-units'?: number })[]
  headers: Parameter[]
  body: { schema: Schema; isRequired: boolean } | undefined
  upload: Schema | undefined
  success: { status: string; response: ReferenceResponse }
  failures: Failure[]
  /** Types of the events that a call emits. */
  events: string[]
}

export interface Event {
  type: string
  tag: string
  description: string
  example: unknown
  schema: Schema
}

export interface Resource {
  tag: string
  description: string
  href: string
  operations: Operation[]
  events: Event[]
}

interface Document {
  tags: { name: string; description: string }[]
  info: { description: string }
  webhooks: Record<
    string,
    { post: { tags: string[]; description: string; requestBody: { content: Record<string, MediaType> } } }
  >
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    responses: Record<string, ReferenceResponse>
  }
}

export interface Reference {
  resources: Resource[]
  operations: Operation[]
  schemas: Record<string, Schema>
  /** Bodies of failures by code. */
  failureExamples: Map<string, unknown>
}

export const slugOf = (text: string) => text.toLowerCase().replaceAll(' ', '-')

export const resolveSchema = (schemas: Record<string, Schema>, schema: Schema): Schema =>
  schema.$ref
    ? { ...schemas[typeNameOf(schema.$ref)], ...(schema.description && { description: schema.description }) }
    : schema

function readOperation(
  document: Document,
  { method, path: at, op }: Described,
  events: Record<string, string[]>,
): Operation {
  const { parameters, responses } = document.components
  const described = op as typeof op & {
    description?: string
    security?: unknown[]
    'x-required-scope'?: string
    'x-rate-limit-units'?: number
  }
  const all = (op.parameters ?? []).map((one) =>
    '$ref' in one ? (parameters[typeNameOf(one.$ref)] as Parameter) : one,
  )
  const resolved = Object.entries(op.responses).map(([status, response]) => {
    const found = response.$ref ? responses[typeNameOf(response.$ref)] : response
    return { status, response: found as ReferenceResponse }
  })
  const success = resolved.find(({ status }) => status.startsWith('2'))
  if (!success) throw new Error(`${op.operationId} has no success.`)
  const tag = op.tags[0] ?? ''
  const json = op.requestBody?.content[JSON_TYPE]
  return {
    id: op.operationId,
    tag,
    summary: op.summary,
    description: described.description ?? '',
    method: method.toUpperCase(),
    path: at,
    href: `/docs/reference/${slugOf(tag)}/${op.operationId}`,
    scope: described['x-required-scope'],
    units: described['x-rate-limit-units'] ?? 1,
    needsKey: described.security === undefined,
    parameters: all.filter((one) => one.in !== 'header'),
    headers: all.filter((one) => one.in === 'header'),
    body: json && { schema: json.schema, isRequired: Boolean(op.requestBody?.required) },
    upload: op.requestBody?.content['multipart/form-data']?.schema,
    success,
    failures: resolved.flatMap(({ status, response }) => {
      const codes = Object.keys(response.content?.[JSON_TYPE]?.examples ?? {})
      return status >= '400' ? [{ status, codes }] : []
    }),
    events: events[op.operationId] ?? [],
  }
}

const readJson = (...names: string[]) => JSON.parse(readFileSync(path.join(root, ...names), 'utf8'))

export function readReference(): Reference {
  const document = readJson('openapi.json') as Document
  const events = readJson('test', 'contract', 'emitted-events.snapshot.json') as Record<string, string[]>
  const operations = listOperations(document as unknown as ClientDocument).map((one) =>
    readOperation(document, one, events),
  )
  const webhooks = Object.entries(document.webhooks).map(([type, { post }]): Event => {
    const { schema, example } = post.requestBody.content[JSON_TYPE] as MediaType
    return { type, tag: post.tags[0] ?? '', description: post.description, example, schema }
  })
  const examples = Object.values(document.components.responses).flatMap(({ content }) =>
    Object.entries(content?.[JSON_TYPE]?.examples ?? {}).map(([code, { value }]) => [code, value] as const),
  )
  return {
    operations,
    schemas: document.components.schemas,
    failureExamples: new Map(examples),
    resources: document.tags.map(({ name, description }) => ({
      tag: name,
      description,
      href: `/docs/reference/${slugOf(name)}`,
      operations: operations.filter(({ tag }) => tag === name),
      events: webhooks.filter(({ tag }) => tag === name),
    })),
  }
}
