// Fields of a schema, as a list of definitions with nested members.
import { typeNameOf } from '../clients/schema-types.ts'
import { escapeHtml, renderText } from './html.ts'
import { resolveSchema, type Schema } from './reference.ts'

const MAX_SAFE = Number.MAX_SAFE_INTEGER
const MAX_DEPTH = 5
/** A larger union, such as the union of all events, shows the members of its options once. */
const MAX_OPTIONS = 12

interface Context {
  schemas: Record<string, Schema>
  /** Names of the schemas around a field, because records contain records of their own type. */
  around: readonly string[]
  /** Fields of an answer are always there, so only the optional fields are marked. */
  isAnswer: boolean
}

const optionsOf = ({ anyOf, oneOf }: Schema) => (anyOf ?? oneOf ?? []).filter(({ type }) => type !== 'null')

const isNullable = ({ anyOf, oneOf, type }: Schema) =>
  (anyOf ?? oneOf ?? []).some((option) => option.type === 'null') || (Array.isArray(type) && type.includes('null'))

function nameType(schema: Schema, schemas: Record<string, Schema>): string {
  const resolved = resolveSchema(schemas, schema)
  const options = optionsOf(resolved)
  if (options.length) return [...new Set(options.map((option) => nameType(option, schemas)))].join(' or ')
  if (resolved.contentMediaType) return 'file'
  const types = [resolved.type ?? []].flat().filter((type) => type !== 'null')
  if (types.includes('array')) return `list of ${nameEntries(resolved.items, schemas)}`
  if (resolved.enum || resolved.const !== undefined) return 'one of'
  if (resolved.format === 'date-time' || resolved.pattern?.includes('T(?:')) return 'timestamp'
  if (resolved.format === 'date') return 'date'
  return types.join(' or ') || 'any value'
}

function nameEntries(items: Schema | undefined, schemas: Record<string, Schema>): string {
  const name = items ? nameType(items, schemas) : ''
  return /^\w+$/.test(name) ? `${name}s` : 'values'
}

const count = (value: number) => value.toLocaleString('en-US')

const limitLength = (least: number | undefined, most: number | undefined, unit: string) => {
  if (most === undefined) return least && least > 1 ? [`at least ${count(least)} ${unit}`] : []
  return [`${least ? `${count(least)}–` : 'at most '}${count(most)} ${unit}`]
}

/** Times and keys say enough by their type. */
function listLimits(schema: Schema): string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, exclusiveMinimum, maximum, format, pattern } = schema
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)
  const most = maximum !== undefined && maximum < MAX_SAFE ? maximum : undefined
  return [
    ...(format || pattern ? [] : limitLength(minLength, maxLength, 'characters')),
    ...limitLength(minItems, maxItems, 'entries'),
    ...(least !== undefined && most !== undefined ? [`${count(least)}${least < 0 ? ' to ' : '–'}${count(most)}`] : []),
    ...(least !== undefined && least > 1 && most === undefined ? [`at least ${count(least)}`] : []),
    ...(least === undefined && most !== undefined ? [`at most ${count(most)}`] : []),
  ]
}

const renderValues = (values: readonly unknown[]) =>
  values.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(', ')

/** Facts of a field: values, limits and the default. */
function renderFacts(schema: Schema, schemas: Record<string, Schema>): string[] {
  const resolved = resolveSchema(schemas, schema)
  const inner = resolved.items ? resolveSchema(schemas, resolved.items) : undefined
  const options = optionsOf(resolved).map((option) => resolveSchema(schemas, option))
  const limits = [resolved, ...options].flatMap(listLimits)
  const values = [resolved, ...options, ...(inner ? [inner] : [])].flatMap(
    ({ enum: list, const: only }) => list ?? (only === undefined ? [] : [only]),
  )
  return [
    ...(values.length ? [`Values: ${renderValues([...new Set(values)])}.`] : []),
    ...(limits.length ? [`${[...new Set(limits)].join(', ').replace(/^a/, 'A')}.`] : []),
    ...(resolved.default === undefined ? [] : [`Default: ${renderValues([JSON.stringify(resolved.default)])}.`]),
  ]
}

