/** A part of an OpenAPI 3.1 document, as the comparison reads it. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue }
type JsonObject = { [name: string]: JsonValue }

export interface OpenApiDocument {
  paths: { [path: string]: JsonObject }
  components: { schemas: { [name: string]: JsonObject }; [kind: string]: { [name: string]: JsonObject } }
}

export interface BreakingChange {
  /** Method and path, as the changelog names the operation. */
  operation: string
  problem: string
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete']

/** Changes after which a correct client of the earlier document can fail. */
export function findBreakingChanges(before: OpenApiDocument, after: OpenApiDocument): BreakingChange[] {
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const earlier = methods[method] as JsonObject | undefined
      if (!earlier) return []
      const operation = `${method.toUpperCase()} ${path}`
      const later = after.paths[path]?.[method] as JsonObject | undefined
      if (!later) return [{ operation, problem: 'the operation is gone' }]
      return compareOperations({ document: before, operation: earlier }, { document: after, operation: later }).map(
        (problem) => ({ operation, problem }),
      )
    }),
  )
}

interface Side {
  document: OpenApiDocument
  operation: JsonObject
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : [])

function resolve(document: OpenApiDocument, value: JsonValue | undefined): JsonObject {
  if (!isObject(value)) return {}
  if (typeof value.$ref !== 'string') return value
  const [, , kind = '', name = ''] = value.$ref.split('/')
  const { $ref: _, ...beside } = value
  return { ...resolve(document, document.components[kind]?.[name]), ...beside }
}

function compareOperations(before: Side, after: Side): string[] {
  return [...compareParameters(before, after), ...compareBodies(before, after), ...compareAnswers(before, after)]
}

function parametersOf({ document, operation }: Side): Map<string, JsonObject> {
  const parameters = listOf(operation.parameters).map((parameter) => resolve(document, parameter))
  return new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]))
}

function compareParameters(before: Side, after: Side): string[] {
  const earlier = parametersOf(before)
  const problems = [...parametersOf(after)].flatMap(([name, parameter]) => {
    const known = earlier.get(name)
    if (parameter.required === true && known?.required !== true) return [`the parameter ${name} is required now`]
    return known
      ? compareInputs(before, after, [valueSchemaOf(known), valueSchemaOf(parameter)], `parameter ${name}`)
      : []
  })
  const gone = [...earlier.keys()].filter((name) => !parametersOf(after).has(name))
  return [...problems, ...gone.map((name) => `the parameter ${name} is gone`)]
}

/** A list of values separated by commas is one text of the query, like a single value. */
function valueSchemaOf({ schema, in: where }: JsonObject): JsonValue | undefined {
  return where === 'query' && isObject(schema) && schema.type === 'array' ? schema.items : schema
}

const contentOf = ({ document }: Side, part: JsonValue | undefined): JsonObject => {
  const { content } = resolve(document, part)
  return isObject(content) ? content : {}
}

function compareBodies(before: Side, after: Side): string[] {
  const [earlier, later] = [
    contentOf(before, before.operation.requestBody),
    contentOf(after, after.operation.requestBody),
  ]
  const types = Object.keys(earlier)
  if (!types.length) {
    const isRequired = resolve(after.document, after.operation.requestBody).required === true
    return isRequired && Object.keys(later).length ? ['a body is required now'] : []
  }
  return types.flatMap((type) => {
    const [one, other] = [earlier[type], later[type]]
    if (!isObject(one) || !isObject(other)) return [`a body of ${type} is not accepted any more`]
    return compareInputs(before, after, [one.schema, other.schema], 'body')
  })
}

function compareAnswers(before: Side, after: Side): string[] {
  const answers = before.operation.responses
  if (!isObject(answers)) return []
  const later = isObject(after.operation.responses) ? after.operation.responses : {}
  return Object.keys(answers)
    .filter((status) => status.startsWith('2'))
    .flatMap((status) => {
      if (!(status in later)) return [`the answer ${status} is gone`]
      return Object.entries(contentOf(before, answers[status])).flatMap(([type, earlier]) => {
        const now = contentOf(after, later[status])[type]
        if (!isObject(earlier) || !isObject(now)) return [`the answer ${status} is no ${type} any more`]
        return compareOutputs(before, after, [earlier.schema, now.schema], `answer ${status}`)
      })
    })
}

type SchemaPair = [before: JsonValue | undefined, after: JsonValue | undefined]

const MAX_DEPTH = 12

