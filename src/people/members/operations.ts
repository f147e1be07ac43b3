import * as z from 'zod'
import { ExportQuery, fileOf, MEDIA_TYPES } from '../../files/write'
import { begun, download } from '../../http/download'
import { operation } from '../../http/operation'
import * as queries from './queries'
import { readPeople } from './read'
import { toInviteResults, toldOf } from './result'
import { BulkCreateMembers, ListMembers, Member, MemberParams, MembersCreated } from './schema'

export const listMembers = operation({
  id: 'listMembers',
  method: 'get',
  path: '/api/v2/idea-manager/members',
  tag: 'Members',
  summary: 'List members',
  description: 'Everybody of the workspace, of every role, the newest first.',
  scope: 'segments:read',
  query: ListMembers,
  data: z.array(Member),
  handle: ({ query, db }) => queries.listMembers(db, query),
})

export const getMember = operation({
  id: 'getMember',
  method: 'get',
  path: '/api/v2/idea-manager/members/{memberId}',
  tag: 'Members',
  summary: 'Retrieve a member',
  description: 'By id, which is that of the user.',
  scope: 'segments:read',
  params: MemberParams,
  data: Member,
  errors: ['member_not_found'],
  handle: ({ params, db }) => queries.getMember(db, params),
})

export const exportMembers = operation({
  id: 'exportMembers',
  method: 'get',
  path: '/api/v2/idea-manager/members/export',
  tag: 'Members',
  summary: 'Export the members',
  description:
    'Everybody, the oldest first, as a download that is made while it is read: one that ends early was interrupted. In CSV, `attributes` is a JSON object and `segmentIds` a JSON array, and what a spreadsheet would calculate has an apostrophe before it.',
  scope: 'segments:read',
  query: ExportQuery,
  streams: Object.values(MEDIA_TYPES),
  async handle({ query: { format }, db }) {
    const pages = await begun(queries.exportMembers(db))
    return download({ type: MEDIA_TYPES[format], name: `members.${format}`, pieces: fileOf(format, pages, COLUMNS) })
  },
})

type Exported = Awaited<ReturnType<typeof queries.listMembers>>['data'][number]

const COLUMNS = {
  header: ['id', 'email', 'firstName', 'lastName', 'role', 'attributes', 'segmentIds', 'createdAt', 'updatedAt'],
  cells: ({ id, email, firstName, lastName, role, attributes, segmentIds, createdAt, updatedAt }: Exported) => [
    id,
    email,
    firstName,
    lastName,
    role,
    JSON.stringify(attributes),
    JSON.stringify(segmentIds),
    createdAt,
    updatedAt,
  ],
}

export const bulkCreateMembers = operation({
  id: 'bulkCreateMembers',
  method: 'post',
  path: '/api/v2/idea-manager/members/bulk-create',
  tag: 'Members',
  summary: 'Create up to 10,000 members',
  description:
    'Somebody who is known by the e-mail address keeps role and names, and gets the attributes and segments besides; a key that reads no people (`segments:read`, `products:read`) is answered the name that it sent. An item that is not valid is reported with `success: false` and keeps none of the others out; an unknown segment is a 400, a dynamic one a 409. Nobody is invited.',
  scope: 'segments:write',
  workspaceWide: true,
  body: BulkCreateMembers,
  data: MembersCreated,
  async handle({ body, db, actor }) {
    const { read, people, segments } = readPeople(body, { attributes: true, segmentIds: true })
    const rows = await queries.createMembers(db, people, segments)
    const inviteResults = toInviteResults(read, rows, actor)
    return { data: { inviteResults }, message: toldOf(inviteResults, 'Members saved') }
  },
})
