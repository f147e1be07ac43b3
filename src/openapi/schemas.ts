import * as z from 'zod'
import { SCHEMA_PREFIX } from './components'

export type JsonObject = Record<string, unknown>

/** A schema with an id moves to the components. */
export function toJsonSchema(
  schema: z.ZodType,
  schemas: Record<string, JsonObject>,
  io: 'input' | 'output',
): JsonObject {
  const converted = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // A transformed value is a text in requests and responses.
      if (zodSchema._zod.def.type === 'transform') Object.assign(jsonSchema, { type: 'string' })
      // Responses show no negative number unless their schema says so.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER && io === 'output') jsonSchema.minimum = 0
      if (io === 'output') return
      // Zod omits the examples and the default of a transformed input, because zod takes both for output values.
      const { examples } = z.globalRegistry.get(zodSchema) ?? {}
      if (examples) Object.assign(jsonSchema, { examples })
      if (zodSchema instanceof z.ZodDefault) Object.assign(jsonSchema, { default: zodSchema.def.defaultValue })
    },
  }) as JsonObject
  const { $schema: _, $defs, ...rest } = converted
  for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, JsonObject>)) {
    const { $schema: __, id: ___, ...component } = definition
    schemas[name] = rewriteReferences(component)
  }
  const id = rest.id as string | undefined
  if (id === undefined) return rewriteReferences(rest)
  const { id: ____, ...component } = rest
  schemas[id] = rewriteReferences(component)
  return { $ref: `${SCHEMA_PREFIX}${id}` }
}

function rewriteReferences(schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${SCHEMA_PREFIX}`))
}