const typesOf = (schema: JsonObject): string[] => {
  if (schema.type !== undefined)
    return listOf(schema.type).length ? listOf(schema.type).map(String) : [String(schema.type)]
  const options = [...listOf(schema.anyOf), ...listOf(schema.oneOf)].filter(isObject)
  return options.flatMap(typesOf)
}

/** Input may only become wider: fewer required members, more values, more types. */
function compareInputs(before: Side, after: Side, pair: SchemaPair, at: string, depth = 0): string[] {
  const [one, other] = [resolve(before.document, pair[0]), resolve(after.document, pair[1])]
  if (depth > MAX_DEPTH) return []
  const problems = [
    ...listOf(other.required)
      .filter((name) => !listOf(one.required).includes(name))
      .map((name) => `${at}: ${name} is required now`),
    ...missingValues(one, other).map((value) => `${at}: the value ${value} is not accepted any more`),
    ...missingTypes(one, other).map((type) => `${at}: a ${type} is not accepted any more`),
    ...closedMembers(one, other).map((name) => `${at}: the member ${name} is not accepted any more`),
  ]
  return [...problems, ...compareMembers(before, after, [one, other], at, depth, compareInputs)]
}

/** Output may only become narrower: members stay, and required members stay required. */
function compareOutputs(before: Side, after: Side, pair: SchemaPair, at: string, depth = 0): string[] {
  const [one, other] = [resolve(before.document, pair[0]), resolve(after.document, pair[1])]
  if (depth > MAX_DEPTH) return []
  const options = listOf(other.oneOf)
  if (isObject(one.properties) && options.length) {
    const problems = options.flatMap((option) => compareOutputs(before, after, [one, option], at, depth + 1))
    return [...new Set(problems)]
  }
  const members = isObject(other.properties) ? other.properties : {}
  const earlier = isObject(one.properties) ? Object.keys(one.properties) : []
  const problems = [
    ...earlier.filter((name) => !(name in members)).map((name) => `${at}: the member ${name} is gone`),
    ...listOf(one.required)
      .filter((name) => String(name) in members && !listOf(other.required).includes(name))
      .map((name) => `${at}: the member ${name} can be missing now`),
    ...missingTypes(other, one).map((type) => `${at}: can be a ${type} now`),
  ]
  return [...problems, ...compareMembers(before, after, [one, other], at, depth, compareOutputs)]
}

const missingValues = (before: JsonObject, after: JsonObject): JsonValue[] => {
  if (after.enum === undefined) return []
  // A closed set in place of any value is narrower too.
  if (before.enum === undefined) return typesOf(before).includes('string') ? ['of another kind'] : []
  return listOf(before.enum).filter((value) => !listOf(after.enum).includes(value))
}

const missingTypes = (before: JsonObject, after: JsonObject): string[] => {
  const [earlier, later] = [typesOf(before), typesOf(after)]
  if (!earlier.length || !later.length) return []
  const accepted = later.includes('number') ? [...later, 'integer'] : later
  return earlier.filter((type) => !accepted.includes(type))
}

const closedMembers = (before: JsonObject, after: JsonObject): string[] => {
  if (!isObject(before.properties) || after.additionalProperties !== false) return []
  const members = isObject(after.properties) ? after.properties : {}
  return Object.keys(before.properties).filter((name) => !(name in members))
}

function compareMembers(
  before: Side,
  after: Side,
  [one, other]: [JsonObject, JsonObject],
  at: string,
  depth: number,
  compare: typeof compareInputs,
): string[] {
  const [earlier, later] = [one.properties, other.properties]
  const members =
    isObject(earlier) && isObject(later)
      ? Object.keys(earlier)
          .filter((name) => name in later)
          .flatMap((name) => compare(before, after, [earlier[name], later[name]], `${at}/${name}`, depth + 1))
      : []
  const items =
    one.items !== undefined && other.items !== undefined
      ? compare(before, after, [one.items, other.items], `${at}/items`, depth + 1)
      : []
  return [...members, ...items]
}

const CHANGE_ENTRY_PATTERN = /^- \*\*Breaking:\*\*[\s\S]*?(?=^- |^#|(?![\s\S]))/gm

/** Breaking changes without an entry in the first release of the changelog that names the operation. */
export function listUnnamedChanges(changes: readonly BreakingChange[], changelog: string): BreakingChange[] {
  const [, unreleased = ''] = changelog.split(/^## /m)
  const entries = unreleased.match(CHANGE_ENTRY_PATTERN) ?? []
  return changes.filter(({ operation }) => !entries.some((entry) => entry.replace(/\s+/g, ' ').includes(operation)))
}
