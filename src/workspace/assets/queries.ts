import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { guard } from '../../db/client/refuse'
import { type DerivedField, insertStatement, updateStatement } from '../../db/records/change'
import { makeLifecycle } from '../../db/records/lifecycle'
import { createLinkFieldUpdates, raiseTargetVersions } from '../../db/records/links'
import { makeListReader } from '../../db/records/list'
import { assets, attachments } from '../../db/schema/assets'
import { changelogEntries } from '../../db/schema/changelog'
import { workItemFiles, workItems } from '../../db/schema/work-items'
import { productId } from '../../db/sql/access'
import {
  attachableOwnerId,
  attachmentUseOfOwner,
  isWorkItemKey,
  nonWorkItemOwnerRows,
} from '../../db/sql/attachable-owners'
import { type Filter, namesRecord } from '../../db/sql/filter'
import { referenceTo } from '../../db/sql/references'
import {
  caller,
  columnList,
  inline,
  insertInto,
  param,
  type SelectedRow,
  statement,
  type Values,
} from '../../db/sql/statement'
import { coverHolder, workItemTargetOfFile } from '../../link-targets'
import { notFoundError } from '../../text/errors'
import { asset, type StoredFile } from './fields'
import { ListAssets, ModifyAsset, UploadFields } from './schema'

export type AssetKey = Parameters<typeof asset.returningByKey>[0]

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
const emitAssetCreated = asset.emit('created')

export const createAsset = (db: Database, file: StoredFile, fields: z.output<typeof UploadFields>) =>
  asset.save(db, { statements: [insertAsset(fields, file), emitAssetCreated({})], returning: asset.inserted() })

export const getAsset = asset.get

const fileIdsOfRecord = (
  key: SQL,
) => sql`(SELECT ${workItemFiles.assetId} AS id FROM ${workItems} CROSS JOIN ${workItemFiles}
    ON ${workItemFiles.subscriptionId} = ${caller.subscription} AND ${workItemFiles.workItemId} = ${workItems.id}
  WHERE ${isWorkItemKey(key)}
  UNION ALL SELECT ${attachments.assetId} FROM (${nonWorkItemOwnerRows(key)}) h CROSS JOIN ${attachments}
    ON ${attachments.subscriptionId} = ${caller.subscription} AND ${attachments.kind} = h.kind
      AND ${attachments.holderId} = h.id)`

const attachedToRecordFilter: Filter<string> = {
  where: () => sql`true`,
  source: (name) =>
    sql`${fileIdsOfRecord(sql`${param(name)}`)} hanging CROSS JOIN ${assets} ON ${assets.id} = hanging.id`,
}

export const listAssets = makeListReader(asset, ListAssets, {
  sorts: { createdAt: assets.createdAt },
  filters: { artifactKey: namesRecord('holderKey', attachedToRecordFilter) },
}).page

const STORED_FILE_COLUMNS = ['objectKey', 'name', 'mime', 'sha256', 'size'] as const

const selectStoredFile = statement<SelectedRow<typeof assets, (typeof STORED_FILE_COLUMNS)[number]>, Values>(
  sql`SELECT ${columnList(assets, STORED_FILE_COLUMNS)} ${asset.from} WHERE ${asset.byKey}`,
)

export async function getStoredFile(db: Database, key: AssetKey): Promise<StoredFile> {
  const [[file]] = await db.read(selectStoredFile(key))
  if (!file) throw notFoundError(asset.missing)
  return file
}

const updateAsset = updateStatement(asset, ModifyAsset, { except: ['artifactKey'] })

const newOwnerKey = sql`${param('artifactKey')}`

// An attached file still changes `artifactId` if a later attachment has replaced the id.
const isAttachedToNewOwner = sql`(EXISTS (SELECT 1 FROM ${workItemFiles} CROSS JOIN ${workItems} ON ${workItems.id} = ${workItemFiles.workItemId}
    WHERE ${workItemFiles.subscriptionId} = ${caller.subscription} AND ${workItemFiles.assetId} = ${assets.id} AND ${isWorkItemKey(newOwnerKey)})
  OR EXISTS (SELECT 1 FROM (${nonWorkItemOwnerRows(newOwnerKey)}) h CROSS JOIN ${attachments} ON ${attachments.kind} = h.kind
    AND ${attachments.holderId} = h.id
    WHERE ${attachments.subscriptionId} = ${caller.subscription} AND ${attachments.assetId} = ${assets.id}))`
const fileChangesOwner = sql`(${assets.artifactId} IS NOT ${attachableOwnerId(newOwnerKey)} OR (${newOwnerKey} IS NOT NULL AND NOT ${isAttachedToNewOwner}))`
const usedAtOfNewOwner = sql`coalesce(${attachmentUseOfOwner(newOwnerKey)}, '')`

