// The parts of openapi.json that the clients come from.
import { type JsonSchema, typeNameOf } from './schema-types.ts'

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: JsonSchema
}

export type Content = Record<string, { schema: JsonSchema }>

export interface Operation {
  operationId: string
  summary: string
  tags: string[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content; $ref?: string }>
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonSchema>
    parameters: Record<string, Parameter>
    responses: Record<string, { content: Content }>
  }
}

export interface Described {
  method: string
  path: string
  op: Operation
}

/** PATCH is an alias of PUT. */
export const listOperations = ({ paths }: Document): Described[] =>
  Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'patch')
      .map(([method, op]) => ({ method, path: at, op })),
  )

const MULTIPART = 'multipart/form-data'
export const JSON_TYPE = 'application/json'

export const uploadOf = ({ requestBody }: Operation) => requestBody?.content[MULTIPART]?.schema
export const uploadPartOf = (upload: JsonSchema) => upload.required?.[0] ?? ''

/** Parameters of path and query. */
export const parametersOf = ({ components }: Document, op: Operation): Parameter[] =>
  (op.parameters ?? [])
    .map((one) => ('$ref' in one ? (components.parameters[typeNameOf(one.$ref)] as Parameter) : one))
    .filter((one) => one.in !== 'header')
