import { type CellReference, referencesOf } from '../queries/references'
import { mapId } from './id-blocks'
import type { RestoreState } from './state'

export type Cell = string | number | null
export type FileRow = Readonly<Record<string, Cell>>

type MemberReference = Extract<CellReference, { kind: 'member' }>
type Numbering = Pick<RestoreState, 'idBlocks' | 'owner' | 'optionFields'>

const USERS = 'users'
const OPTIONS = 'persona_custom_options'

/**
 * The id in the workspace of a row of the file. An id outside the blocks of the table becomes negative, so that the id
 * never names a row of another workspace.
 */
export function renumberId({ idBlocks, owner }: Numbering, table: string, id: number): number {
  if (table === USERS && id === owner?.from) return owner.to
  return mapId(idBlocks[table] ?? [], id) ?? (id === 0 ? 0 : -Math.abs(id))
}

function parseList(text: string): unknown[] {
  const list: unknown = JSON.parse(text)
  return Array.isArray(list) ? list : []
}

const renumberMember = (numbering: Numbering, table: string, member: unknown) =>
  typeof member === 'number' ? renumberId(numbering, table, member) : member

function renumberPersonas(numbering: Numbering, table: string, text: string): string {
  const members = parseList(text).map((member) => {
    if (typeof member !== 'object' || member === null || !('personaId' in member)) return member
    return { ...member, personaId: renumberMember(numbering, table, member.personaId) }
  })
  return JSON.stringify(members)
}

/** A custom value is JSON: the id of an option, a list of ids, or a value of another type. */
function renumberOptions(numbering: Numbering, row: FileRow, text: string): string {
  if (!numbering.optionFields.includes(Number(row.fieldId))) return text
  const value: unknown = JSON.parse(text)
  const renumbered = Array.isArray(value)
    ? value.map((member) => renumberMember(numbering, OPTIONS, member))
    : renumberMember(numbering, OPTIONS, value)
  return JSON.stringify(renumbered)
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

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
      return JSON.stringify(parseList(String(cell)).map((id) => renumberMember(numbering, reference.table, id)))
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
  if (numbering.idBlocks[table]) renumbered.id = renumberId(numbering, table, Number(row.id))
  for (const [name, reference] of referencesOf(table)) {
    const cell = row[name]
    if (cell !== undefined) renumbered[name] = renumberCell(numbering, row, reference, cell)
  }
  return renumbered
}