/** Members of the first option; a member that differs in another option depends on the option. */
function shareMembers(options: readonly Schema[], schemas: Record<string, Schema>): Schema {
  const [first = {}, ...others] = options.map((option) => resolveSchema(schemas, option))
  const members = Object.entries(first.properties ?? {}).map(([name, member]): [string, Schema] => {
    const isShared = others.every(({ properties }) => JSON.stringify(properties?.[name]) === JSON.stringify(member))
    return [
      name,
      isShared ? member : { description: 'Depends on the type of the record. See the page of its resource.' },
    ]
  })
  return { properties: Object.fromEntries(members), ...(first.required && { required: first.required }) }
}

/** Members below a field: of an object, of the entries of a list, or of each option. */
function renderMembers(schema: Schema, context: Context): string {
  const { schemas, around } = context
  const name = schema.$ref && typeNameOf(schema.$ref)
  if (name && around.includes(name)) return ''
  const inside = { ...context, around: name ? [...around, name] : around }
  if (inside.around.length > MAX_DEPTH) return ''
  const resolved = resolveSchema(schemas, schema)
  if (resolved.items) return renderMembers(resolved.items, inside)
  const options = optionsOf(resolved)
  if (options.length > MAX_OPTIONS) return renderFieldList(shareMembers(options, schemas), inside)
  if (options.length) return options.map((option) => renderMembers(option, inside)).join('')
  return resolved.properties ? renderFieldList(resolved, inside) : ''
}

/** The description of a schema, or of its first option. */
function describe(schema: Schema, schemas: Record<string, Schema>): string | undefined {
  const resolved = resolveSchema(schemas, schema)
  const [option] = optionsOf(resolved)
  return resolved.description ?? (option && describe(option, schemas))
}

interface Field {
  name: string
  schema: Schema
  isRequired: boolean
  description?: string | undefined
  facts?: readonly string[]
}

function renderField({ name, schema, isRequired, description, facts = [] }: Field, context: Context): string {
  const marks = [
    nameType(schema, context.schemas),
    ...(isNullable(resolveSchema(context.schemas, schema)) ? ['or null'] : []),
    ...(isRequired && !context.isAnswer ? ['<strong>required</strong>'] : []),
    ...(!isRequired && context.isAnswer ? ['not always present'] : []),
  ]
  const text = description ?? describe(schema, context.schemas)
  const sentences = [...(text ? [renderText(text)] : []), ...renderFacts(schema, context.schemas), ...facts]
  const members = renderMembers(schema, context)
  const nested =
    members && `<details><summary>Members of <code>${escapeHtml(name)}</code></summary>${members}</details>`
  return `<div><dt><code>${escapeHtml(name)}</code> <span>${marks.join(' ')}</span></dt><dd>${sentences.join(' ')}${nested}</dd></div>\n`
}

function renderFieldList(schema: Schema, context: Context): string {
  const { properties = {}, required = [] } = schema
  const rows = Object.entries(properties).map(([name, member]) =>
    renderField({ name, schema: member, isRequired: required.includes(name) }, context),
  )
  return rows.length ? `<dl class="fields">\n${rows.join('')}</dl>\n` : ''
}

interface FieldOptions {
  schemas: Record<string, Schema>
  isAnswer?: boolean
}

/** Fields of a body or of the data of an answer. A list shows the fields of its entries. */
export function renderFields(schema: Schema, { schemas, isAnswer = false }: FieldOptions): string {
  return renderMembers(schema, { schemas, around: [], isAnswer })
}

export function renderParameters(fields: readonly Field[], schemas: Record<string, Schema>): string {
  const rows = fields.map((field) => renderField(field, { schemas, around: [], isAnswer: false }))
  return `<dl class="fields">\n${rows.join('')}</dl>\n`
}
