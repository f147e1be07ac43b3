import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { referenceTo } from '../../db/client/references'
import { guard } from '../../db/client/refuse'
import { type DerivedField, insertStatement, updateStatement } from '../../db/records/change'
import { lifecycle } from '../../db/records/lifecycle'
import { raiseTargetVersions } from '../../db/records/links'
import { listReader } from '../../db/records/list'
import { assets, attachments } from '../../db/schema/assets'
import { workItemFiles, workItems } from '../../db/schema/work-items'
import { productId } from '../../db/sql/access'
import {
  attachableOwnerId,
  attachmentUseOfOwner,
  isWorkItemKey,
  nonWorkItemOwnerRows,
} from '../../db/sql/attachable-owners'
import type { Filter } from '../../db/sql/filter'
import {
  caller,
  columns,
  inline,
  insertInto,
  param,
  type SelectedRow,
  statement,
  type Values,
} from '../../db/sql/statement'
import { workItemOfFile } from '../../link-targets'
import { notFoundError } from '../../text/errors'
import { asset } from './fields'
import { ListAssets, ModifyAsset, UploadFields } from './schema'

export type AssetKey = Parameters<typeof asset.returningByKey>[0]

export type StoredFile = Readonly<Record<'objectKey' | 'name' | 'mime' | 'sha256', string>> & { size: number }

