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
  if (types.includes('array')) return `list of ${resolved.items ? nameType(resolved.items, schemas) : 'values'}`
  if (resolved.enum || resolved.const !== undefined) return 'one of'
  if (resolved.format === 'date-time') return 'timestamp'
  return types.join(' or ') || 'any value'
}

function listLimits({
  minLength,
  maxLength,
  minimum,
  exclusiveMinimum,
  maximum,
  minItems,
  maxItems,
}: Schema): string[] {
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)
  const count = (value: number) => value.toLocaleString('en-US')
  return [
    ...(minLength && maxLength === undefined ? [`at least ${count(minLength)} characters`] : []),
    ...(maxLength === undefined ? [] : [`${minLength ? `${minLength}–` : 'at most '}${count(maxLength)} characters`]),
    ...(maxItems === undefined ? [] : [`${minItems ? `${minItems}–` : 'at most '}${count(maxItems)} entries`]),
    ...(least !== undefined && least > -MAX_SAFE ? [`at least ${count(least)}`] : []),
    ...(maximum !== undefined && maximum < MAX_SAFE ? [`at most ${count(maximum)}`] : []),
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
  const text = description ?? resolveSchema(context.schemas, schema).description
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
  return `<dl class="fields">\n${rows.join('')}</dl>\n`
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
