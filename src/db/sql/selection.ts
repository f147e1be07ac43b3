import { type SQL, sql } from 'drizzle-orm'
import { type Field, isColumn, isField, type Shape, toField } from './field'
import { inline } from './statement'

/** A field with a path in the record. Nested fields have names like `category.id`. */
export interface FieldLeaf {
  readonly path: readonly string[]
  readonly name: string
  readonly field: Field
}

export function leavesOf(shape: Shape, before: readonly string[] = []): FieldLeaf[] {
  return Object.entries(shape).flatMap(([name, value]) => {
    const path = [...before, name]
    if (isColumn(value) || isField(value)) return [{ path, name: path.join('.'), field: toField(value) }]
    return leavesOf(value, path)
  })
}

const joinWithCommas = (parts: SQL[]) => sql.join(parts, sql`, `)

const hasOnlyTopLevelLeaves = (leaves: readonly FieldLeaf[]) => leaves.every(({ path }) => path.length === 1)

/** A flat row selects constants too, because rows are converted in place and each member needs a position. */
export const chooseSelectedLeaves = (leaves: readonly FieldLeaf[]): readonly FieldLeaf[] =>
  hasOnlyTopLevelLeaves(leaves) ? leaves : leaves.filter(({ field }) => !('constant' in field))

export function selectListOf(leaves: readonly FieldLeaf[]): SQL {
  return joinWithCommas(
    chooseSelectedLeaves(leaves).map(({ name, field }) => sql`${field.sql} AS ${sql.identifier(name)}`),
  )
}

// D1 functions take at most 32 arguments: a name and a value for each pair.
const MAX_PAIRS_PER_JSON_OBJECT = 16

const jsonOfField = (field: Field, isShown: boolean) => (isShown && field.shownJson ? field.shownJson() : field.json())

/** @param isShown As a reply shows the record, instead of as the log stores it. */
export function recordJson(shape: Shape, isShown = false): SQL {
  const members = Object.entries(shape).map(([name, value]) => {
    const json =
      isColumn(value) || isField(value)
        ? jsonOfField(toField(value), isShown)
        : sql`json(${recordJson(value, isShown)})`
    return sql`${inline(name)}, ${json}`
  })
  const objects: SQL[] = []
  for (let at = 0; at < members.length; at += MAX_PAIRS_PER_JSON_OBJECT) {
    objects.push(sql`json_object(${joinWithCommas(members.slice(at, at + MAX_PAIRS_PER_JSON_OBJECT))})`)
  }
  return objects.length === 1 ? (objects[0] ?? sql``) : joinJsonObjects(objects)
}

/** Joins JSON objects as text: a closing and an opening brace become a comma. */
function joinJsonObjects(objects: readonly SQL[]): SQL {
  const name = (n: number) => sql.raw(`o${n}`)
  const texts = objects.map((_, n) => {
    const first = sql.raw(n === 0 ? '1' : '2')
    return n === objects.length - 1
      ? sql`substr(${name(n)}, ${first})`
      : sql`substr(${name(n)}, ${first}, length(${name(n)}) - ${first}) || ','`
  })
  // LIMIT keeps SQLite from flattening the inner query and building each object again.
  return sql`(SELECT ${sql.join(texts, sql` || `)} FROM (SELECT ${joinWithCommas(objects.map((object, n) => sql`${object} AS ${name(n)}`))} LIMIT 1))`
}

export function setJsonMembers(object: SQL, members: readonly { name: string; json: SQL }[]): SQL {
  if (!members.length) return object
  const some = members
    .slice(0, MAX_PAIRS_PER_JSON_OBJECT - 1)
    .map(({ name, json }) => sql`${inline(`$.${name}`)}, ${json}`)
  return setJsonMembers(sql`json_set(${object}, ${joinWithCommas(some)})`, members.slice(MAX_PAIRS_PER_JSON_OBJECT - 1))
}

export function makeRowConverter(
  leaves: readonly FieldLeaf[],
): (row: Record<string, unknown>) => Record<string, unknown> {
  if (!hasOnlyTopLevelLeaves(leaves)) return makeNestedRowConverter(leaves)
  const changed = leaves.flatMap(({ name, field: { show } }) => (show ? [{ name, show }] : []))
  return (row) => {
    for (const { name, show } of changed) if (name in row) row[name] = show(row[name])
    return row
  }
}

interface LeafGroup {
  readonly key: string
  readonly leaf?: FieldLeaf
  readonly inner?: readonly LeafGroup[]
}

function groupLeaves(leaves: readonly FieldLeaf[], depth: number): LeafGroup[] {
  const parts: LeafGroup[] = []
  for (const leaf of leaves) {
    const key = leaf.path[depth] ?? ''
    if (leaf.path.length === depth + 1) parts.push({ key, leaf })
    else if (parts.at(-1)?.key !== key) {
      parts.push({
        key,
        inner: groupLeaves(
          leaves.filter(({ path }) => path[depth] === key),
          depth + 1,
        ),
      })
    }
  }
  return parts
}

function makeNestedRowConverter(leaves: readonly FieldLeaf[]) {
  return makeRecordBuilder(groupLeaves(leaves, 0))
}

/** Copies a template with all members, because adding single members costs three times as much. */
function makeRecordBuilder(parts: readonly LeafGroup[]): (row: Record<string, unknown>) => Record<string, unknown> {
  const empty: Record<string, unknown> = Object.fromEntries(
    parts.map(({ key, leaf }) => [key, leaf && 'constant' in leaf.field ? leaf.field.constant : undefined]),
  )
  const read = parts.flatMap(({ key, leaf }) => {
    if (!leaf || 'constant' in leaf.field) return []
    return [{ key, name: leaf.name, show: leaf.field.show }]
  })
  const inner = parts.flatMap(({ key, inner }) => (inner ? [{ key, build: makeRecordBuilder(inner) }] : []))
  return (row) => {
    const record = { ...empty }
    for (const { key, name, show } of read) record[key] = show ? show(row[name]) : row[name]
    for (const { key, build } of inner) record[key] = build(row)
    return record
  }
}
