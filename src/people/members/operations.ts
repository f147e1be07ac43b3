import * as z from 'zod'
import { exportOperation } from '../../export-operation'
import { ExportQuery } from '../../files/write'
import { canRead, PEOPLE_AREAS } from '../../http/auth'
import {
  ALL_LINKS_COST_REASON,
  ALL_RECORDS_COST_REASON,
  declareCeiling,
  EACH_LINK_COST_REASON,
  SEGMENT_MEMBERS_COST_REASON,
  WHOLE_EVENT_COST_REASON,
} from '../../http/ceiling'
import { ExternalIdParams } from '../../http/external-id'
import { operation } from '../../http/operation'
import { requireCoveredRole } from '../../workspace/users/roles'
import { createMailIfInvited } from '../invitations/invitation-mail'
import { InviteByDefaultQuery } from '../invitations/schema'
import { createMailAcceptedMessage } from '../mail/statements'
import { createMembers } from './queries/bulk'
import * as queries from './queries/list'
import { upsertMember as upsert } from './queries/upsert'
import * as writes from './queries/write'
import { readPeople } from './read'
import { summarizeResults, toInviteResults } from './result'
import {
  BulkCreateMembers,
  CreateMember,
  ListMembers,
  Member,
  MemberParams,
  MembersCreated,
  ModifyMember,
  UpsertMember,
} from './schema'

export const listMembers = operation({
  id: 'listMembers',
  ceiling: declareCeiling(140_000, SEGMENT_MEMBERS_COST_REASON),
  of: 'member',
  route: 'GET /api/v2/idea-manager/members',
  summary: 'List members',
  description: 'All people of the workspace, with any role, newest first.',
  query: ListMembers,
  data: z.array(Member),
  handle: ({ query, db }) => queries.listMembers(db, query),
})

export const getMember = operation({
  id: 'getMember',
  ceiling: declareCeiling(53_000, ALL_LINKS_COST_REASON),
  of: 'member',
  route: 'GET /api/v2/idea-manager/members/{memberId}',
  summary: 'Retrieve a member',
  description: 'The member and the user have the same id.',
  params: MemberParams,
  data: Member,
  handle: ({ params, db }) => queries.getMember(db, params),
})

export const createMember = operation({
  id: 'createMember',
  of: 'member',
  route: 'POST /api/v2/idea-manager/members',
  storesRecords: true,
  summary: 'Create a member',
  description:
    'Invites the member by mail, unless `invite` is false. A person who is suppressed for all mail, or was invited within the last hour, is not invited. The address of another member is a 409; the address of a removed member brings the member back with the data that you send. A dynamic segment is a 409, because rules select its members. You cannot give a role with scopes that your key lacks (403).',
  workspaceWide: true,
  status: 201,
  query: InviteByDefaultQuery,
  body: CreateMember,
  data: Member,
  message: 'Member saved',
  async handle({ body, db, actor, enqueue, ...asked }) {
    requireCoveredRole(actor, body.role)
    const letter = createMailIfInvited(asked)
    const { data } = await writes.createMember(db, body, letter)
    if (letter) enqueue(createMailAcceptedMessage(actor.subscriptionId, letter))
    return { data, location: `/api/v2/idea-manager/members/${data.id}` }
  },
})

export const modifyMember = operation({
  id: 'modifyMember',
  ceiling: declareCeiling(100_000, WHOLE_EVENT_COST_REASON),
  of: 'member',
  route: 'PUT /api/v2/idea-manager/members/{memberId}',
  summary: 'Modify a member',
  description:
    'Changes the names that you send. Attributes are merged with the present attributes; `null` clears an attribute. A key that cannot change users changes no address of a colleague. Change the role under users.',
  workspaceWide: true,
  params: MemberParams,
  body: ModifyMember,
  data: Member,
  message: 'Member saved',
  handle: ({ params, body, db, ifMatch }) => writes.modifyMember(db, params, body, ifMatch),
})

