import * as z from 'zod'
import { exportOperation } from '../../export-operation'
import { ExportQuery } from '../../files/write'
import { ALL_RECORDS_COST_REASON, declareCeiling } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { ApiError } from '../../text/errors'
import * as queries from './queries'
import { CreateSegment, ListSegments, ModifySegment, Segment, SegmentParams } from './schema'

export const createSegment = operation({
  id: 'createSegment',
  of: 'segment',
  route: 'POST /api/v2/segments',
  storesRecords: true,
  summary: 'Create a segment',
  description:
    'A manual segment begins without members. The rules of a dynamic segment select its members, and the service counts them. A name that another segment has is a 409, and so are rules for a manual segment. Rules that exceed the budget are a 400 (see `Rules`).',
  weight: 'bulk',
  workspaceWide: true,
  status: 201,
  body: CreateSegment,
  data: Segment,
  message: 'Segment saved',
  async handle({ body, db }) {
    if (body.type === 'manual' && body.rules) {
      throw new ApiError('conflict', 'A manual segment has no rules. Create a dynamic segment: "type": "dynamic".')
    }
    const { data } = await queries.createSegment(db, body)
    return { data, location: `/api/v2/segments/${data.id}` }
  },
})

export const listSegments = operation({
  id: 'listSegments',
  of: 'segment',
  route: 'GET /api/v2/segments',
  summary: 'List segments, without their users',
  description: 'Segments, newest first, each with the number of its members; a dynamic segment has the last count.',
  query: ListSegments,
  data: z.array(Segment),
  handle: ({ query, db }) => queries.listSegments(db, query),
})

export const exportSegments = exportOperation({
  id: 'exportSegments',
  ceiling: declareCeiling(95_000, ALL_RECORDS_COST_REASON),
  of: 'segment',
  route: 'GET /api/v2/segments/export',
  summary: 'Export the segments',
  description:
    'Downloads all segments, oldest first, with the rules of dynamic segments. The export of the members names the manual segments of each member.',
  query: ExportQuery,
  read: ({ db }) => ({ name: 'segments', ...queries.exportSegments(db) }),
})

export const modifySegment = operation({
  id: 'modifySegment',
  of: 'segment',
  route: 'PUT /api/v2/segments/{segmentId}',
  summary: 'Modify a segment',
  description:
    'Changes the fields that you send; `null` clears a field. A name that another segment has is a 409, and so is another type, or rules for a manual segment. Rules that exceed the budget are a 400 (see `Rules`).',
  weight: 'bulk',
  workspaceWide: true,
  params: SegmentParams,
  body: ModifySegment,
  data: Segment,
  message: 'Segment saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifySegment(db, params, body, ifMatch),
})

export const removeSegment = operation({
  id: 'removeSegment',
  of: 'segment',
  route: 'DELETE /api/v2/segments/{segmentId}',
  summary: 'Remove a segment',
  description: 'The members stay in the workspace. You can restore the segment for 30 days.',
  workspaceWide: true,
  params: SegmentParams,
  message: 'Segment removed',
  handle: ({ params, db, ifMatch }) => queries.removeSegment(db, params, ifMatch),
})

export const restoreSegment = operation({
  id: 'restoreSegment',
  of: 'segment',
  route: 'POST /api/v2/segments/{segmentId}/restore',
  summary: 'Restore a removed segment',
  description: 'Restores the segment with its members. If another segment has the name now, the restore is a 409.',
  workspaceWide: true,
  params: SegmentParams,
  data: Segment,
  message: 'Segment restored',
  handle: ({ params, db }) => queries.restoreSegment(db, params),
})