const insertAsset = insertStatement(asset, UploadFields, {
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
const emitCreated = asset.emit('created')

export const createAsset = (db: Database, file: StoredFile, fields: z.output<typeof UploadFields>) =>
  asset.save(db, { statements: [insertAsset(fields, file), emitCreated({})], returning: asset.inserted() })

export const getAsset = asset.get

const filesOf = (key: SQL) => sql`(SELECT ${workItemFiles.assetId} AS id FROM ${workItems} CROSS JOIN ${workItemFiles}
    ON ${workItemFiles.subscriptionId} = ${caller.subscription} AND ${workItemFiles.workItemId} = ${workItems.id}
  WHERE ${isWorkItemKey(key)}
  UNION ALL SELECT ${attachments.assetId} FROM (${nonWorkItemOwnerRows(key)}) h CROSS JOIN ${attachments}
    ON ${attachments.subscriptionId} = ${caller.subscription} AND ${attachments.kind} = h.kind
      AND ${attachments.holderId} = h.id)`

const attachedToKey: Filter<string> = {
  where: () => sql`true`,
  source: (name) => sql`${filesOf(sql`${param(name)}`)} hanging CROSS JOIN ${assets} ON ${assets.id} = hanging.id`,
}

export const listAssets = listReader(asset, ListAssets, {
  sorts: { createdAt: assets.createdAt },
  filters: { artifactKey: attachedToKey },
}).page

const STORED_COLUMNS = ['objectKey', 'name', 'mime', 'sha256', 'size'] as const

const selectStoredFile = statement<SelectedRow<typeof assets, (typeof STORED_COLUMNS)[number]>, Values>(
  sql`SELECT ${columns(assets, STORED_COLUMNS)} ${asset.from} WHERE ${asset.byKey}`,
)

export async function getStoredFile(db: Database, key: AssetKey): Promise<StoredFile> {
  const [[file]] = await db.read(selectStoredFile(key))
  if (!file) throw notFoundError(asset.missing)
  return file
}

const updateAsset = updateStatement(asset, ModifyAsset, { except: ['artifactKey'] })

const ownerKey = sql`${param('artifactKey')}`

// An attached file still changes `artifactId` if a later attachment has replaced the id.
const isAttached = sql`(EXISTS (SELECT 1 FROM ${workItemFiles} CROSS JOIN ${workItems} ON ${workItems.id} = ${workItemFiles.workItemId}
    WHERE ${workItemFiles.subscriptionId} = ${caller.subscription} AND ${workItemFiles.assetId} = ${assets.id} AND ${isWorkItemKey(ownerKey)})
  OR EXISTS (SELECT 1 FROM (${nonWorkItemOwnerRows(ownerKey)}) h CROSS JOIN ${attachments} ON ${attachments.kind} = h.kind
    AND ${attachments.holderId} = h.id
    WHERE ${attachments.subscriptionId} = ${caller.subscription} AND ${attachments.assetId} = ${assets.id}))`
const changesOwner = sql`(${assets.artifactId} IS NOT ${attachableOwnerId(ownerKey)} OR (${ownerKey} IS NOT NULL AND NOT ${isAttached}))`
const ownerPurpose = sql`coalesce(${attachmentUseOfOwner(ownerKey)}, '')`

const artifactIdField: DerivedField = {
  name: 'artifactId',
  json: sql`coalesce(${assets.artifactId}, 0)`,
  differs: changesOwner,
  source: { column: assets.artifactId, value: attachableOwnerId(ownerKey) },
}
const usedAtField: DerivedField = {
  name: 'usedAt',
  json: sql`json_quote(${assets.usedAt})`,
  differs: sql`(${changesOwner} AND ${assets.usedAt} <> ${ownerPurpose})`,
  source: {
    column: assets.usedAt,
    value: sql`CASE WHEN ${changesOwner} THEN ${ownerPurpose} ELSE ${assets.usedAt} END`,
  },
}

const detachFile = [workItemFiles, attachments].map((links) =>
  statement<never, Values>(sql`DELETE FROM ${links}
    WHERE ${links.subscriptionId} = ${caller.subscription} AND ${links.assetId} = ${asset.id}`),
)
const attachFile = [
  insertInto(
    workItemFiles,
    { subscriptionId: caller.subscription, workItemId: sql`${workItems.id}`, assetId: asset.id },
    sql`FROM ${workItems} WHERE ${isWorkItemKey(ownerKey)} ON CONFLICT DO NOTHING`,
  ),
  insertInto(
    attachments,
    { subscriptionId: caller.subscription, kind: sql`h.kind`, holderId: sql`h.id`, assetId: asset.id },
    sql`FROM (${nonWorkItemOwnerRows(ownerKey)}) h WHERE true ON CONFLICT DO NOTHING`,
  ),
].map((source) => statement<never, Values>(source))

// Work items show their files: each event is appended before the files change.
const raiseItems = (ids: SQL, becomes: SQL) => raiseTargetVersions(workItemOfFile, { ids, newValue: becomes })
const hangingOnItems = (file: SQL) => sql`SELECT l.work_item_id FROM ${workItemFiles} l
  WHERE l.subscription_id = ${caller.subscription} AND l.asset_id = ${file}`
const raiseTaker = raiseItems(
  sql`SELECT * FROM (SELECT ${workItems.id} FROM ${workItems} WHERE ${isWorkItemKey(ownerKey)} EXCEPT ${hangingOnItems(asset.id)})`,
  workItemOfFile.filesWith(asset.id),
)
const raiseHolders = raiseItems(hangingOnItems(asset.id), workItemOfFile.filesWithout(asset.id))
const removedFile = sql`(SELECT ${assets.id} FROM ${assets} WHERE ${asset.deletedByKey})`
const raiseReturning = raiseItems(hangingOnItems(removedFile), workItemOfFile.filesWith(removedFile))

// A response with the record shows all of its files.
const MAX_FILES = 1_000

const holderFull = guard<Values>(
  inline(
    `validation_failed:/artifactKey:This record has ${MAX_FILES.toLocaleString('en-US')} files, which is the maximum. Detach or remove a file first.`,
  ),
  sql`EXISTS (SELECT 1 FROM ${filesOf(ownerKey)} f CROSS JOIN ${assets} a ON a.id = f.id AND a.deleted_at IS NULL
      LIMIT 1 OFFSET ${inline(MAX_FILES - 1)})
    AND EXISTS (SELECT 1 FROM ${assets} WHERE ${asset.byKey} AND NOT ${isAttached})`,
)

export function modifyAsset(
  db: Database,
  key: AssetKey,
  { artifactKey, ...body }: z.output<typeof ModifyAsset>,
  ifMatch: string | null,
) {
  const values = { ...key, artifactKey: artifactKey ?? null }
  const linkStatements = artifactKey === undefined ? [] : artifactKey === null ? detachFile : attachFile
  const [losing, gaining] = [artifactKey === null ? raiseHolders(values) : [], artifactKey ? raiseTaker(values) : []]
  const derivedFields = body.usedAt === undefined ? [artifactIdField, usedAtField] : [artifactIdField]
  return asset.save(db, {
    guards: [...asset.writeGuards(key, ifMatch), ...(artifactKey == null ? [] : [holderFull(values)])],
    references: referenceTo('holderKey', '/artifactKey', artifactKey),
    statements: [
      ...losing,
      ...updateAsset(values, body, artifactKey === undefined ? [] : derivedFields),
      ...gaining,
      ...linkStatements.map((make) => make(values)),
    ],
    returning: asset.returningByKey(key),
  })
}

const { removal, restoration } = lifecycle(asset)

export function removeAsset(db: Database, key: AssetKey, ifMatch: string | null) {
  const { statements, ...rest } = removal(key, ifMatch)
  return db.write({ ...rest, statements: [...raiseHolders(key), ...statements] })
}

export function restoreAsset(db: Database, key: AssetKey) {
  const { statements, ...rest } = restoration(key)
  return asset.save(db, { ...rest, statements: [...raiseReturning(key), ...statements] })
}