export const upsertMember = operation({
  id: 'upsertMember',
  of: 'member',
  route: 'PUT /api/v2/idea-manager/members/external/{source}/{externalId}',
  summary: 'Create or modify a member by the id in another system',
  description:
    'The first request creates the member (201); later requests change the fields that you send (200), also the address. Only one of several concurrent requests creates the member. A member who has the address and no id of another system gets the id. The address of any other member is a 409. A removed member does not change, unless the address brings the member back. The member gets no invitation. A key that may not read people (`segments:read`, `products:read`) gets the submitted names back, and no attributes. You can neither give a role with scopes that your key lacks, nor change the address of a member with such a role (403). A person with another role than `idm_member` signs in with the address: a new address needs `products:write` too (403).',
  workspaceWide: true,
  status: 201,
  alternativeStatus: 200,
  params: ExternalIdParams,
  body: UpsertMember,
  errors: [],
  data: Member,
  conditional: false,
  message: 'Member saved',
  async handle({ params, body, db, actor }) {
    requireCoveredRole(actor, body.role)
    const { data, version, isNew } = await upsert(db, params, body)
    if (isNew) return { data, version, location: `/api/v2/idea-manager/members/${data.id}` }
    const { firstName = '', lastName = '' } = body
    // A known address must not reveal the names to a key that cannot read people.
    const shown = canRead(actor, ...PEOPLE_AREAS) ? data : { ...data, firstName, lastName, attributes: {} }
    return { data: shown, version, status: 200 as const }
  },
})

export const removeMember = operation({
  id: 'removeMember',
  ceiling: declareCeiling(700_000, EACH_LINK_COST_REASON),
  of: 'member',
  route: 'DELETE /api/v2/idea-manager/members/{memberId}',
  summary: 'Remove a member',
  description:
    'Removes the user as well. Texts and votes of the member stay without the name. API keys end, and an open invitation is canceled. The only owner cannot be removed: 409. A member whose role has scopes that your key lacks is a 403. You can restore the member for 30 days.',
  workspaceWide: true,
  params: MemberParams,
  message: 'Member removed',
  handle: ({ params, db, ifMatch }) => writes.removeMember(db, params, ifMatch),
})

export const restoreMember = operation({
  id: 'restoreMember',
  ceiling: declareCeiling(100_000, EACH_LINK_COST_REASON),
  of: 'member',
  route: 'POST /api/v2/idea-manager/members/{memberId}/restore',
  summary: 'Restore a removed member',
  description:
    'Restores role, names, attributes and segments, but not the API keys. A member whose role has scopes that your key lacks is a 403. A canceled invitation stays canceled until you invite the member again.',
  workspaceWide: true,
  params: MemberParams,
  data: Member,
  message: 'Member restored',
  handle: ({ params, db }) => writes.restoreMember(db, params),
})

export const exportMembers = exportOperation({
  id: 'exportMembers',
  ceiling: declareCeiling(465_000, ALL_RECORDS_COST_REASON, 170_000_000),
  of: 'member',
  route: 'GET /api/v2/idea-manager/members/export',
  summary: 'Export the members',
  description:
    'Downloads all people, oldest first. `segments` has the names of the manual segments of each person, and `suppressed` the suppressions as `{reason, segment}`, with null for all mail (empty for a key without `mail:read`). You can import the file into another workspace.',
  query: ExportQuery,
  read: ({ db }) => ({ name: 'members', columns: EXPORTED_MEMBER_FIELDS, pages: queries.exportMembers(db) }),
})

const EXPORTED_MEMBER_FIELDS = [
  'id',
  'email',
  'firstName',
  'lastName',
  'role',
  'attributes',
  'segmentIds',
  'createdAt',
  'updatedAt',
  'source',
  'externalId',
  'segments',
  'suppressed',
] as const satisfies readonly (keyof z.output<typeof Member> | 'segments' | 'suppressed')[]

export const bulkCreateMembers = operation({
  id: 'bulkCreateMembers',
  of: 'member',
  route: 'POST /api/v2/idea-manager/members/bulk-create',
  storesRecords: true,
  summary: 'Create up to 10,000 members',
  description:
    'A person with a known e-mail address keeps role and names, and gets the attributes and segments in addition. A person without an id in another system gets `source` and `externalId`; an item with the id of another person has `success: false`. A key that may not read people (`segments:read`, `products:read`) gets the submitted name back. An invalid item has `success: false` and does not affect the other items. An unknown segment is a 400, a dynamic segment a 409. New and returning members are invited by mail, unless `invite` is false.',
  workspaceWide: true,
  bulk: true,
  query: InviteByDefaultQuery,
  body: BulkCreateMembers,
  data: MembersCreated,
  async handle({ body, db, actor, enqueue, ...asked }) {
    const given = readPeople(body, { attributes: true, segmentIds: true, identities: true })
    const letter = createMailIfInvited(asked)
    const rows = await createMembers(db, given, letter)
    if (letter) enqueue(createMailAcceptedMessage(actor.subscriptionId, letter))
    const inviteResults = toInviteResults(given.read, rows, actor)
    return { data: { inviteResults }, message: summarizeResults(inviteResults, 'Members saved') }
  },
})
