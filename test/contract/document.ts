import { dereference, type Schema, validate } from '@cfworker/json-schema'
import { expect } from 'vitest'
import { buildOpenApiDocument } from '../../src/openapi/document'
import { describeAnyFailure } from '../../src/openapi/failures'
import { operations } from '../../src/operations'
import type { ApiResponse } from '../client'
import { readDocument } from '../outside/document'

interface DocumentedOperation {
  description?: string
  parameters: { name: string; schema: Schema; 'x-rate-limit-units'?: number }[]
  'x-rate-limit-units'?: number
  'x-error-codes'?: string[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { description?: string; content?: Record<string, { schema: Schema }> }>
}

interface DocumentedDelivery {
  requestBody: { content: { 'application/json': { schema: Schema; example: unknown } } }
}

interface OpenApiDocument {
  webhooks: Record<string, { post: DocumentedDelivery }>
  paths: Record<string, Record<string, DocumentedOperation>>
  components: {
    responses: Record<string, unknown>
    parameters: Record<string, unknown>
    schemas: Record<string, Schema>
  }
}

export const document = readDocument<OpenApiDocument>(buildOpenApiDocument(operations))

export function deliverySchemaOf(type: string): Schema {
  const { schema } = document.webhooks[type]?.post.requestBody.content['application/json'] ?? {}
  if (!schema) throw new Error(`The document has no webhook ${type}`)
  return schema
}

// All schemas share one table of references, because the document is long.
const references = dereference({ components: document.components } as Schema)
const resolved = new Set<Schema>()

function resolveReferences(schema: Schema): void {
  if (resolved.has(schema)) return
  dereference(schema, references, undefined, `/resolved/${resolved.size}`)
  resolved.add(schema)
}

export function expectConforms(schema: Schema, value: unknown) {
  resolveReferences(schema)
  const { valid, errors } = validate(value, schema, '2020-12', references, false)
  expect({ valid, errors: errors.map((error) => `${error.instanceLocation}: ${error.error}`) }).toEqual({
    valid: true,
    errors: [],
  })
}

const anyFailure = describeAnyFailure(operations) as Schema

export function expectFailure(answer: ApiResponse, status: number, code: string) {
  const { success, error } = answer.body
  expect({ status: answer.status, success, code: error?.code }).toEqual({ status, success: false, code })
  expect(answer.body.message).toMatch(/^[A-Z/].{10,}/)
  expectConforms(anyFailure, answer.body)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('x-request-id')).toBe(answer.body.error?.requestId)
  expect(answer.headers.get('server-timing')).toMatch(/^d1;dur=\d+;desc="\d+"$/)
}
