import { type SQL, sql } from 'drizzle-orm'
import { type Field, fieldOf, isColumn, isField, type Shape } from './field'
import { inline } from './statement'

/** A field with a path in the record. Nested fields have names like `category.id`. */
export interface Leaf {
  readonly path: readonly string[]
  readonly name: string
  readonly field: Field
}

export function leavesOf(shape: Shape, before: readonly string[] = []): Leaf[] {
  return Object.entries(shape).flatMap(([name, value]) => {
    const path = [...before, name]
    if (isColumn(value) || isField(value)) return [{ path, name: path.join('.'), field: fieldOf(value) }]
    return leavesOf(value, path)
  })
}

const commaList = (parts: SQL[]) => sql.join(parts, sql`, `)

const isFlat = (leaves: readonly Leaf[]) => leaves.every(({ path }) => path.length === 1)

/** A flat row selects constants too, because rows are converted in place and each member needs a position. */
export const leavesToSelect = (leaves: readonly Leaf[]): readonly Leaf[] =>
  isFlat(leaves) ? leaves : leaves.filter(({ field }) => !('constant' in field))

export function selectionOf(leaves: readonly Leaf[]): SQL {
  return commaList(leavesToSelect(leaves).map(({ name, field }) => sql`${field.sql} AS ${sql.identifier(name)}`))
}

// D1 functions take at most 32 arguments: a name and a value for each pair.
const PAIRS_PER_OBJECT = 16

export function recordJson(shape: Shape): SQL {
  const members = Object.entries(shape).map(([name, value]) => {
    const json = isColumn(value) || isField(value) ? fieldOf(value).json() : sql`json(${recordJson(value)})`
    return sql`${inline(name)}, ${json}`
  })
  const objects: SQL[] = []
  for (let at = 0; at < members.length; at += PAIRS_PER_OBJECT) {
    objects.push(sql`json_object(${commaList(members.slice(at, at + PAIRS_PER_OBJECT))})`)
  }
  return objects.length === 1 ? (objects[0] ?? sql``) : joinObjects(objects)
}

/** Joins JSON objects as text: a closing and an opening brace become a comma. */
function joinObjects(objects: readonly SQL[]): SQL {
  const name = (n: number) => sql.raw(`o${n}`)
  const texts = objects.map((_, n) => {
    const first = sql.raw(n === 0 ? '1' : '2')
    return n === objects.length - 1
      ? sql`substr(${name(n)}, ${first})`
      : sql`substr(${name(n)}, ${first}, length(${name(n)}) - ${first}) || ','`
  })
  // LIMIT keeps SQLite from flattening the inner query and building each object again.
  return sql`(SELECT ${sql.join(texts, sql` || `)} FROM (SELECT ${commaList(objects.map((object, n) => sql`${object} AS ${name(n)}`))} LIMIT 1))`
}

export function withMembers(object: SQL, members: readonly { name: string; json: SQL }[]): SQL {
  if (!members.length) return object
  const some = members.slice(0, PAIRS_PER_OBJECT - 1).map(({ name, json }) => sql`${inline(`$.${name}`)}, ${json}`)
  return withMembers(sql`json_set(${object}, ${commaList(some)})`, members.slice(PAIRS_PER_OBJECT - 1))
}

export function rowConverter(leaves: readonly Leaf[]): (row: Record<string, unknown>) => Record<string, unknown> {
  if (!isFlat(leaves)) return nestedRowConverter(leaves)
  const changed = leaves.flatMap(({ name, field: { show } }) => (show ? [{ name, show }] : []))
  return (row) => {
    for (const { name, show } of changed) if (name in row) row[name] = show(row[name])
    return row
  }
}

interface Part {
  readonly key: string
  readonly leaf?: Leaf
  readonly inner?: readonly Part[]
}

function partsOf(leaves: readonly Leaf[], depth: number): Part[] {
  const parts: Part[] = []
  for (const leaf of leaves) {
    const key = leaf.path[depth] ?? ''
    if (leaf.path.length === depth + 1) parts.push({ key, leaf })
    else if (parts.at(-1)?.key !== key) {
      parts.push({
        key,
        inner: partsOf(
          leaves.filter(({ path }) => path[depth] === key),
          depth + 1,
        ),
      })
    }
  }
  return parts
}

function nestedRowConverter(leaves: readonly Leaf[]) {
  return makeBuilder(partsOf(leaves, 0))
}

/** Copies a template with all members, because adding single members costs three times as much. */
function makeBuilder(parts: readonly Part[]): (row: Record<string, unknown>) => Record<string, unknown> {
  const empty: Record<string, unknown> = Object.fromEntries(
    parts.map(({ key, leaf }) => [key, leaf && 'constant' in leaf.field ? leaf.field.constant : undefined]),
  )
  const read = parts.flatMap(({ key, leaf }) => {
    if (!leaf || 'constant' in leaf.field) return []
    return [{ key, name: leaf.name, show: leaf.field.show }]
  })
  const inner = parts.flatMap(({ key, inner }) => (inner ? [{ key, build: makeBuilder(inner) }] : []))
  return (row) => {
    const record = { ...empty }
    for (const { key, name, show } of read) record[key] = show ? show(row[name]) : row[name]
    for (const { key, build } of inner) record[key] = build(row)
    return record
  }
}
