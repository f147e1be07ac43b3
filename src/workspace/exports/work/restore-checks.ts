import type { Statement } from '../../../db/sql/statement'
import { finishSha256, startSha256, updateSha256 } from '../../../files/archive/sha256'
import { isWorkspaceEmpty, NOT_EMPTY_MESSAGE } from '../queries/restore'
import { NUMBERED_TABLE_NAMES } from '../queries/restored-rows'
import { deleteEntries, insertEntries } from '../queries/work'
import { readManifestEntries } from '../restore/manifest'
import { isLeftOut } from '../restore/prepare'
import type { FileRow } from '../restore/renumber'
import { type LinePlace, RestoreProblem } from '../restore/state'
import {
  END,
  findEntry,
  findErased,
  findOwnerOnce,
  makeFilesStep,
  pathOf,
  type RestoreContext,
  type RestoreStep,
  readCheckedFile,
  readRows,
} from './restore-context'
import { noteIds } from './restore-ids'

const PAGE_OF_CHECKED_ROWS = { maxLines: 20_000, maxBytes: 4_000_000 }
const ENTRIES_PER_STATEMENT = 2_000
// A workspace has fewer custom fields and erased people. The state of the run holds the list.
const MAX_LISTED = 10_000

/** Stores the entries of the ZIP file, if the file is an export and the workspace is empty. */
export const readEntriesStep: RestoreStep = async ({ run, store, files }) => {
  const { subscriptionId, exportId, objectKey } = run
  const entries = await readManifestEntries(files, objectKey)
  if (!(await isWorkspaceEmpty(store, subscriptionId))) throw new RestoreProblem(NOT_EMPTY_MESSAGE)
  const statements: Statement<never>[] = [deleteEntries(exportId)]
  for (let at = 0; at < entries.length; at += ENTRIES_PER_STATEMENT)
    statements.push(insertEntries(exportId, entries.slice(at, at + ENTRIES_PER_STATEMENT)))
  return { statements, next: null }
}

function addToList<T>(list: T[], value: T): void {
  if (list.length === MAX_LISTED)
    throw new RestoreProblem('The export has more than 10,000 custom fields or erased people.')
  list.push(value)
}

/** Notes the facts about the whole file that later steps need. True if the row needs an id of its own. */
async function noteRow(at: RestoreContext, table: string, row: FileRow): Promise<boolean> {
  const { state } = at
  if (table === 'subscriptions') state.source = { id: Number(row.id), createdAt: Number(row.createdAt) }
  if (table === 'persona_custom_fields' && ['select', 'multiselect'].includes(String(row.type)))
    addToList(state.optionFields, Number(row.id))
  if (table === 'users') {
    const owner = await findOwnerOnce(at)
    const { ids, addresses } = await findErased(at)
    if (ids.has(Number(row.id))) {
      addToList(state.erasedAddresses, String(row.email))
      addresses.add(String(row.email))
    } else if (owner && row.email === owner.email) {
      if (state.owner && state.owner.from !== row.id)
        throw new RestoreProblem(`${pathOf(table)} has two rows with the address ${owner.email}.`)
      state.owner = { from: Number(row.id), to: owner.id }
      return false
    }
  }
  return NUMBERED_TABLE_NAMES.includes(table) && !isLeftOut(table, row, await findErased(at))
}

/** Reads the file of a table, and writes no row of the file: a damaged file leaves the workspace empty. */
export const makeCheckStep =
  (table: string): RestoreStep =>
  async (at, position) => {
    const entry = await findEntry(at, table)
    if (!entry) return END
    const { rows, bytes, isEnd, next } = await readRows(at, { table, entry }, { position, ...PAGE_OF_CHECKED_ROWS })
    const numbered: { id: number; place: LinePlace }[] = []
    for (const { row, place } of rows) if (await noteRow(at, table, row)) numbered.push({ id: Number(row.id), place })
    const statements = noteIds(at, table, numbered)
    const hash = updateSha256(at.state.hash ?? startSha256(), bytes)
    at.state.hash = isEnd ? null : hash
    if (!isEnd) return { statements, next }
    if (finishSha256(hash) !== entry.sha256)
      throw new RestoreProblem(`${entry.path} has another SHA-256 than the manifest says.`)
    return { statements, next: null }
  }

export const checkFilesStep = makeFilesStep(async (at, entry) => {
  await readCheckedFile(at, entry)
  return []
})