const artifactIdField: DerivedField = {
  name: 'artifactId',
  json: sql`coalesce(${assets.artifactId}, 0)`,
  differs: fileChangesOwner,
  source: { column: assets.artifactId, value: attachableOwnerId(newOwnerKey) },
}
const usedAtField: DerivedField = {
  name: 'usedAt',
  json: sql`json_quote(${assets.usedAt})`,
  differs: sql`(${fileChangesOwner} AND ${assets.usedAt} <> ${usedAtOfNewOwner})`,
  source: {
    column: assets.usedAt,
    value: sql`CASE WHEN ${fileChangesOwner} THEN ${usedAtOfNewOwner} ELSE ${assets.usedAt} END`,
  },
}

const detachStatements = [workItemFiles, attachments].map((links) =>
  statement<never, Values>(sql`DELETE FROM ${links}
    WHERE ${links.subscriptionId} = ${caller.subscription} AND ${links.assetId} = ${asset.id}`),
)
const attachStatements = [
  insertInto(
    workItemFiles,
    { subscriptionId: caller.subscription, workItemId: sql`${workItems.id}`, assetId: asset.id },
    sql`FROM ${workItems} WHERE ${isWorkItemKey(newOwnerKey)} ON CONFLICT DO NOTHING`,
  ),
  insertInto(
    attachments,
    { subscriptionId: caller.subscription, kind: sql`h.kind`, holderId: sql`h.id`, assetId: asset.id },
    sql`FROM (${nonWorkItemOwnerRows(newOwnerKey)}) h WHERE true ON CONFLICT DO NOTHING`,
  ),
].map((source) => statement<never, Values>(source))

// Work items show their files: each event is appended before the files change.
const raiseWorkItemVersions = (ids: SQL, becomes: SQL) =>
  raiseTargetVersions(workItemTargetOfFile, { ids, newValue: becomes })
const workItemIdsOfFile = (file: SQL) => sql`SELECT l.work_item_id FROM ${workItemFiles} l
  WHERE l.subscription_id = ${caller.subscription} AND l.asset_id = ${file}`
const raiseVersionOfItemGainingFile = raiseWorkItemVersions(
  sql`SELECT * FROM (SELECT ${workItems.id} FROM ${workItems} WHERE ${isWorkItemKey(newOwnerKey)} EXCEPT ${workItemIdsOfFile(asset.id)})`,
  workItemTargetOfFile.filesWith(asset.id),
)
const raiseVersionsOfItemsLosingFile = raiseWorkItemVersions(
  workItemIdsOfFile(asset.id),
  workItemTargetOfFile.filesWithout(asset.id),
)
const removedFileId = sql`(SELECT ${assets.id} FROM ${assets} WHERE ${asset.deletedByKey})`
const raiseItemVersionsOnRestore = raiseWorkItemVersions(
  workItemIdsOfFile(removedFileId),
  workItemTargetOfFile.filesWith(removedFileId),
)

// A response with the record shows all of its files.
const MAX_FILES_PER_RECORD = 1_000

const recordHasTooManyFiles = guard<Values>(
  `validation_failed:/artifactKey:This record has ${MAX_FILES_PER_RECORD.toLocaleString('en-US')} files, which is the maximum. Detach or remove a file first.`,
  sql`EXISTS (SELECT 1 FROM ${fileIdsOfRecord(newOwnerKey)} f CROSS JOIN ${assets} a ON a.id = f.id AND a.deleted_at IS NULL
      LIMIT 1 OFFSET ${inline(MAX_FILES_PER_RECORD - 1)})
    AND EXISTS (SELECT 1 FROM ${assets} WHERE ${asset.byKey} AND NOT ${isAttachedToNewOwner})`,
)

export function modifyAsset(
  db: Database,
  key: AssetKey,
  { artifactKey, ...body }: z.output<typeof ModifyAsset>,
  ifMatch: string | null,
) {
  const values = { ...key, artifactKey: artifactKey ?? null }
  const linkStatements = artifactKey === undefined ? [] : artifactKey === null ? detachStatements : attachStatements
  const [losing, gaining] = [
    artifactKey === null ? raiseVersionsOfItemsLosingFile(values) : [],
    artifactKey ? raiseVersionOfItemGainingFile(values) : [],
  ]
  const derivedFields = body.usedAt === undefined ? [artifactIdField, usedAtField] : [artifactIdField]
  return asset.save(db, {
    guards: [...asset.writeGuards(key, ifMatch), ...(artifactKey == null ? [] : [recordHasTooManyFiles(values)])],
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

const assetLifecycle = makeLifecycle(asset)
const coverUpdates = createLinkFieldUpdates(coverHolder, changelogEntries.coverId, asset, assets.id)

export function removeAsset(db: Database, key: AssetKey, ifMatch: string | null) {
  const { statements, ...rest } = assetLifecycle.removal(key, ifMatch)
  return db.write({
    ...rest,
    statements: [...raiseVersionsOfItemsLosingFile(key), ...coverUpdates.hide(key), ...statements],
  })
}

export function restoreAsset(db: Database, key: AssetKey) {
  const { statements, ...rest } = assetLifecycle.restoration(key)
  return asset.save(db, {
    ...rest,
    statements: [...raiseItemVersionsOnRestore(key), ...coverUpdates.show(key), ...statements],
  })
}
