import type { JsonObject } from './schemas'

/** Parts of the document that several operations share, by name. */
export interface Components {
  schemas: Record<string, JsonObject>
  responses: Record<string, JsonObject>
}

export const createComponents = (): Components => ({ schemas: {}, responses: {} })

export const SCHEMA_PREFIX = '#/components/schemas/'

/** Adds a schema, and returns a reference. A name means one schema. */
export function addSchema({ schemas }: Components, name: string, schema: JsonObject): JsonObject {
  const known = schemas[name]
  if (known && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`Two schemas of the OpenAPI document have the name ${name}. Give one of them another meta id.`)
  schemas[name] = schema
  return { $ref: `${SCHEMA_PREFIX}${name}` }
}

/** `epic.created` and `epic_created` → `EpicCreated`. */
export const toPascalCase = (name: string): string =>
  name.replace(/(?:^|[._-])(\w)/g, (_, letter: string) => letter.toUpperCase())

/**
 * Moves parameters with the same description in several operations to the components. The most frequent parameter of a
 * name gets the name; others stay in their operations.
 */
export function shareParameters(operations: readonly JsonObject[]): Record<string, JsonObject> {
  const counts = new Map<string, number>()
  const parametersOf = (operation: JsonObject) => (operation.parameters ?? []) as JsonObject[]
  for (const parameter of operations.flatMap(parametersOf)) {
    const text = JSON.stringify(parameter)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const shared: Record<string, JsonObject> = {}
  const nameByText = new Map<string, string>()
  for (const [text, count] of [...counts].toSorted(([, one], [, other]) => other - one)) {
    const parameter = JSON.parse(text) as JsonObject
    const name = toPascalCase(String(parameter.name).replace(/[^\w.-]+/g, ''))
    if (count === 1 || name in shared) continue
    shared[name] = parameter
    nameByText.set(text, name)
  }
  for (const operation of operations) {
    operation.parameters = parametersOf(operation).map((parameter) => {
      const name = nameByText.get(JSON.stringify(parameter))
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` }
    })
  }
  return shared
}
