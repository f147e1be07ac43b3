import * as z from 'zod'
import { ALL_LINKS_COST_REASON, declareCeiling, EVERY_MEMBER_COST_REASON } from '../../http/ceiling'
import type { HandlerInput } from '../../http/operation'
import { operation } from '../../http/operation'
import { createMailIfInvited } from '../invitations/invitation-mail'
import { InviteOnRequestQuery, type InviteQuery } from '../invitations/schema'
import { createMailAcceptedMessage } from '../mail/statements'
import { type ReadPeople, readPeople } from '../members/read'
import { summarizeResults, toInviteResults } from '../members/result'
import { BulkCreateUsers, Member } from '../members/schema'
import { MAX_RULE_STEPS_PER_PAGE } from '../segments/rules/work'
import { ListSegments, SegmentParams } from '../segments/schema'
import type { SegmentKey } from '../segments/statements'
import { addSegmentUsers } from './queries/add'
import { manageSegmentUsers as manage } from './queries/manage'
import * as read from './queries/read'
import {
  CreatedUsers,
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

type AddUsersRequest = Pick<
  HandlerInput<SegmentKey, InviteQuery, unknown>,
  'params' | 'query' | 'db' | 'actor' | 'env' | 'origin' | 'enqueue'
>

async function addUsersToSegment(given: ReadPeople, { params, db, actor, ...asked }: AddUsersRequest) {
  const letter = createMailIfInvited(asked)
  const rows = await addSegmentUsers(db, params, given, letter)
  if (letter) asked.enqueue(createMailAcceptedMessage(actor.subscriptionId, letter))
  const inviteResults = toInviteResults(given.read, rows, actor)
  const data = { inviteResults, segmentCount: rows[0].segmentCount }
  return { data, message: summarizeResults(inviteResults, 'Users added to the segment') }
}

const PRIVACY_DESCRIPTION =
  'A key that may not read people (`segments:read`, `products:read`) gets the submitted name back. An invalid item has `success: false` and does not affect the other items. A dynamic segment is a 409, because rules select its members.'

export const createUsersInSegment = operation({
  id: 'createUsersInSegment',
  of: 'segment',
  route: 'POST /api/v2/segments/{segmentId}/create-users',
  storesRecords: true,
  summary: 'Add users to a segment',
  description: `A user with a known e-mail address is added, not duplicated, and keeps role and names. ${PRIVACY_DESCRIPTION}`,
  weight: 'bulk',
  workspaceWide: true,
  params: SegmentParams,
  query: InviteOnRequestQuery,
  body: CreateUsers,
  acceptsUnknownMembers: true,
  bodyMembers: CreatedUsers,
  data: UsersAdded,
  handle: ({ body, ...asked }) => addUsersToSegment(readPeople(body, { nameRequired: true }), asked),
})

export const bulkCreateUsersInSegment = operation({
  id: 'bulkCreateUsersInSegment',
  of: 'segment',
  route: 'POST /api/v2/segments/{segmentId}/bulk-create-users',
  storesRecords: true,
  summary: 'Add up to 10,000 users with attributes to a segment',
  description: `Adds users like create-users, with last names and attributes. A known user keeps role and names, and the attributes are merged. ${PRIVACY_DESCRIPTION}`,
  workspaceWide: true,
  bulk: true,
  params: SegmentParams,
  query: InviteOnRequestQuery,
  body: BulkCreateUsers,
  data: UsersAdded,
  handle: ({ body, ...asked }) => addUsersToSegment(readPeople(body, { attributes: true }), asked),
})

export const listSegmentUsers = operation({
  id: 'listSegmentUsers',
  of: 'segment',
  bulk: true,
  route: 'GET /api/v2/segments/{segmentId}/users',
  summary: 'List the users of a segment',
  description:
    'Members of the segment, newest first. For a dynamic segment, each page evaluates the rules for at most 10,000 people of the workspace, so a page may have fewer members than `limit` and still have a next page.',
  params: SegmentParams,
  query: ListSegmentUsers,
  data: z.array(Member),
  handle: ({ params, query, db }) => read.listSegmentUsers(db, query, params),
})

export const manageSegmentUsers = operation({
  id: 'manageSegmentUsers',
  of: 'segment',
  route: 'PUT /api/v2/segments/manage-users',
  summary: 'Move users to another segment, or remove users from a segment',
  description:
    'Ids of users who are not in the segment are skipped. A dynamic segment is a 409, because rules select its members.',
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
  ceiling: declareCeiling(1_400, ALL_LINKS_COST_REASON),
  of: 'segment',
  bulk: true,
  route: 'GET /api/v2/segments/{segmentId}',
  summary: 'Retrieve a segment, with or without its users',
  description:
    'Counts the members of a dynamic segment first; rules that exceed the budget are a 400 (see `Rules`). With `include=users`, the response has the newest members; `/users` lists all members.',
  params: SegmentParams,
  query: GetSegment,
  data: FoundSegment,
  handle: ({ params, query, db }) =>
    query.include === 'users' ? read.getSegmentWithUsers(db, params) : read.getSegment(db, params),
})

export const listSegmentsWithUsers = operation({
  id: 'listSegmentsWithUsers',
  ceiling: declareCeiling(4_100_000, EVERY_MEMBER_COST_REASON, 12_000_000),
  of: 'segment',
  bulk: true,
  route: 'GET /api/v2/segments/users',
  summary: 'List segments with their users',
  description: `Segments, newest first, each with its newest members. A page has at most ten dynamic segments, and fewer if their rules take more than ${MAX_RULE_STEPS_PER_PAGE} steps together (see \`Rules\`). The members of a dynamic segment are current, and \`userCount\` is the last count. A page whose rules take too much work for the members of the workspace is a 400: set a smaller \`limit\`, or simplify the rules.`,
  preflight: { read: true },
  query: ListSegments.omit({ removed: true }),
  data: z.array(SegmentWithUsers),
  handle: ({ query, db }) => read.listSegmentsWithUsers(db, query),
})

export const previewSegment = operation({
  id: 'previewSegment',
  ceiling: declareCeiling(53_000, EVERY_MEMBER_COST_REASON),
  of: 'segment',
  bulk: true,
  route: 'POST /api/v2/segments/preview',
  summary: 'Preview a dynamic segment',
  description:
    'Returns the number of members that the rules select now, and the newest members. Nothing is stored. Rules that exceed the budget are a 400 (see `Rules`).',
  weight: 'preview',
  scope: 'segments:read',
  body: PreviewSegment,
  data: SegmentPreview,
  handle: ({ body, db }) => read.previewSegment(db, body.rules),
})
