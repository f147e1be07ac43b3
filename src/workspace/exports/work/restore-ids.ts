import { makeFileIdInsert, makeRankUpdate, readIdPage, readRanks, readReservedIds } from '../queries/restored-ids'
import type { Numbering } from '../restore/renumber'
import { type LinePlace, RestoreProblem, type RestoreState } from '../restore/state'
import type { RestoreContext, RestoreStep } from './restore-context'
import { END, pathOf } from './restore-context'

/*
 * Ids of a restore. The checks collect the ids of the file in a table of the database, and number them in their order
 * without gaps. The reservation takes as many ids as the file has rows. Each unit of work reads the ids that its rows
 * name, so the work is linear and a unit holds few ids.
 */

/** Notes the ids of a page of rows. */
export function noteIds(
  { state, run: { exportId } }: RestoreContext,
  table: string,
  rows: readonly { id: number; place: LinePlace }[],
) {
  if (!rows.length) return []
  for (const { id, place } of rows) {
    if (id < 1) throw new RestoreProblem(`${pathOf(table)} has an id below 1.`)
    state.idRanges[table] ??= { max: 0, last: place, count: 0, firstId: null }
    const range = state.idRanges[table]
    if (id >= range.max) Object.assign(range, { max: id, last: place })
  }
  return [
    makeFileIdInsert(
      { exportId, tableName: table },
      rows.map(({ id }) => id),
    ),
  ]
}

/** Numbers the ids of a table. */
export const makeRankStep =
  (table: string): RestoreStep =>
  async ({ store, run: { subscriptionId, exportId }, state }, position) => {
    const range = state.idRanges[table]
    if (!range) return END
    const key = { exportId, tableName: table, after: position && 'after' in position ? position.after : 0 }
    const { lastId, count } = await readIdPage(store, { subscriptionId, ...key })
    if (lastId === null) return END
    const update = makeRankUpdate({ ...key, lastId, ranked: range.count })
    range.count += count
    return { statements: [update], next: { after: lastId } }
  }

async function loadFirstIds({ store, run, state: { idRanges } }: RestoreContext): Promise<void> {
  const open = Object.entries(idRanges).filter(([, { firstId }]) => firstId === null)
  const highestIds = open.map(([tableName, { max }]) => ({ tableName, highestId: max }))
  const found = await readReservedIds(store, run, highestIds)
  for (const [n, [, range]] of open.entries()) {
    const reservedId = found[n]
    if (typeof reservedId === 'number') range.firstId = reservedId - range.count + 1
  }
}

// About 350 kB as JSON.
const IDS_PER_LIST = 20_000

const splitList = (ids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / IDS_PER_LIST) }, (_, n) =>
    ids.slice(n * IDS_PER_LIST, (n + 1) * IDS_PER_LIST),
  )

function collectIds(
  { owner, optionFields, idRanges }: RestoreState,
  visit: (numbering: Numbering) => void,
): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>()
  const mapId = (table: string, id: number) => {
    const range = Object.hasOwn(idRanges, table) ? idRanges[table] : undefined
    if (!range || range.firstId === null || !Number.isInteger(id) || id < 1 || id > range.max) return undefined
    found.set(table, (found.get(table) ?? new Set()).add(id))
    return undefined
  }
  visit({ owner, optionFields, mapId })
  return found
}

/** The new ids of all ids that `visit` asks for. */
export async function loadNumbering(at: RestoreContext, visit: (numbering: Numbering) => void): Promise<Numbering> {
  await loadFirstIds(at)
  const { store, run, state } = at
  const lists = [...collectIds(state, visit)].flatMap(([tableName, ids]) =>
    splitList([...ids]).map((list) => ({ tableName, ids: list })),
  )
  const found = await readRanks(store, run, lists)
  const newIds = new Map<string, Map<number, number>>()
  for (const [n, { tableName }] of lists.entries()) {
    const firstId = state.idRanges[tableName]?.firstId ?? 0
    const known = newIds.get(tableName) ?? new Map<number, number>()
    newIds.set(tableName, known)
    for (const { fileId, rank } of found[n] ?? []) known.set(fileId, firstId + rank - 1)
  }
  const { owner, optionFields } = state
  return { owner, optionFields, mapId: (table, id) => newIds.get(table)?.get(id) }
}
