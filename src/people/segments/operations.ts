import * as z from 'zod'
import { operation } from '../../http/operation'
import { listQuery } from '../../http/pagination'
import { iso } from '../../text/moments'
import * as queries from './queries'
import { CreateSegment, CreateUsers, Segment, SegmentParams, UsersAdded } from './schema'
import { distinctUsers, type ReadUser, readUsers } from './users'

function toSegment(row: Omit<queries.SegmentRow, 'version'>): z.input<typeof Segment> {
  return { ...row, createdAt: iso(row.createdAt), updatedAt: iso(row.updatedAt) }
}

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
    const row = await queries.createSegment(db, {
      name: body.name,
      description: body.description ?? null,
      color: body.color ?? null,
      type: body.type,
    })
    return { data: toSegment(row), message: 'Segment saved', location: `/api/v2/segments/${row.id}` }
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
  query: listQuery(['-createdAt', 'createdAt']),
  data: z.array(Segment),
  async handle({ query, db }) {
    const { rows, next } = await queries.listSegments(db, query)
    return { data: rows.map(toSegment), next }
  },
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
  async handle({ params, db }) {
    const row = await queries.getSegment(db, params.segmentId)
    return { data: toSegment(row), version: row.version }
  },
})

function toUsersAdded(read: ReadUser[], rows: [queries.AddedRow, ...queries.AddedRow[]]): z.input<typeof UsersAdded> {
  const { at, segmentCount } = rows[0]
  const byEmail = new Map(rows.map((row) => [row.email, row]))
  const inviteResults = read.map((user) => {
    if ('reason' in user) {
      const { email, name, reason } = user
      const stamps = { createdAt: iso(at), updatedAt: iso(at) }
      return { success: false, message: reason, user: { id: 0, email, role: 'idm_member', firstName: name, ...stamps } }
    }
    const row = byEmail.get(user.email)
    if (!row?.id) throw new Error('A user that was added is not in the answer')
    const { id, email, role, firstName, createdAt, updatedAt } = row
    return {
      success: true,
      user: { id, email, role, firstName, createdAt: iso(createdAt), updatedAt: iso(updatedAt) },
    }
  })
  return { inviteResults, segmentCount }
}

export const createUsersInSegment = operation({
  id: 'createUsersInSegment',
  method: 'post',
  path: '/api/v2/segments/{segmentId}/create-users',
  tag: 'Segments',
  summary: 'Add users to a segment',
  description:
    'A user who is known by the e-mail address is added, not duplicated, and keeps role and names. An item that is not valid is reported with `success: false` and keeps none of the others out.',
  scope: 'segments:write',
  workspaceWide: true,
  params: SegmentParams,
  body: CreateUsers,
  data: UsersAdded,
  errors: ['segment_not_found'],
  async handle({ params, body, db }) {
    const read = readUsers(body)
    const people = distinctUsers(read)
    const data = toUsersAdded(read, await queries.addUsers(db, params.segmentId, people))
    const rejected = data.inviteResults.filter(({ success }) => !success).length
    const message = rejected ? `${rejected} of ${read.length} users were not added` : 'Users added to the segment'
    return { data, message }
  },
})
