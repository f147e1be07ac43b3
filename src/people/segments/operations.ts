import * as z from 'zod'
import { operation } from '../../http/operation'
import { ApiError } from '../../text/errors'
import * as queries from './queries'
import { CreateSegment, ListSegments, ModifySegment, Segment, SegmentParams } from './schema'

export const createSegment = operation({
  id: 'createSegment',
  of: 'segment',
  route: 'POST /api/v2/segments',
  summary: 'Create a segment',
  description:
    'A manual one begins without members; a dynamic one has those whom its rules mean, and is counted. A name that another segment has is a 409, and so are rules of a manual one. Rules that take too much work for the members of the workspace are a 400 (see `Rules`).',
  weight: 'bulk',
  workspaceWide: true,
  status: 201,
  body: CreateSegment,
  data: Segment,
  message: 'Segment saved',
  async handle({ body, db }) {
    if (body.type === 'manual' && body.rules) {
      throw new ApiError('conflict', 'A manual segment has no rules. Make a dynamic one: "type": "dynamic".')
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
  description: 'The newest first, each with the number of its members: of a dynamic one as it was counted last.',
  query: ListSegments,
  data: z.array(Segment),
  handle: ({ query, db }) => queries.listSegments(db, query),
})

export const modifySegment = operation({
  id: 'modifySegment',
  of: 'segment',
  route: 'PUT /api/v2/segments/{segmentId}',
  summary: 'Modify a segment',
  description:
    'Changes the fields that are sent; `null` clears one. A name that another segment has is a 409, and so are rules of a manual one, or another type. Rules that take too much work for the members of the workspace are a 400 (see `Rules`).',
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
  description: 'Its members stay members of the workspace. It can be restored for 30 days.',
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
  description: 'With the members that it had. A name that another segment has taken since is a 409.',
  workspaceWide: true,
  params: SegmentParams,
  data: Segment,
  message: 'Segment restored',
  handle: ({ params, db }) => queries.restoreSegment(db, params),
})
