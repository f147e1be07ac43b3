import * as z from 'zod'
import { ExportQuery, fileOf, MEDIA_TYPES } from '../../files/write'
import { ALL_LINKS, ALL_RECORDS, EACH_LINK, MEMBERS_OF_SEGMENT, WHOLE_EVENT, walk } from '../../http/ceiling'
import { begun, download } from '../../http/download'
import { operation } from '../../http/operation'
import { letterFor } from '../invitations/letter'
import { ByInviting } from '../invitations/schema'
import { wakes } from '../mail/statements'
import { createMembers } from './queries/bulk'
import * as queries from './queries/list'
import * as writes from './queries/write'
import { readPeople } from './read'
import { toInviteResults, toldOf } from './result'
import {
  BulkCreateMembers,
  CreateMember,
  ListMembers,
  Member,
  MemberParams,
  MembersCreated,
  ModifyMember,
} from './schema'

export const listMembers = operation({
  id: 'listMembers',
  ceiling: walk(140_000, MEMBERS_OF_SEGMENT),
  of: 'member',
  route: 'GET /api/v2/idea-manager/members',
  summary: 'List members',
  description: 'Everybody of the workspace, of every role, the newest first.',
  query: ListMembers,
  data: z.array(Member),
  handle: ({ query, db }) => queries.listMembers(db, query),
})

export const getMember = operation({
  id: 'getMember',
  ceiling: walk(53_000, ALL_LINKS),
  of: 'member',
  route: 'GET /api/v2/idea-manager/members/{memberId}',
  summary: 'Retrieve a member',
  description: 'By id, which is that of the user.',
  params: MemberParams,
  data: Member,
  handle: ({ params, db }) => queries.getMember(db, params),
})

export const createMember = operation({
  id: 'createMember',
  of: 'member',
  route: 'POST /api/v2/idea-manager/members',
  summary: 'Create a member',
  description:
    'And invite them by mail, unless `invite` says otherwise; who wants no mail of the workspace, or was invited within the last hour, is not invited. An address that another member has is a 409; that of a removed one brings them back, as sent. A dynamic segment is a 409: its rules say who is in it.',
  workspaceWide: true,
  status: 201,
  query: ByInviting,
  body: CreateMember,
  data: Member,
  message: 'Member saved',
  async handle({ body, db, actor, wake, ...asked }) {
    const letter = letterFor(asked)
    const { data } = await writes.createMember(db, body, letter)
    if (letter) wake(wakes(actor.subscriptionId, letter))
    return { data, location: `/api/v2/idea-manager/members/${data.id}` }
  },
})

export const modifyMember = operation({
  id: 'modifyMember',
  ceiling: walk(100_000, WHOLE_EVENT),
  of: 'member',
  route: 'PUT /api/v2/idea-manager/members/{memberId}',
  summary: 'Modify a member',
  description:
    'Changes the names that are sent. Attributes are merged into those that the member has, and `null` clears one. Address and role are changed among the users.',
  workspaceWide: true,
  params: MemberParams,
  body: ModifyMember,
  data: Member,
  message: 'Member saved',
  handle: ({ params, body, db, ifMatch }) => writes.modifyMember(db, params, body, ifMatch),
})

export const removeMember = operation({
  id: 'removeMember',
  ceiling: walk(700_000, EACH_LINK),
  of: 'member',
  route: 'DELETE /api/v2/idea-manager/members/{memberId}',
  summary: 'Remove a member',
  description:
    'As the removal of the user: what the member wrote and voted stays, by nobody; API keys end, and an invitation is taken back. The only owner cannot be removed: 409. It can be restored for 30 days.',
  workspaceWide: true,
  params: MemberParams,
  message: 'Member removed',
  handle: ({ params, db, ifMatch }) => writes.removeMember(db, params, ifMatch),
})

export const restoreMember = operation({
  id: 'restoreMember',
  ceiling: walk(100_000, EACH_LINK),
  of: 'member',
  route: 'POST /api/v2/idea-manager/members/{memberId}/restore',
  summary: 'Restore a removed member',
  description:
    'With names, attributes and segments, but not the API keys. An invitation that was taken back stays so, until the member is invited again.',
  workspaceWide: true,
  params: MemberParams,
  data: Member,
  message: 'Member restored',
  handle: ({ params, db }) => writes.restoreMember(db, params),
})

export const exportMembers = operation({
  id: 'exportMembers',
  ceiling: walk(340_000, ALL_RECORDS, 170_000_000),
  of: 'member',
  route: 'GET /api/v2/idea-manager/members/export',
  summary: 'Export the members',
  description:
    'Everybody, the oldest first, as a download that is made while it is read: one that ends early was interrupted. In CSV, `attributes` is a JSON object and `segmentIds` a JSON array, and what a spreadsheet would calculate has an apostrophe before it.',
  query: ExportQuery,
  streams: Object.values(MEDIA_TYPES),
  async handle({ query: { format }, db }) {
    const pages = await begun(queries.exportMembers(db))
    return download({ type: MEDIA_TYPES[format], name: `members.${format}`, pieces: fileOf(format, pages, COLUMNS) })
  },
})

type Exported = Awaited<ReturnType<typeof queries.listMembers>>['data'][number]

const EXPORTED = [
  'id',
  'email',
  'firstName',
  'lastName',
  'role',
  'attributes',
  'segmentIds',
  'createdAt',
  'updatedAt',
] as const

const COLUMNS = {
  header: EXPORTED,
  cells: (member: Exported) =>
    EXPORTED.map((name) => (typeof member[name] === 'object' ? JSON.stringify(member[name]) : member[name])),
}

export const bulkCreateMembers = operation({
  id: 'bulkCreateMembers',
  of: 'member',
  route: 'POST /api/v2/idea-manager/members/bulk-create',
  summary: 'Create up to 10,000 members',
  description:
    'Somebody who is known by the e-mail address keeps role and names, and gets the attributes and segments besides; a key that reads no people (`segments:read`, `products:read`) is answered the name that it sent. An item that is not valid is reported with `success: false` and keeps none of the others out; an unknown segment is a 400, a dynamic one a 409. Those whom it makes are invited by mail, unless `invite` says otherwise.',
  workspaceWide: true,
  bulk: true,
  query: ByInviting,
  body: BulkCreateMembers,
  data: MembersCreated,
  async handle({ body, db, actor, wake, ...asked }) {
    const given = readPeople(body, { attributes: true, segmentIds: true })
    const letter = letterFor(asked)
    const rows = await createMembers(db, given, letter)
    if (letter) wake(wakes(actor.subscriptionId, letter))
    const inviteResults = toInviteResults(given.read, rows, actor)
    return { data: { inviteResults }, message: toldOf(inviteResults, 'Members saved') }
  },
})
