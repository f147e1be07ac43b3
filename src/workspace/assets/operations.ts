import * as z from 'zod'
import { declareCeiling, EACH_LINK_COST_REASON, RECORD_FILES_COST_REASON } from '../../http/ceiling'
import { discardObject, MEMORY_PER_OBJECT_WRITE } from '../../http/object'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import { replyWithStoredFile } from '../../http/stored-file'
import { ApiError, notFoundError } from '../../text/errors'
import { makeObjectKey } from '../objects/fields'
import * as queries from './queries'
import { Asset, AssetParams, ListAssets, ModifyAsset, UploadFields } from './schema'
import { storeFile } from './store'

export const createAsset = operation({
  id: 'createAsset',
  of: 'asset',
  route: 'POST /api/initiatives/{product_external_key}/assets',
  summary: 'Upload a file',
  description: 'A file has at most 25 MiB. Work items name the file by its id in `files[].file.id`.',
  preflight: { auth: true },
  params: ProductParams,
  upload: {
    part: 'file',
    description: 'The file.',
    fields: UploadFields,
    maxHeldBytes: MEMORY_PER_OBJECT_WRITE,
    // The bytes come first, because a record must never refer to a missing object.
    receive: (file, { env, actor }) => storeFile(env.FILES, makeObjectKey('asset', actor.subscriptionId), file),
    discard: ({ objectKey }, { env }) => discardObject(env.FILES, objectKey),
  },
  data: Asset,
  message: 'File stored',
  location: '/api/initiatives/{product_external_key}/assets/{id}',
  async handle({ body, db, env, runAfterResponse }) {
    const { objectKey } = body.file
    try {
      const reply = await queries.createAsset(db, body.file, body.fields)
      // A different object in the reply means a repeated Idempotency-Key, and the new bytes are surplus.
      if (reply.data.path !== objectKey) runAfterResponse(discardObject(env.FILES, objectKey))
      return reply
    } catch (cause) {
      // A refusal wrote no record. After an interruption the outcome is unknown, and a surplus object is better than a
      // lost one.
      if (cause instanceof ApiError && cause.status < 500) runAfterResponse(discardObject(env.FILES, objectKey))
      throw cause
    }
  },
})

export const listAssets = operation({
  id: 'listAssets',
  ceiling: declareCeiling(4_100, RECORD_FILES_COST_REASON),
  of: 'asset',
  route: 'GET /api/initiatives/{product_external_key}/assets',
  summary: 'List files',
  description: 'Records of the files, newest first. Download the bytes of each file separately.',
  params: ProductParams,
  query: ListAssets,
  data: z.array(Asset),
  handle: ({ query, db }) => queries.listAssets(db, query),
})

export const getAsset = operation({
  id: 'getAsset',
  of: 'asset',
  route: 'GET /api/initiatives/{product_external_key}/assets/{assetId}',
  summary: "Retrieve a file's record",
  description: 'The name, size, media type and download path of the file, but no bytes.',
  params: AssetParams,
  data: Asset,
  handle: ({ params, db }) => queries.getAsset(db, params),
})

export const modifyAsset = operation({
  id: 'modifyAsset',
  of: 'asset',
  route: 'PUT /api/initiatives/{product_external_key}/assets/{assetId}',
  summary: "Modify a file's record",
  description:
    'Changes only the fields that you send. `artifactKey` attaches the file to a record of the product. The bytes do not change.',
  params: AssetParams,
  body: ModifyAsset,
  data: Asset,
  message: 'File saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyAsset(db, params, body, ifMatch),
})

export const removeAsset = operation({
  id: 'removeAsset',
  ceiling: declareCeiling(1_050_000, EACH_LINK_COST_REASON),
  of: 'asset',
  route: 'DELETE /api/initiatives/{product_external_key}/assets/{assetId}',
  summary: 'Remove a file',
  description: 'You can restore the file for 30 days.',
  params: AssetParams,
  message: 'File removed',
  handle: ({ params, db, ifMatch }) => queries.removeAsset(db, params, ifMatch),
})

export const restoreAsset = operation({
  id: 'restoreAsset',
  ceiling: declareCeiling(1_200_000, EACH_LINK_COST_REASON),
  of: 'asset',
  route: 'POST /api/initiatives/{product_external_key}/assets/{assetId}/restore',
  summary: 'Restore a removed file',
  description: 'The file returns with its bytes, on the records that it was attached to.',
  params: AssetParams,
  data: Asset,
  message: 'File restored',
  handle: ({ params, db }) => queries.restoreAsset(db, params),
})

export const downloadAsset = operation({
  id: 'downloadAsset',
  of: 'asset',
  route: 'GET /api/initiatives/{product_external_key}/assets/{assetId}/download',
  summary: 'Download a file',
  description:
    'Pictures (PNG, JPEG, GIF, WebP, AVIF), PDF, audio and video keep their media type. Each other file is `application/octet-stream`. Only pictures are shown, and each other file is an attachment.',
  params: AssetParams,
  async handle({ params, db, env, header }) {
    const file = await queries.getStoredFile(db, params)
    const { objectKey, sha256: tag, size } = file
    const reply = await replyWithStoredFile({ files: env.FILES, objectKey, size, tag, file, header })
    if (!reply) throw notFoundError('asset_not_found')
    return reply
  },
})
