import type { Statement } from '../../../db/sql/statement'
import { sealSecretWithSealer } from '../../../http/sealed-secret'
import { makeSecret } from '../../webhooks/secret'
import {
  COUNTED_TABLE_NAMES,
  findAsset,
  findSlugOwner,
  makeCountUpdate,
  makeDefaultsDeletion,
  makeOwnerUpdate,
  makeRowDeletion,
  makeRowInserts,
  makeTakenIdRefusal,
  NUMBERED_TABLE_NAMES,
  readMaxId,
} from '../queries/restored-rows'
import { EXPORTED_TABLE_NAMES } from '../queries/rows'
import { placeBlocks } from '../restore/id-blocks'
import { type PrepareContext, preparePlaceholder, prepareRow } from '../restore/prepare'
import { type FileRow, renumberId } from '../restore/renumber'
import { checkFilesStep, makeCheckStep, readEntriesStep } from './restore-checks'
import {
  END,
  FILE_PATH_PATTERN,
  findEntry,
  findErased,
  makeFilesStep,
  type RestoreContext,
  type RestoreStep,
  readCheckedFile,
  readRows,
} from './restore-context'

// A batch of 500 rows writes up to 10,000 rows of indexes, in less than a second.
const PAGE_OF_ROWS = { maxLines: 500, maxBytes: 1_000_000 }

const USERS = 'users'
const PORTALS = 'portals'

async function getPrepareContext(at: RestoreContext): Promise<PrepareContext> {
  const { run, state, now, settings } = at
  const { subscriptionId } = run
  at.prepare ??= {
    ...{ subscriptionId, now, state, erased: await findErased(at) },
    sealedSecret: await sealSecretWithSealer(settings.SIGNING_SECRETS, subscriptionId, makeSecret()),
  }
  return at.prepare
}

/** The block with the highest ids. */
const lastBlockOf = ({ state }: RestoreContext, table: string) => state.idBlocks[table]?.at(-1)

// Other workspaces write between the statement that reads the highest id and the batch.
const SKIPPED_IDS = 1_000

/** Writes the row with the highest id first, so that no other workspace takes an id of the blocks. */
const makeReservationStep =
  (table: string): RestoreStep =>
  async (at) => {
    const deletion = makeDefaultsDeletion(table)
    const blocks = at.state.idBlocks[table] ?? []
    const lastBlock = lastBlockOf(at, table)
    const entry = await findEntry(at, table)
    if (!lastBlock || !entry) return { statements: deletion, next: null }
    const firstId = (await readMaxId(at.store, table)) + SKIPPED_IDS
    placeBlocks(blocks, firstId)
    const [found] = (await readRows(at, { table, entry }, { position: lastBlock.last, maxLines: 1, maxBytes: 1 })).rows
    const row = found && preparePlaceholder(table, found.row, await getPrepareContext(at))
    const inserts = row ? makeRowInserts(table, [row]) : []
    return { statements: [...deletion, makeTakenIdRefusal(table, firstId), ...inserts], next: null }
  }

/** Two homes may not have the same slug. The own home checks the slug when it writes the row. */
async function keepFreeSlug({ otherStores, run }: RestoreContext, row: FileRow): Promise<FileRow> {
  const slug = row.slug === null ? null : String(row.slug)
  if (slug === null || !otherStores.length) return row
  const owners = await Promise.all(otherStores.map((store) => findSlugOwner(store, slug)))
  return owners.some((owner) => owner !== undefined && owner !== run.subscriptionId) ? { ...row, slug: null } : row
}

const makeRowsStep =
  (table: string): RestoreStep =>
  async (at, position) => {
    const entry = await findEntry(at, table)
    if (!entry) return END
    const page = await readRows(at, { table, entry }, { position, ...PAGE_OF_ROWS })
    const prepare = await getPrepareContext(at)
    const { state } = at
    const rows: FileRow[] = []
    const statements: Statement<never>[] = []
    const lastLine = lastBlockOf(at, table)?.last.line
    for (const { row, place } of page.rows) {
      if (table === USERS && state.owner && row.id === state.owner.from) {
        statements.push(makeOwnerUpdate({ ...row, id: state.owner.to }))
        continue
      }
      const prepared = prepareRow(table, row, prepare)
      if (!prepared) continue
      rows.push(table === PORTALS ? await keepFreeSlug(at, prepared) : prepared)
      if (place.line === lastLine) statements.unshift(makeRowDeletion(table, Number(prepared.id)))
    }
    at.counts.records += page.rows.length
    if (rows.length) statements.push(...makeRowInserts(table, rows))
    return { statements, next: page.next }
  }

const makeCountStep =
  (table: string): RestoreStep =>
  async (at, position) => {
    const entry = await findEntry(at, table)
    if (!entry) return END
    const page = await readRows(at, { table, entry }, { position, ...PAGE_OF_ROWS })
    const rows = page.rows.map(({ row }) => ({ ...row, id: renumberId(at.state, table, Number(row.id)) }))
    return { statements: rows.length ? [makeCountUpdate(table, rows)] : [], next: page.next }
  }

/** The records of the files exist. */
const storeFilesStep = makeFilesStep(async (at, entry) => {
  const id = renumberId(at.state, 'assets', Number(FILE_PATH_PATTERN.exec(entry.path)?.[1]))
  const asset = await findAsset(at.store, at.run.subscriptionId, id)
  // The download names the digest and the size of the record.
  if (asset?.sha256 !== entry.sha256 || asset.size !== entry.size) return
  await at.files.put(asset.objectKey, await readCheckedFile(at, entry))
  at.counts.files++
})

export const RESTORE_STEPS: readonly RestoreStep[] = [
  readEntriesStep,
  ...EXPORTED_TABLE_NAMES.map(makeCheckStep),
  checkFilesStep,
  ...NUMBERED_TABLE_NAMES.map(makeReservationStep),
  ...EXPORTED_TABLE_NAMES.map(makeRowsStep),
  ...COUNTED_TABLE_NAMES.map(makeCountStep),
  storeFilesStep,
]
