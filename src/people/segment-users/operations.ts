import * as z from 'zod'
import { ALL_LINKS, EVERY_MEMBER, walk } from '../../http/ceiling'
import type { Input } from '../../http/operation'
import { operation } from '../../http/operation'
import { letterFor } from '../invitations/letter'
import { type Inviting, NotInviting } from '../invitations/schema'
import { wakes } from '../mail/statements'
import { type ReadPeople, readPeople } from '../members/read'
import { toInviteResults, toldOf } from '../members/result'
import { BulkCreateUsers, Member } from '../members/schema'
import { MAX_PAGE_STEPS } from '../segments/rules/work'
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
  of: 'segment',
  route: 'POST /api/v2/segments/{segmentId}/create-users',
  summary: 'Add users to a segment',
  description: `A user who is known by the e-mail address is added, not duplicated, and keeps role and names, ${NO_OTHERS}`,
  weight: 'bulk',
  workspaceWide: true,
  params: SegmentParams,
  query: NotInviting,
  body: CreateUsers,
  data: UsersAdded,
  handle: ({ body, ...asked }) => added(readPeople(body, { nameRequired: true }), asked),
})

export const bulkCreateUsersInSegment = operation({
  id: 'bulkCreateUsersInSegment',
  of: 'segment',
  route: 'POST /api/v2/segments/{segmentId}/bulk-create-users',
  summary: 'Add up to 10,000 users with attributes to a segment',
  description: `As create-users, with last names and attributes, which are merged into those that a known user has. Such a user keeps role and names, ${NO_OTHERS}`,
  workspaceWide: true,
  bulk: true,
  params: SegmentParams,
  query: NotInviting,
  body: BulkCreateUsers,
  data: UsersAdded,
  handle: ({ body, ...asked }) => added(readPeople(body, { attributes: true }), asked),
})

export const listSegmentUsers = operation({
  id: 'listSegmentUsers',
  of: 'segment',
  bulk: true,
  route: 'GET /api/v2/segments/{segmentId}/users',
  summary: 'List the users of a segment',
  description:
    'Its members, the newest first. Of a dynamic segment each page evaluates the rules for 10,000 people of the workspace at most, so that a page may hold fewer than `limit` and still have a next one.',
  params: SegmentParams,
  query: ListSegmentUsers,
  data: z.array(Member),
  handle: ({ params, query, db }) => read.listSegmentUsers(db, query, params),
})

export const manageSegmentUsers = operation({
  id: 'manageSegmentUsers',
  of: 'segment',
  route: 'PUT /api/v2/segments/manage-users',
  summary: 'Move users to another segment, or remove them from theirs',
  description:
    'Ids of users who are not in the segment are passed over. Members of a dynamic segment are those whom its rules mean: 409.',
  weight: 'bulk',
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
  ceiling: walk(1_400, ALL_LINKS),
  of: 'segment',
  bulk: true,
  route: 'GET /api/v2/segments/{segmentId}',
  summary: 'Retrieve a segment, with or without its users',
  description:
    'With the number of its members: a dynamic one is counted for it, and rules that take too much work for the members of the workspace are a 400 (see `Rules`). With `include=users` the newest of them come too, the rest by `/users`.',
  params: SegmentParams,
  query: GetSegment,
  data: FoundSegment,
  handle: ({ params, query, db }) =>
    query.include === 'users' ? read.getSegmentWithUsers(db, params) : read.getSegment(db, params),
})

export const listSegmentsWithUsers = operation({
  id: 'listSegmentsWithUsers',
  ceiling: walk(4_100_000, EVERY_MEMBER, 12_000_000),
  of: 'segment',
  bulk: true,
  route: 'GET /api/v2/segments/users',
  summary: 'List segments with their users',
  description: `The newest first, each with the newest of its read. A page holds ten dynamic segments at most, and fewer where their rules take more than ${MAX_PAGE_STEPS} steps together (see \`Rules\`). Their members are found when the page is asked for; their number is that of the last count. A page whose rules take too much work for the members of the workspace is a 400: set a smaller \`limit\`, or simplify the rules.`,
  readsFirst: true,
  query: ListSegments,
  data: z.array(SegmentWithUsers),
  handle: ({ query, db }) => read.listSegmentsWithUsers(db, query),
})

export const previewSegment = operation({
  id: 'previewSegment',
  ceiling: walk(53_000, EVERY_MEMBER),
  of: 'segment',
  bulk: true,
  route: 'POST /api/v2/segments/preview',
  summary: 'Preview a dynamic segment',
  description:
    'How many members rules mean now, and the newest of them. Nothing is stored. Rules that take too much work for the members of the workspace are a 400 (see `Rules`).',
  weight: 'preview',
  scope: 'segments:read',
  body: PreviewSegment,
  data: SegmentPreview,
  handle: ({ body, db }) => read.previewSegment(db, body.rules),
})
