import { type SQL, sql } from 'drizzle-orm'
import { type Field, fieldOf, isColumn, isField, type Shape } from './field'

/** A field with its place in the record; a field of an inner object is called `category.id`. */
export interface Leaf {
  readonly path: readonly string[]
  readonly name: string
  readonly field: Field
}

/** Every field of a record, also of its inner objects, in order. */
export function leavesOf(shape: Shape, before: readonly string[] = []): Leaf[] {
  return Object.entries(shape).flatMap(([name, value]) => {
    const path = [...before, name]
    if (isColumn(value) || isField(value)) return [{ path, name: path.join('.'), field: fieldOf(value) }]
    return leavesOf(value, path)
  })
}

const joined = (parts: SQL[]) => sql.join(parts, sql`, `)

/** `value AS "name", …`. */
export function selectionOf(leaves: readonly Leaf[]): SQL {
  return joined(leaves.map(({ name, field }) => sql`${field.sql} AS ${sql.identifier(name)}`))
}

// A function of D1 takes 32 arguments: an object and 15 pairs, or 16 pairs.
const PAIRS = 15

/** The record as the API answers it, as SQL of JSON. */
export function jsonOf(shape: Shape, cap: SQL): SQL {
  const members = Object.entries(shape).map(([name, value]) => ({
    name,
    json: isColumn(value) || isField(value) ? fieldOf(value).json(cap) : jsonOf(value, cap),
  }))
  const first = members.slice(0, PAIRS).map(({ name, json }) => sql`${sql.raw(`'${name}'`)}, ${json}`)
  return withMembers(sql`json_object(${joined(first)})`, members.slice(PAIRS))
}

/** A JSON object with further members, or others in place of those that it has. */
export function withMembers(object: SQL, members: readonly { name: string; json: SQL }[]): SQL {
  if (!members.length) return object
  const some = members.slice(0, PAIRS).map(({ name, json }) => sql`${sql.raw(`'$.${name}'`)}, ${json}`)
  return withMembers(sql`json_set(${object}, ${joined(some)})`, members.slice(PAIRS))
}

/** Puts what is stored into the form that the API shows; a flat row is changed in its place. */
export function shownBy(leaves: readonly Leaf[]): (row: Record<string, unknown>) => Record<string, unknown> {
  const flat = leaves.every(({ path }) => path.length === 1)
  const changed = leaves.flatMap(({ name, field: { show } }) => (show ? [{ name, show }] : []))
  if (flat) {
    return (row) => {
      for (const { name, show } of changed) if (name in row) row[name] = show(row[name])
      return row
    }
  }
  return (row) => {
    const record: Record<string, unknown> = {}
    for (const { path, name, field } of leaves) {
      if (!(name in row)) continue
      const value = field.show ? field.show(row[name]) : row[name]
      const [first = '', second] = path
      if (second === undefined) record[first] = value
      else record[first] = Object.assign(record[first] ?? {}, { [second]: value })
    }
    return record
  }
}
