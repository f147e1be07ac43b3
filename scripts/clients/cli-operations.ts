// What the command line knows of each operation, from openapi.json.
import {
  type Described,
  type Document,
  JSON_TYPE,
  listOperations,
  parametersOf,
  uploadOf,
  uploadPartOf,
} from './document.ts'
import { type JsonSchema, typeNameOf } from './schema-types.ts'

interface Flag {
  name: string
  type: string
  required?: true
  values?: unknown[]
  about?: string
}

/** The first sentence, at most a line of help. */
const shorten = (text: string | undefined) => text?.match(/^[^.]{1,100}/)?.[0].replaceAll('`', '')

function resolve({ components }: Document, schema: JsonSchema = {}): JsonSchema {
  return schema.$ref ? (components.schemas[typeNameOf(schema.$ref)] ?? {}) : schema
}

function describeFlag(document: Document, name: string, given: JsonSchema, required = false): Flag {
  const schema = resolve(document, given)
  const option = resolve(document, schema.anyOf?.find(({ type }) => type !== 'null') ?? schema)
  const type = Array.isArray(option.type) ? option.type[0] : option.type
  const about = shorten(given.description ?? schema.description)
  return {
    name,
    type: type ?? 'string',
    ...(required && { required }),
    ...(option.enum && { values: option.enum }),
    ...(about && { about }),
  }
}

function describeOperation(document: Document, { method, op }: Described) {
  const parameters = parametersOf(document, op).map(({ name, in: where, required, description, schema }) => ({
    in: where,
    ...describeFlag(document, name, { ...schema, ...(description !== undefined && { description }) }, required),
  }))
  const upload = uploadOf(op)
  const body = resolve(document, op.requestBody?.content[JSON_TYPE]?.schema)
  const members = Object.entries(body.properties ?? {}).map(([name, member]) =>
    describeFlag(document, name, member, body.required?.includes(name)),
  )
  return {
    summary: op.summary,
    tag: op.tags[0],
    method,
    parameters,
    ...(op.requestBody?.content[JSON_TYPE] && { body: members, isList: body.type === 'array' }),
    ...(upload && { part: uploadPartOf(upload) }),
  }
}

export const makeCliOperations = (document: Document) =>
  Object.fromEntries(listOperations(document).map((one) => [one.op.operationId, describeOperation(document, one)]))
