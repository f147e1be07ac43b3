import type * as z from 'zod'
import type { Actor } from '../../../db/actor'
import { PEOPLE, reads } from '../../../http/auth'
import { operation } from '../../../http/operation'
import { iso } from '../../../text/moments'
import { SegmentParams } from '../schema'
import * as queries from './queries'
import { distinctUsers, type ReadUser, readUsers } from './read'
import { CreateUsers, UsersAdded } from './schema'

const ROLE = 'idm_member'

function toUsersAdded(
  read: ReadUser[],
  rows: [queries.AddedRow, ...queries.AddedRow[]],
  actor: Actor,
): z.input<typeof UsersAdded> {
  const readsPeople = reads(actor, ...PEOPLE)
  const { at, segmentCount } = rows[0]
  const byEmail = new Map(rows.map((row) => [row.email, row]))
  const inviteResults = read.map((user) => {
    if ('reason' in user) {
      const { email, name, reason } = user
      const stamps = { createdAt: iso(at), updatedAt: iso(at) }
      return { success: false, message: reason, user: { id: 0, email, role: ROLE, firstName: name, ...stamps } }
    }
    const row = byEmail.get(user.email)
    if (!row?.id) throw new Error('A user that was added is not in the answer')
    const { id, email, createdAt, updatedAt } = row
    const { role, firstName } = readsPeople ? row : { role: ROLE, firstName: user.name }
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
    'A user who is known by the e-mail address is added, not duplicated, and keeps role and names, which a key that reads no people (`segments:read`, `products:read`) is not shown: it is answered the name that it sent. An item that is not valid is reported with `success: false` and keeps none of the others out.',
  scope: 'segments:write',
  workspaceWide: true,
  params: SegmentParams,
  body: CreateUsers,
  data: UsersAdded,
  errors: ['segment_not_found'],
  async handle({ params, body, db, actor }) {
    const read = readUsers(body)
    const people = distinctUsers(read)
    const data = toUsersAdded(read, await queries.addUsers(db, params, people), actor)
    const rejected = data.inviteResults.filter(({ success }) => !success).length
    const message = rejected ? `${rejected} of ${read.length} users were not added` : 'Users added to the segment'
    return { data, message }
  },
})
