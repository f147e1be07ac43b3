import type { Input } from '../../../http/operation'
import { operation } from '../../../http/operation'
import { type ReadPeople, readPeople } from '../../members/read'
import { toInviteResults, toldOf } from '../../members/result'
import { BulkCreateUsers } from '../../members/schema'
import { SegmentParams } from '../schema'
import type { SegmentKey } from '../statements'
import * as queries from './queries'
import { CreateUsers, UsersAdded } from './schema'

type Asked = Pick<Input<SegmentKey, unknown, unknown>, 'params' | 'db' | 'actor'>

async function added({ read, people }: ReadPeople, { params, db, actor }: Asked) {
  const rows = await queries.addUsers(db, params, people)
  const inviteResults = toInviteResults(read, rows, actor)
  const data = { inviteResults, segmentCount: rows[0].segmentCount }
  return { data, message: toldOf(inviteResults, 'Users added to the segment') }
}

const NO_OTHERS =
  'which a key that reads no people (`segments:read`, `products:read`) is not shown: it is answered the name that it sent. An item that is not valid is reported with `success: false` and keeps none of the others out.'

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
  params: SegmentParams,
  body: BulkCreateUsers,
  data: UsersAdded,
  errors: ['segment_not_found'],
  handle: ({ body, ...asked }) => added(readPeople(body, { attributes: true }), asked),
})
