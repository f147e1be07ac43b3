import * as z from 'zod'
import { exportOperation } from '../../export-operation'
import { ExportQuery } from '../../files/write'
import { ALL_RECORDS_COST_REASON, declareCeiling, PAGE_RECORDS_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import * as queries from './queries/list'
import { CreateSuppression, ListSuppressions, Suppression, SuppressionParams } from './schema'

export const createSuppression = operation({
  id: 'createSuppression',
  of: 'suppression',
  route: 'POST /api/v2/suppressions',
  summary: 'Stop mail to an address',
  description:
    'Stops mail of a segment, or all mail of the workspace. The address does not need to belong to a member. An existing suppression stays unchanged and is a 200.',
  workspaceWide: true,
  status: 201,
  alternativeStatus: 200,
  body: CreateSuppression,
  data: Suppression,
  message: 'Suppression saved',
  async handle({ body, db }) {
    const { data, isNew } = await queries.createSuppression(db, body)
    const location = `/api/v2/suppressions/${data.id}`
    return { data, ...(isNew ? { location } : { status: 200 as const }) }
  },
})

export const listSuppressions = operation({
  id: 'listSuppressions',
  ceiling: declareCeiling(31_000, PAGE_RECORDS_COST_REASON),
  of: 'suppression',
  route: 'GET /api/v2/suppressions',
  summary: 'List suppressed addresses',
  description:
    'Suppressions, newest first, with the reason: `unsubscribe` (by the link in a message), `hard_bounce` and `complaint` (reported by the mail provider), or `manual`. Suppressions stay when the person is removed, so mail does not go to the address by mistake.',
  query: ListSuppressions,
  data: z.array(Suppression),
  handle: ({ query, db }) => queries.listSuppressions(db, query),
})

export const exportSuppressions = exportOperation({
  id: 'exportSuppressions',
  ceiling: declareCeiling(95_000, ALL_RECORDS_COST_REASON, 170_000_000),
  of: 'suppression',
  route: 'GET /api/v2/suppressions/export',
  summary: 'Export the suppressed addresses',
  description:
    'Downloads all suppressions, oldest first, with the name of the segment in `segment` (null for all mail). You can import the file into another workspace.',
  query: ExportQuery,
  read: ({ db }) => ({ name: 'suppressions', ...queries.exportSuppressions(db) }),
})

export const getSuppression = operation({
  id: 'getSuppression',
  of: 'suppression',
  route: 'GET /api/v2/suppressions/{suppressionId}',
  summary: 'Retrieve a suppression',
  description: 'An address that gets no mail, with the reason.',
  params: SuppressionParams,
  data: Suppression,
  handle: ({ params, db }) => queries.getSuppression(db, params),
})

export const removeSuppression = operation({
  id: 'removeSuppression',
  of: 'suppression',
  route: 'DELETE /api/v2/suppressions/{suppressionId}',
  summary: 'Allow mail to an address again',
  description: 'The removal is final: you cannot restore a suppression. Suppressions of other segments stay.',
  workspaceWide: true,
  params: SuppressionParams,
  message: 'Suppression removed',
  handle: ({ params, db, ifMatch }) => queries.removeSuppression(db, params, ifMatch),
})
