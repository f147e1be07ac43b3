import type * as z from 'zod'
import type { AnyOperation } from '../http/operation'
import { SCHEMA_PREFIX } from '../openapi/components'
import { type JsonObject, toJsonSchema } from '../openapi/schemas'

interface ObjectSchema {
  properties: Record<string, JsonObject>
  required: readonly string[]
}

/** The input of an operation as one flat object: names of the path, of the query and of the body. */
export interface OperationInput {
  pathNames: ReadonlySet<string>
  queryNames: ReadonlySet<string>
  /** `member`: the whole body is the member `body`, because the body is no object or shares a name. */
  body: 'none' | 'flat' | 'member'
  schema: JsonObject
}

const EMPTY: ObjectSchema = { properties: {}, required: [] }

function readObjectSchema(schema: z.ZodType | undefined, schemas: Record<string, JsonObject>): ObjectSchema {
  if (!schema) return EMPTY
  const { properties = {}, required = [] } = resolve(
    toJsonSchema(schema, schemas, 'input'),
    schemas,
  ) as Partial<ObjectSchema>
  return { properties, required }
}

function resolve(schema: JsonObject, schemas: Record<string, JsonObject>): JsonObject {
  const name = String(schema.$ref ?? '').slice(SCHEMA_PREFIX.length)
  return schemas[name] ?? schema
}

const inputByOperation = new WeakMap<AnyOperation, OperationInput>()

export function describeInput(op: AnyOperation): OperationInput {
  const known = inputByOperation.get(op) ?? buildInput(op)
  inputByOperation.set(op, known)
  return known
}

function buildInput(op: AnyOperation): OperationInput {
  const schemas: Record<string, JsonObject> = {}
  const path = readObjectSchema(op.params, schemas)
  const query = readObjectSchema(op.query, schemas)
  const bodySchema = op.upload?.json ?? op.body
  const sent = bodySchema && toJsonSchema(bodySchema, schemas, 'input')
  const body = sent && resolve(sent, schemas)
  const names = new Set([...Object.keys(path.properties), ...Object.keys(query.properties)])
  const isFlat =
    body !== undefined && isPlainObject(body) && !Object.keys(Object(body.properties)).some((name) => names.has(name))
  const flat = isFlat ? (body as unknown as ObjectSchema) : EMPTY
  const isBodyRequired = sent !== undefined && !isFlat && !bodySchema?.safeParse(undefined).success
  const schema: JsonObject = {
    type: 'object',
    properties: {
      ...path.properties,
      ...query.properties,
      ...flat.properties,
      ...(sent && !isFlat && { body: sent }),
    },
    required: [...path.required, ...query.required, ...(flat.required ?? []), ...(isBodyRequired ? ['body'] : [])],
    ...(Object.keys(schemas).length > 0 && { $defs: schemas }),
  }
  return {
    pathNames: new Set(Object.keys(path.properties)),
    queryNames: new Set(Object.keys(query.properties)),
    body: !sent ? 'none' : isFlat ? 'flat' : 'member',
    schema: withOwnDefinitions(schema),
  }
}

const isPlainObject = ({ type, properties, additionalProperties }: JsonObject) =>
  type === 'object' &&
  properties !== undefined &&
  (additionalProperties === undefined || additionalProperties === false)

const REFERENCE_PATTERN = /"#\/components\/schemas\/(\w+)"/g

/**
 * Rewrites references into the document as references into the schema, and drops definitions without references. A bulk
 * operation names the schema of another operation, which its own schema lacks.
 */
function withOwnDefinitions({ $defs, ...rest }: JsonObject): JsonObject {
  const definitions = ($defs ?? {}) as Record<string, JsonObject>
  const kept: Record<string, JsonObject> = {}
  const visit = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(REFERENCE_PATTERN)) {
      if (kept[name]) continue
      kept[name] = definitions[name] ?? { description: `The schema ${name} of /openapi.json.` }
      visit(kept[name])
    }
  }
  visit(rest)
  const schema = Object.keys(kept).length ? { ...rest, $defs: kept } : rest
  return JSON.parse(JSON.stringify(schema).replaceAll(SCHEMA_PREFIX, '#/$defs/')) as JsonObject
}
