import * as z from 'zod'
import type { Input } from '../../http/operation'
import { operation } from '../../http/operation'
import { letterFor } from '../invitations/letter'
import { type Inviting, NotInviting } from '../invitations/schema'
import { wakes } from '../mail/statements'
import { type ReadPeople, readPeople } from '../members/read'
import { toInviteResults, toldOf } from '../members/result'
import { BulkCreateUsers, Member } from '../members/schema'
import { ListSegments, SegmentParams } from '../segments/schema'
import type { SegmentKey } from '../segments/statements'
import { addUsers } from './queries/add'
import { manageSegmentUsers as manage } from './queries/manage'
import * as read from './queries/read'
import {
  CreateUsers,
  FoundSegment,
  GetSegment,
  ListSegmentUsers,
  ManageSegmentUsers,
  PreviewSegment,
  SegmentPreview,
  SegmentWithUsers,
  UsersAdded,
  UsersManaged,
} from './schema'

type Asked = Pick<Input<SegmentKey, Inviting, unknown>, 'params' | 'query' | 'db' | 'actor' | 'env' | 'origin' | 'wake'>

async function added(given: ReadPeople, { params, db, actor, ...asked }: Asked) {
  const letter = letterFor(asked)
  const rows = await addUsers(db, params, given, letter)
  if (letter) asked.wake(wakes(actor.subscriptionId, letter))
  const inviteResults = toInviteResults(given.read, rows, actor)
  const data = { inviteResults, segmentCount: rows[0].segmentCount }
  return { data, message: toldOf(inviteResults, 'Users added to the segment') }
}

const NO_OTHERS =
  'which a key that reads no people (`segments:read`, `products:read`) is not shown: it is answered the name that it sent. An item that is not valid is reported with `success: false` and keeps none of the others out. Of a dynamic segment it is a 409: its rules say who is in it.'

export const createUsersInSegment = operation({
  id: 'createUsersInSegment',
  method: 'post',
  path: '/api/v2/segments/{segmentId}/create-users',
  tag: 'Segments',
  summary: 'Add users to a segment',
  description: `A user who is known by the e-mail address is added, not duplicated, and keeps role and names, ${NO_OTHERS}`,
  scope: 'segments:write',
  workspaceWide: true,
  params: SegmentParams,
  query: NotInviting,
  body: CreateUsers,
  data: UsersAdded,
  errors: ['segment_not_found'],
  handle: ({ body, ...asked }) => added(readPeople(body, { nameRequired: true }), asked),
})

export const bulkCreateUsersInSegment = operation({
  id: 'bulkCreateUsersInSegment',
  method: 'post',
  path: '/api/v2/segments/{segmentId}/bulk-create-users',
  tag: 'Segments',
  summary: 'Add up to 10,000 users with attributes to a segment',
  description: `As create-users, with last names and attributes, which are merged into those that a known user has. Such a user keeps role and names, ${NO_OTHERS}`,
  scope: 'segments:write',
  workspaceWide: true,
  bulk: true,
  params: SegmentParams,
  query: NotInviting,
  body: BulkCreateUsers,
  data: UsersAdded,
  errors: ['segment_not_found'],
  handle: ({ body, ...asked }) => added(readPeople(body, { attributes: true }), asked),
})

export const listSegmentUsers = operation({
  id: 'listSegmentUsers',
  method: 'get',
  path: '/api/v2/segments/{segmentId}/users',
  tag: 'Segments',
  summary: 'List the users of a segment',
  description:
    'Its members, the newest first. Of a dynamic segment each page walks 10,000 people of the workspace at most, so that it may hold fewer than `limit` and still have a next one.',
  scope: 'segments:read',
  params: SegmentParams,
  query: ListSegmentUsers,
  data: z.array(Member),
  errors: ['segment_not_found'],
  handle: ({ params, query, db }) => read.listSegmentUsers(db, query, params),
})

export const manageSegmentUsers = operation({
  id: 'manageSegmentUsers',
  method: 'put',
  path: '/api/v2/segments/manage-users',
  tag: 'Segments',
  summary: 'Move users to another segment, or remove them from theirs',
  description:
    'Ids of users who are not in the segment are passed over. Members of a dynamic segment are those whom its rules mean: 409.',
  scope: 'segments:write',
  workspaceWide: true,
  body: ManageSegmentUsers,
  data: UsersManaged,
  async handle({ body, db }) {
    const data = await manage(db, body)
    const { action } = body
    return { data, message: `${data.changed} users ${action === 'move' ? 'moved' : 'removed from the segment'}` }
  },
})

export const getSegment = operation({
  id: 'getSegment',
  method: 'get',
  path: '/api/v2/segments/{segmentId}',
  tag: 'Segments',
  summary: 'Retrieve a segment, with or without its users',
  description:
    'With the number of its members: a dynamic one is counted for it. With `include=users` the newest of them come too, the rest by `/users`.',
  scope: 'segments:read',
  params: SegmentParams,
  query: GetSegment,
  data: FoundSegment,
  errors: ['segment_not_found'],
  handle: ({ params, query, db }) =>
    query.include === 'users' ? read.getSegmentWithUsers(db, params) : read.getSegment(db, params),
})

export const listSegmentsWithUsers = operation({
  id: 'listSegmentsWithUsers',
  method: 'get',
  path: '/api/v2/segments/users',
  tag: 'Segments',
  summary: 'List segments with their users',
  description:
    'The newest first, each with the newest of its read. A page holds ten dynamic segments at most, whose members are found when it is asked for; their number is that of the last count.',
  scope: 'segments:read',
  readsFirst: true,
  query: ListSegments,
  data: z.array(SegmentWithUsers),
  handle: ({ query, db }) => read.listSegmentsWithUsers(db, query),
})

export const previewSegment = operation({
  id: 'previewSegment',
  method: 'post',
  path: '/api/v2/segments/preview',
  tag: 'Segments',
  summary: 'Preview a dynamic segment',
  description: 'How many members rules mean now, and the newest of them. Nothing is stored.',
  scope: 'segments:read',
  body: PreviewSegment,
  data: SegmentPreview,
  handle: ({ body, db }) => read.previewSegment(db, body.rules),
})
