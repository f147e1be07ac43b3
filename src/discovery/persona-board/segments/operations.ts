import * as z from 'zod'
import { declareCeiling, EACH_LINK_COST_REASON } from '../../../http/ceiling'
import { operation } from '../../../http/operation'
import * as queries from './queries'
import { BoardSegment, BoardSegmentParams, CreateBoardSegment, ListBoardSegments, ModifyBoardSegment } from './schema'

export const createBoardSegment = operation({
  id: 'createBoardSegment',
  of: 'board_segment',
  route: 'POST /api/v2/persona-board/segments',
  summary: 'Create a segment of the persona board',
  description: 'Add personas by their `boardSegmentId`. A name that another segment has is a 409.',
  workspaceWide: true,
  body: CreateBoardSegment,
  data: BoardSegment,
  message: 'Segment saved',
  location: '/api/v2/persona-board/segments/{id}',
  handle: ({ body, db }) => queries.createBoardSegment(db, body),
})

export const listBoardSegments = operation({
  id: 'listBoardSegments',
  of: 'board_segment',
  route: 'GET /api/v2/persona-board/segments',
  summary: 'List the segments of the persona board',
  description: 'Lists the segments by `order`. Segments belong to the whole workspace.',
  query: ListBoardSegments,
  data: z.array(BoardSegment),
  handle: ({ query, db }) => queries.listBoardSegments(db, query),
})

export const getBoardSegment = operation({
  id: 'getBoardSegment',
  of: 'board_segment',
  route: 'GET /api/v2/persona-board/segments/{boardSegmentId}',
  summary: 'Retrieve a segment of the persona board',
  description: 'Finds the segment by its id, the `boardSegmentId` of personas.',
  params: BoardSegmentParams,
  data: BoardSegment,
  handle: ({ params, db }) => queries.getBoardSegment(db, params),
})

export const modifyBoardSegment = operation({
  id: 'modifyBoardSegment',
  of: 'board_segment',
  route: 'PUT /api/v2/persona-board/segments/{boardSegmentId}',
  summary: 'Modify a segment of the persona board',
  description: 'Changes the fields that you send; `null` clears a field.',
  workspaceWide: true,
  params: BoardSegmentParams,
  body: ModifyBoardSegment,
  data: BoardSegment,
  message: 'Segment saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyBoardSegment(db, params, body, ifMatch),
})

export const removeBoardSegment = operation({
  id: 'removeBoardSegment',
  ceiling: declareCeiling(360_000, EACH_LINK_COST_REASON),
  of: 'board_segment',
  route: 'DELETE /api/v2/persona-board/segments/{boardSegmentId}',
  summary: 'Remove a segment of the persona board',
  description:
    'Personas stay, without a segment, and emit their `updated` events. You can restore the segment for 30 days.',
  workspaceWide: true,
  params: BoardSegmentParams,
  message: 'Segment removed',
  handle: ({ params, db, ifMatch }) => queries.removeBoardSegment(db, params, ifMatch),
})

export const restoreBoardSegment = operation({
  id: 'restoreBoardSegment',
  ceiling: declareCeiling(360_000, EACH_LINK_COST_REASON),
  of: 'board_segment',
  route: 'POST /api/v2/persona-board/segments/{boardSegmentId}/restore',
  summary: 'Restore a removed segment of the persona board',
  description:
    'Restores the segment with its personas, except personas moved to another segment since. A name that another segment has is a 409.',
  workspaceWide: true,
  params: BoardSegmentParams,
  data: BoardSegment,
  message: 'Segment restored',
  handle: ({ params, db }) => queries.restoreBoardSegment(db, params),
})
