import type { Statement } from '../../../db/sql/statement'
import { sealSecretWithSealer } from '../../../http/sealed-secret'
import { createMimeDetector } from '../../assets/mime'
import { makeSecret } from '../../webhooks/secret'
import {
  COUNTED_TABLE_NAMES,
  findAsset,
  findSlugOwner,
  makeAssetTypeUpdate,
  makeCountUpdate,
  makeDefaultsDeletion,
  makeOwnerUpdate,
  makeReservation,
  makeRowDeletion,
  makeRowInserts,
  NUMBERED_TABLE_NAMES,
} from '../queries/restored-rows'
import { EXPORTED_TABLE_NAMES } from '../queries/rows'
import { preparePlaceholder, prepareRow } from '../restore/prepare'
import { type FileRow, type Numbering, renumberId } from '../restore/renumber'
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
import { loadNumbering, makeRankStep } from './restore-ids'

// A batch of 500 rows writes up to 10,000 rows of indexes, in less than a second.
const PAGE_OF_ROWS = { maxLines: 500, maxBytes: 1_000_000 }

const USERS = 'users'
const PORTALS = 'portals'

async function getPrepareContext(at: RestoreContext): Promise<NonNullable<RestoreContext['prepare']>> {
  const { run, now, settings } = at
  const { subscriptionId } = run
  at.prepare ??= {
    ...{ subscriptionId, now, erased: await findErased(at) },
    sealedSecret: await sealSecretWithSealer(settings.SIGNING_SECRETS, subscriptionId, makeSecret()),
  }
  return at.prepare
}

/** Takes the ids of a table, as many as the file has rows. */
const makeReservationStep =
  (table: string): RestoreStep =>
  async (at) => {
    const deletion = makeDefaultsDeletion(table)
    const range = at.state.idRanges[table]
    const entry = await findEntry(at, table)
    if (!range || !entry) return { statements: deletion, next: null }
    const [found] = (await readRows(at, { table, entry }, { position: range.last, maxLines: 1, maxBytes: 1 })).rows
    if (!found) throw new Error(`The row of the highest id of ${table} is missing`)
    const context = await getPrepareContext(at)
    const prepare = (numbering: Numbering) => preparePlaceholder(table, found.row, { ...context, numbering })
    const row = prepare(await loadNumbering(at, prepare))
    const key = { exportId: at.run.exportId, tableName: table, highestId: range.max, count: range.count }
    return { statements: [...deletion, ...makeReservation(key, row)], next: null }
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
    const context = await getPrepareContext(at)
    const prepareRows = (numbering: Numbering) =>
      page.rows.map(({ row }) => prepareRow(table, row, { ...context, numbering }))
    const prepared = prepareRows(await loadNumbering(at, prepareRows))
    const { owner, idRanges } = at.state
    const range = idRanges[table]
    const highestId = range?.firstId ? range.firstId + range.count - 1 : undefined
    const rows: FileRow[] = []
    const statements: Statement<never>[] = []
    for (const [n, { row, place }] of page.rows.entries()) {
      // Only the row itself may replace its placeholder. Without both, another workspace would take the ids.
      if (range && highestId === prepared[n]?.id && place.line === range.last.line)
        statements.unshift(makeRowDeletion(table, Number(highestId)))
      if (table === USERS && owner && row.id === owner.from) {
        statements.push(makeOwnerUpdate({ ...row, id: owner.to }))
        continue
      }
      const found = prepared[n]
      if (range && found && Number(found.id) < 1) throw new Error(`A row of ${table} has no id in the workspace`)
      if (found) rows.push(table === PORTALS ? await keepFreeSlug(at, found) : found)
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
    const renumberRows = (numbering: Numbering) =>
      page.rows.map(({ row }) => ({ ...row, id: renumberId(numbering, table, Number(row.id)) }))
    const rows = renumberRows(await loadNumbering(at, renumberRows))
    return { statements: rows.length ? [makeCountUpdate(table, rows)] : [], next: page.next }
  }

/** The records of the files exist. */
const storeFilesStep = makeFilesStep(async (at, entry) => {
  const readId = (numbering: Numbering) =>
    renumberId(numbering, 'assets', Number(FILE_PATH_PATTERN.exec(entry.path)?.[1]))
  const id = readId(await loadNumbering(at, readId))
  const asset = await findAsset(at.store, at.run.subscriptionId, id)
  // The download names the digest and the size of the record.
  if (asset?.sha256 !== entry.sha256 || asset.size !== entry.size) return []
  const bytes = await readCheckedFile(at, entry)
  const detector = await createMimeDetector(asset.mime)
  detector.read(bytes)
  const mime = await detector.detect()
  await at.files.put(asset.objectKey, bytes)
  at.counts.files++
  return mime === asset.mime ? [] : [makeAssetTypeUpdate({ id, mime })]
})

export const RESTORE_STEPS: readonly RestoreStep[] = [
  readEntriesStep,
  ...EXPORTED_TABLE_NAMES.map(makeCheckStep),
  checkFilesStep,
  ...NUMBERED_TABLE_NAMES.map(makeRankStep),
  ...NUMBERED_TABLE_NAMES.map(makeReservationStep),
  ...EXPORTED_TABLE_NAMES.map(makeRowsStep),
  ...COUNTED_TABLE_NAMES.map(makeCountStep),
  storeFilesStep,
]
