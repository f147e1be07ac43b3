import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { workItem } from '../../backlog/work-items/queries/any'
import { filesWith, filesWithout } from '../../backlog/work-items/queries/record'
import { productId } from '../../db/access'
import { type Elsewhere, inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import type { Filter } from '../../db/filter'
import { holderId, holderUse, isWorkItem, otherHolder } from '../../db/holders'
import { lifecycle } from '../../db/lifecycle'
import { raiseEnds } from '../../db/links'
import { list } from '../../db/list'
import { naming } from '../../db/references'
import { guard } from '../../db/refuse'
import { assets, attachments } from '../../db/schema/assets'
import { workItemFiles, workItems } from '../../db/schema/work-items'
import { caller, columns, inline, insertInto, param, type Selected, statement, type Values } from '../../db/statement'
import { notFound } from '../../text/errors'
import { asset } from './fields'
import { ListAssets, ModifyAsset, UploadFields } from './schema'

export type AssetKey = Parameters<typeof asset.reply>[0]

export type StoredFile = Readonly<Record<'objectKey' | 'name' | 'mime' | 'sha256', string>> & { size: number }

const inserted = inserts(asset, UploadFields, {
  values: {
    productId,
    userId: caller.user,
    objectKey: param('objectKey'),
    name: param('name'),
    size: param('size'),
    mime: param('mime'),
    sha256: param('sha256'),
  },
})
const created = asset.event('created')

export const createAsset = (db: Database, file: StoredFile, fields: z.output<typeof UploadFields>) =>
  asset.save(db, { statements: [inserted(fields, file), created({})], answer: asset.created() })

export const getAsset = asset.get

/** Ids of the files of the record with the external key, for a FROM. */
const filesOf = (key: SQL) => sql`(SELECT ${workItemFiles.assetId} AS id FROM ${workItems} CROSS JOIN ${workItemFiles}
    ON ${workItemFiles.subscriptionId} = ${caller.subscription} AND ${workItemFiles.workItemId} = ${workItems.id}
  WHERE ${isWorkItem(key)}
  UNION ALL SELECT ${attachments.assetId} FROM (${otherHolder(key)}) h CROSS JOIN ${attachments}
    ON ${attachments.subscriptionId} = ${caller.subscription} AND ${attachments.kind} = h.kind
      AND ${attachments.holderId} = h.id)`

const hangingOn: Filter<string> = {
  where: () => sql`true`,
  from: (name) => sql`${filesOf(sql`${param(name)}`)} hanging CROSS JOIN ${assets} ON ${assets.id} = hanging.id`,
}

export const listAssets = list(asset, ListAssets, {
  sorts: { createdAt: assets.createdAt },
  filters: { artifactKey: hangingOn },
}).page

const STORED = ['objectKey', 'name', 'mime', 'sha256', 'size'] as const

const stored = statement<Selected<typeof assets, (typeof STORED)[number]>, Values>(
  sql`SELECT ${columns(assets, STORED)} ${asset.from} WHERE ${asset.addressed}`,
)

export async function getStoredFile(db: Database, key: AssetKey): Promise<StoredFile> {
  const [[file]] = await db.read(stored(key))
  if (!file) throw notFound(asset.missing)
  return file
}

const modified = modifies(asset, ModifyAsset, { except: ['artifactKey'] })

const holder = sql`${param('artifactKey')}`

// A null key means no record. An attached file still changes `artifactId` if a later attachment has replaced the id.
const hangs = sql`(EXISTS (SELECT 1 FROM ${workItemFiles} CROSS JOIN ${workItems} ON ${workItems.id} = ${workItemFiles.workItemId}
    WHERE ${workItemFiles.subscriptionId} = ${caller.subscription} AND ${workItemFiles.assetId} = ${assets.id} AND ${isWorkItem(holder)})
  OR EXISTS (SELECT 1 FROM (${otherHolder(holder)}) h CROSS JOIN ${attachments} ON ${attachments.kind} = h.kind
    AND ${attachments.holderId} = h.id
    WHERE ${attachments.subscriptionId} = ${caller.subscription} AND ${attachments.assetId} = ${assets.id}))`
const moves = sql`(${assets.artifactId} IS NOT ${holderId(holder)} OR (${holder} IS NOT NULL AND NOT ${hangs}))`
const purpose = sql`coalesce(${holderUse(holder)}, '')`

const ofArtifact: Elsewhere = {
  name: 'artifactId',
  json: sql`coalesce(${assets.artifactId}, 0)`,
  differs: moves,
  sets: { column: assets.artifactId, value: holderId(holder) },
}
/** `usedAt` follows the attached record, unless the body contains `usedAt`. */
const ofPurpose: Elsewhere = {
  name: 'usedAt',
  json: sql`json_quote(${assets.usedAt})`,
  differs: sql`(${moves} AND ${assets.usedAt} <> ${purpose})`,
  sets: { column: assets.usedAt, value: sql`CASE WHEN ${moves} THEN ${purpose} ELSE ${assets.usedAt} END` },
}

const detach = [workItemFiles, attachments].map((links) =>
  statement<never, Values>(sql`DELETE FROM ${links}
    WHERE ${links.subscriptionId} = ${caller.subscription} AND ${links.assetId} = ${asset.id}`),
)
const attach = [
  insertInto(
    workItemFiles,
    { subscriptionId: caller.subscription, workItemId: sql`${workItems.id}`, assetId: asset.id },
    sql`FROM ${workItems} WHERE ${isWorkItem(holder)} ON CONFLICT DO NOTHING`,
  ),
  insertInto(
    attachments,
    { subscriptionId: caller.subscription, kind: sql`h.kind`, holderId: sql`h.id`, assetId: asset.id },
    sql`FROM (${otherHolder(holder)}) h WHERE true ON CONFLICT DO NOTHING`,
  ),
].map((source) => statement<never, Values>(source))

// Items show the file: each that gains or loses the file is raised before that.
const raiseItems = (ids: SQL, becomes: SQL) => raiseEnds({ record: () => workItem, member: 'files' }, { ids, becomes })
const hangingOnItems = (file: SQL) => sql`SELECT l.work_item_id FROM ${workItemFiles} l
  WHERE l.subscription_id = ${caller.subscription} AND l.asset_id = ${file}`
const raiseTaker = raiseItems(
  sql`SELECT * FROM (SELECT ${workItems.id} FROM ${workItems} WHERE ${isWorkItem(holder)} EXCEPT ${hangingOnItems(asset.id)})`,
  filesWith(asset.id),
)
const raiseHolders = raiseItems(hangingOnItems(asset.id), filesWithout(asset.id))
const removedFile = sql`(SELECT ${assets.id} FROM ${assets} WHERE ${asset.removed})`
const raiseReturning = raiseItems(hangingOnItems(removedFile), filesWith(removedFile))

// A response with the record shows all of its files.
const MAX_FILES = 1_000

const holderFull = guard<Values>(
  inline(
    `validation_failed:/artifactKey:This record has ${MAX_FILES.toLocaleString('en-US')} files, which is the maximum. Detach or remove one of them first.`,
  ),
  sql`EXISTS (SELECT 1 FROM ${filesOf(holder)} f CROSS JOIN ${assets} a ON a.id = f.id AND a.deleted_at IS NULL
      LIMIT 1 OFFSET ${inline(MAX_FILES - 1)})
    AND EXISTS (SELECT 1 FROM ${assets} WHERE ${asset.addressed} AND NOT ${hangs})`,
)

/** `artifactKey` attaches the file to a further record. Null detaches the file from all records. */
export function modifyAsset(
  db: Database,
  key: AssetKey,
  { artifactKey, ...body }: z.output<typeof ModifyAsset>,
  ifMatch: string | null,
) {
  const given = { ...key, artifactKey: artifactKey ?? null }
  const moving = artifactKey === undefined ? [] : artifactKey === null ? detach : attach
  // Items show the record of the file: those that lose the file as it was, the one that gains the file as it becomes.
  const [losing, gaining] = [artifactKey === null ? raiseHolders(given) : [], artifactKey ? raiseTaker(given) : []]
  const follows = body.usedAt === undefined ? [ofArtifact, ofPurpose] : [ofArtifact]
  return asset.save(db, {
    guards: [...asset.writable(key, ifMatch), ...(artifactKey == null ? [] : [holderFull(given)])],
    references: naming('holderKey', '/artifactKey', artifactKey),
    statements: [
      ...losing,
      ...modified(given, body, artifactKey === undefined ? [] : follows),
      ...gaining,
      ...moving.map((make) => make(given)),
    ],
    answer: asset.reply(key),
  })
}

const { removal, restoration } = lifecycle(asset)

/** The bytes stay in R2 until the purge. */
export function removeAsset(db: Database, key: AssetKey, ifMatch: string | null) {
  const { statements, ...rest } = removal(key, ifMatch)
  return db.write({ ...rest, statements: [...raiseHolders(key), ...statements] })
}

export function restoreAsset(db: Database, key: AssetKey) {
  const { statements, ...rest } = restoration(key)
  return asset.save(db, { ...rest, statements: [...raiseReturning(key), ...statements] })
}
