import * as z from 'zod'
import { operation } from '../../http/operation'
import * as queries from './queries'
import { CreateSegment, ListSegments, ModifySegment, Segment, SegmentParams } from './schema'

export const createSegment = operation({
  id: 'createSegment',
  method: 'post',
  path: '/api/v2/segments',
  tag: 'Segments',
  summary: 'Create a segment',
  description: 'It begins without members. A name that another segment has is a 409.',
  scope: 'segments:write',
  workspaceWide: true,
  status: 201,
  body: CreateSegment,
  data: Segment,
  async handle({ body, db }) {
    const { data } = await queries.createSegment(db, body)
    return { data, message: 'Segment saved', location: `/api/v2/segments/${data.id}` }
  },
})

export const listSegments = operation({
  id: 'listSegments',
  method: 'get',
  path: '/api/v2/segments',
  tag: 'Segments',
  summary: 'List segments, without their users',
  description: 'The newest first, each with the number of its members.',
  scope: 'segments:read',
  query: ListSegments,
  data: z.array(Segment),
  handle: ({ query, db }) => queries.listSegments(db, query),
})

export const getSegment = operation({
  id: 'getSegment',
  method: 'get',
  path: '/api/v2/segments/{segmentId}',
  tag: 'Segments',
  summary: 'Retrieve a segment, without its users',
  description: 'With the number of its members.',
  scope: 'segments:read',
  params: SegmentParams,
  data: Segment,
  errors: ['segment_not_found'],
  handle: ({ params, db }) => queries.getSegment(db, params),
})

export const modifySegment = operation({
  id: 'modifySegment',
  method: 'put',
  path: '/api/v2/segments/{segmentId}',
  tag: 'Segments',
  summary: 'Modify a segment',
  description: 'Changes the fields that are sent; `null` clears one. A name that another segment has is a 409.',
  scope: 'segments:write',
  workspaceWide: true,
  params: SegmentParams,
  body: ModifySegment,
  data: Segment,
  errors: ['segment_not_found'],
  conditional: true,
  async handle({ params, body, db, ifMatch }) {
    return { ...(await queries.modifySegment(db, params, body, ifMatch)), message: 'Segment saved' }
  },
})

export const removeSegment = operation({
  id: 'removeSegment',
  method: 'delete',
  path: '/api/v2/segments/{segmentId}',
  tag: 'Segments',
  summary: 'Remove a segment',
  description: 'Its members stay members of the workspace. It can be restored for 30 days.',
  scope: 'segments:write',
  workspaceWide: true,
  params: SegmentParams,
  data: z.object({}),
  errors: ['segment_not_found'],
  conditional: true,
  async handle({ params, db, ifMatch }) {
    await queries.removeSegment(db, params, ifMatch)
    return { data: {}, message: 'Segment removed' }
  },
})

export const restoreSegment = operation({
  id: 'restoreSegment',
  method: 'post',
  path: '/api/v2/segments/{segmentId}/restore',
  tag: 'Segments',
  summary: 'Restore a removed segment',
  description: 'With the members that it had. A name that another segment has taken since is a 409.',
  scope: 'segments:write',
  workspaceWide: true,
  params: SegmentParams,
  data: Segment,
  errors: ['segment_not_found'],
  async handle({ params, db }) {
    return { ...(await queries.restoreSegment(db, params)), message: 'Segment restored' }
  },
})
