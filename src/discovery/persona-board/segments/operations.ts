import * as z from 'zod'
import { operation } from '../../../http/operation'
import * as queries from './queries'
import { BoardSegment, BoardSegmentParams, CreateBoardSegment, ListBoardSegments, ModifyBoardSegment } from './schema'

export const createBoardSegment = operation({
  id: 'createBoardSegment',
  method: 'post',
  path: '/api/v2/persona-board/segments',
  tag: 'Persona board',
  summary: 'Create a segment of the persona board',
  description: 'Personas are put into it by their `boardSegmentId`. A name that another segment has is a 409.',
  scope: 'personas:write',
  workspaceWide: true,
  status: 201,
  body: CreateBoardSegment,
  data: BoardSegment,
  message: 'Segment saved',
  location: '/api/v2/persona-board/segments/{id}',
  handle: ({ body, db }) => queries.createBoardSegment(db, body),
})

export const listBoardSegments = operation({
  id: 'listBoardSegments',
  method: 'get',
  path: '/api/v2/persona-board/segments',
  tag: 'Persona board',
  summary: 'List the segments of the persona board',
  description: 'In their order. They belong to the whole workspace.',
  scope: 'personas:read',
  query: ListBoardSegments,
  data: z.array(BoardSegment),
  handle: ({ query, db }) => queries.listBoardSegments(db, query),
})

export const getBoardSegment = operation({
  id: 'getBoardSegment',
  method: 'get',
  path: '/api/v2/persona-board/segments/{boardSegmentId}',
  tag: 'Persona board',
  summary: 'Retrieve a segment of the persona board',
  description: 'By its id, which its personas have as `boardSegmentId`.',
  scope: 'personas:read',
  params: BoardSegmentParams,
  data: BoardSegment,
  errors: ['board_segment_not_found'],
  handle: ({ params, db }) => queries.getBoardSegment(db, params),
})

export const modifyBoardSegment = operation({
  id: 'modifyBoardSegment',
  method: 'put',
  path: '/api/v2/persona-board/segments/{boardSegmentId}',
  tag: 'Persona board',
  summary: 'Modify a segment of the persona board',
  description: 'Changes the fields that are sent; `null` clears one.',
  scope: 'personas:write',
  workspaceWide: true,
  params: BoardSegmentParams,
  body: ModifyBoardSegment,
  data: BoardSegment,
  errors: ['board_segment_not_found'],
  conditional: true,
  message: 'Segment saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyBoardSegment(db, params, body, ifMatch),
})

export const removeBoardSegment = operation({
  id: 'removeBoardSegment',
  method: 'delete',
  path: '/api/v2/persona-board/segments/{boardSegmentId}',
  tag: 'Persona board',
  summary: 'Remove a segment of the persona board',
  description: 'Its personas stay, in none. It can be restored for 30 days.',
  scope: 'personas:write',
  workspaceWide: true,
  params: BoardSegmentParams,
  data: z.object({}),
  errors: ['board_segment_not_found'],
  conditional: true,
  message: 'Segment removed',
  handle: ({ params, db, ifMatch }) => queries.removeBoardSegment(db, params, ifMatch),
})

export const restoreBoardSegment = operation({
  id: 'restoreBoardSegment',
  method: 'post',
  path: '/api/v2/persona-board/segments/{boardSegmentId}/restore',
  tag: 'Persona board',
  summary: 'Restore a removed segment of the persona board',
  description: 'With the personas that were in it and are in no other since. While another has its name: a 409.',
  scope: 'personas:write',
  workspaceWide: true,
  params: BoardSegmentParams,
  data: BoardSegment,
  errors: ['board_segment_not_found'],
  message: 'Segment restored',
  handle: ({ params, db }) => queries.restoreBoardSegment(db, params),
})
