import { type CellReference, referencesOf } from '../queries/references'
import { NUMBERED_TABLE_NAMES } from '../queries/restored-rows'
import type { RestoreState } from './state'

export type Cell = string | number | null
export type FileRow = Readonly<Record<string, Cell>>

type MemberReference = Extract<CellReference, { kind: 'member' }>

export interface Numbering extends Pick<RestoreState, 'owner' | 'optionFields'> {
  /** The id in the workspace; undefined if the file has no such row. */
  mapId(table: string, id: number): number | undefined
}

const USERS = 'users'
const OPTIONS = 'persona_custom_options'

/**
 * The id in the workspace of a row of the file. An id that names no row of the file becomes negative, so that the id
 * never names a row of another workspace.
 */
export function renumberId({ mapId, owner }: Numbering, table: string, id: number): number {
  if (table === USERS && id === owner?.from) return owner.to
  return mapId(table, id) ?? (id === 0 ? 0 : -Math.abs(id))
}

export function parseList(text: string): unknown[] {
  const list: unknown = JSON.parse(text)
  return Array.isArray(list) ? list : []
}

// SQLite would compare the text "7" with the id 7.
const renumberMember = (numbering: Numbering, table: string, member: unknown) =>
  typeof member === 'number' ? renumberId(numbering, table, member) : null

const renumberList = (numbering: Numbering, table: string, list: readonly unknown[]) =>
  list.map((member) => renumberMember(numbering, table, member)).filter((id) => id !== null)

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function renumberPersonas(numbering: Numbering, table: string, text: string): string {
  const members = parseList(text).flatMap((member) => {
    if (!isObject(member) || typeof member.personaId !== 'number') return []
    return [{ ...member, personaId: renumberId(numbering, table, member.personaId) }]
  })
  return JSON.stringify(members)
}

/** A custom value is JSON: the id of an option, a list of ids, or a value of another type. */
function renumberOptions(numbering: Numbering, row: FileRow, text: string): string {
  if (!numbering.optionFields.includes(Number(row.fieldId))) return text
  const value: unknown = JSON.parse(text)
  const renumbered = Array.isArray(value)
    ? renumberList(numbering, OPTIONS, value)
    : renumberMember(numbering, OPTIONS, value)
  return JSON.stringify(renumbered)
}

/** The member of the object, and of each of its `items`: a digest holds many news. */
function renumberObject(numbering: Numbering, { table, member }: MemberReference, text: string): string {
  const renumber = (object: unknown) =>
    isObject(object) && Object.hasOwn(object, member)
      ? { ...object, [member]: renumberMember(numbering, table, object[member]) }
      : object
  const object = renumber(JSON.parse(text))
  if (!isObject(object)) return text
  const { items } = object
  return JSON.stringify(
    isObject(items) && !Array.isArray(items)
      ? { ...object, items: Object.fromEntries(Object.entries(items).map(([id, item]) => [id, renumber(item)])) }
      : object,
  )
}

function renumberCell(numbering: Numbering, row: FileRow, reference: CellReference, cell: Cell): Cell {
  if (cell === null) return null
  switch (reference.kind) {
    case 'id':
      return renumberId(numbering, reference.table, Number(cell))
    case 'by kind':
      return renumberId(numbering, reference.tableByKind[String(row[reference.kindName])] ?? '', Number(cell))
    case 'ids':
      return JSON.stringify(renumberList(numbering, reference.table, parseList(String(cell))))
    case 'personas':
      return renumberPersonas(numbering, reference.table, String(cell))
    case 'member':
      return renumberObject(numbering, reference, String(cell))
    case 'options':
      return renumberOptions(numbering, row, String(cell))
  }
}

/** The row with the ids of the workspace. */
export function renumberRow(numbering: Numbering, table: string, row: FileRow): FileRow {
  const renumbered: Record<string, Cell> = { ...row }
  if (NUMBERED_TABLE_NAMES.includes(table)) renumbered.id = renumberId(numbering, table, Number(row.id))
  for (const [name, reference] of referencesOf(table)) {
    const cell = row[name]
    if (cell !== undefined) renumbered[name] = renumberCell(numbering, row, reference, cell)
  }
  return renumbered
}
