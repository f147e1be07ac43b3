// Turns JSON schemas of the OpenAPI document into TypeScript types.

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  description?: string
}

export const typeNameOf = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1).replace(/\W+/g, '')

const TYPES: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

const joinUnion = (types: readonly string[]) => [...new Set(types)].join(' | ')

/** `depth` is the indentation of the members of an object. */
export function writeType(schema: JsonSchema, depth = 1): string {
  const { $ref, type, enum: values, anyOf, oneOf, items } = schema
  if ($ref) return typeNameOf($ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (values) return joinUnion(values.map((value) => JSON.stringify(value)))
  const options = anyOf ?? oneOf
  if (options) return joinUnion(options.map((option) => writeType(option, depth)))
  if (Array.isArray(type)) return joinUnion(type.map((one) => writeType({ ...schema, type: one }, depth)))
  if (type === 'array') return `Array<${writeType(items ?? {}, depth)}>`
  if (type === 'object') return writeObject(schema, depth)
  return TYPES[type ?? ''] ?? 'unknown'
}

function writeObject({ properties, required = [], additionalProperties }: JsonSchema, depth: number): string {
  const members = Object.entries(properties ?? {})
  if (!members.length) {
    if (additionalProperties === false) return 'Record<string, never>'
    const value = typeof additionalProperties === 'object' ? writeType(additionalProperties, depth) : 'unknown'
    return `Record<string, ${value}>`
  }
  const indent = '  '.repeat(depth)
  const lines = members.map(([name, member]) => {
    const isOptional = !required.includes(name)
    const value = writeType(member, depth + 1)
    return `${writeComment(member.description, indent)}${indent}${writeName(name)}${isOptional ? '?' : ''}: ${value}${isOptional ? ' | undefined' : ''}`
  })
  return `{\n${lines.join('\n')}\n${'  '.repeat(depth - 1)}}`
}

export const writeName = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

export const writeComment = (text: string | undefined, indent: string) =>
  text ? `${indent}/** ${text.replaceAll('*/', '*\\/').replace(/\s+/g, ' ')} */\n` : ''
