import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { productId } from '../../db/access'
import { type Elsewhere, inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import type { Filter } from '../../db/filter'
import { holderId, holderUse, isWorkItem, otherHolder } from '../../db/holders'
import { lifecycle } from '../../db/lifecycle'
import { list } from '../../db/list'
import { naming } from '../../db/references'
import { assets, attachments } from '../../db/schema/assets'
import { workItemFiles, workItems } from '../../db/schema/work-items'
import { caller, columns, insertInto, param, type Selected, statement, type Values } from '../../db/statement'
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

const hangingOn: Filter<string> = {
  where: () => sql`true`,
  from: (name) => {
    const key = sql`${param(name)}`
    return sql`(SELECT ${workItemFiles.assetId} AS id FROM ${workItems} CROSS JOIN ${workItemFiles}
        ON ${workItemFiles.subscriptionId} = ${caller.subscription} AND ${workItemFiles.workItemId} = ${workItems.id}
      WHERE ${isWorkItem(key)}
      UNION ALL SELECT ${attachments.assetId} FROM (${otherHolder(key)}) h CROSS JOIN ${attachments}
        ON ${attachments.subscriptionId} = ${caller.subscription} AND ${attachments.kind} = h.kind
          AND ${attachments.holderId} = h.id) hanging CROSS JOIN ${assets} ON ${assets.id} = hanging.id`
  },
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

/** `artifactKey` attaches the file to a further record. Null detaches the file from all records. */
export function modifyAsset(
  db: Database,
  key: AssetKey,
  { artifactKey, ...body }: z.output<typeof ModifyAsset>,
  ifMatch: string | null,
) {
  const given = { ...key, artifactKey: artifactKey ?? null }
  const moving = artifactKey === undefined ? [] : artifactKey === null ? detach : attach
  const follows = body.usedAt === undefined ? [ofArtifact, ofPurpose] : [ofArtifact]
  return asset.save(db, {
    guards: asset.writable(key, ifMatch),
    references: naming('holderKey', '/artifactKey', artifactKey),
    statements: [
      ...modified(given, body, artifactKey === undefined ? [] : follows),
      ...moving.map((make) => make(given)),
    ],
    answer: asset.reply(key),
  })
}

const { removal, restoration } = lifecycle(asset)

/** The bytes stay in R2 until the purge. */
export const removeAsset = (db: Database, key: AssetKey, ifMatch: string | null) => db.write(removal(key, ifMatch))

export const restoreAsset = (db: Database, key: AssetKey) => asset.save(db, restoration(key))
