import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { guard } from '../../../db/client/refuse'
import { type DerivedField, insertStatement, updateStatement } from '../../../db/records/change'
import { makeExternalIdGuards } from '../../../db/records/external-id'
import { users } from '../../../db/schema/tenancy'
import { referencesTo } from '../../../db/sql/references'
import { inline, param, type Values } from '../../../db/sql/statement'
import { MAX_ATTRIBUTES, MAX_ATTRIBUTES_BYTES } from '../../../text/attributes'
import {
  createColleagueAddressGuard,
  createPersonLifecycle,
  createStrongerPersonGuard,
} from '../../../workspace/users/statements'
import { createInviteStatement, sendInvitations } from '../../invitations/statements'
import type { NewMailing } from '../../mail/statements'
import { buildSegmentJoining, namedSegmentIsDynamic } from '../../segments/statements'
import { copySuppressionsOfPerson } from '../../suppressions/statements'
import { TOO_MANY_ATTRIBUTES_MESSAGE } from '../attributes'
import { type MemberKey, member } from '../fields'
import { CreateMember, ModifyMember } from '../schema'

export const attributesParam = param('@attributes')

// An address stays with the row of a removed member: creating the member again restores the row.
const insertMember = insertStatement(member, CreateMember, {
  except: ['name', 'attributes', 'segmentIds'],
  values: { attributes: sql`json_patch('{}', ${attributesParam})` },
  from: sql`WHERE true ON CONFLICT (subscription_id, email) DO UPDATE SET first_name = excluded.first_name,
    last_name = excluded.last_name, role = excluded.role, attributes = excluded.attributes,
    source = excluded.source, external_id = excluded.external_id,
    version = ${users.version} + 1, updated_at = excluded.updated_at, deleted_at = NULL
    WHERE ${users.deletedAt} IS NOT NULL`,
})
const takenIdOptions = { record: member, noun: 'member', idName: 'externalId', holders: member.notDeleted } as const
const newMemberIdTaken = makeExternalIdGuards(takenIdOptions)
const memberHasAddress = sql`${member.notDeleted} AND ${users.email} = ${param('email')}`
const addNewMemberToSegments = buildSegmentJoining(sql`(SELECT ${users.id} FROM ${users} WHERE ${memberHasAddress})`)
const inviteNewMember = createInviteStatement(sql`FROM ${users} WHERE ${memberHasAddress}`)
const emitCreated = member.emit('created', memberHasAddress)
const returningMember = member.returningWhere(memberHasAddress)

export function createMember(
  db: Database,
  { name, attributes, segmentIds = [], ...body }: z.output<typeof CreateMember>,
  mailing: NewMailing | undefined,
) {
  const { email, firstName = name } = body
  const ids = [...new Set(segmentIds)]
  const values = { email, '@attributes': JSON.stringify(attributes ?? {}), '@segmentIds': JSON.stringify(ids) }
  const references = referencesTo('segment', '/segmentIds', segmentIds)
  return member.save(db, {
    guards: [...(ids.length ? [namedSegmentIsDynamic({})] : []), ...newMemberIdTaken({}, body)],
    references,
    statements: [
      insertMember({ ...body, ...(firstName !== undefined && { firstName }) }, values),
      ...(ids.length ? addNewMemberToSegments(values) : []),
      ...(mailing ? [inviteNewMember(mailing, values)] : []),
      emitCreated(values),
      ...(mailing ? sendInvitations(mailing) : []),
    ],
    returning: returningMember(values),
  })
}

const mergedAttributes = sql`json_patch(${users.attributes}, ${attributesParam})`
export const derivedAttributesField: DerivedField = {
  name: 'attributes',
  json: sql`json(${users.attributes})`,
  differs: sql`${mergedAttributes} <> ${users.attributes}`,
  source: { column: users.attributes, value: mergedAttributes },
}
export const createAttributesGuard = ({ byKey }: Pick<typeof member, 'byKey'>) =>
  guard<Values>(
    `validation_failed:/attributes:${TOO_MANY_ATTRIBUTES_MESSAGE.replace(/^attributes: /, '')}`,
    sql`EXISTS (SELECT 1 FROM ${users} WHERE ${byKey} AND (octet_length(${mergedAttributes}) > ${inline(MAX_ATTRIBUTES_BYTES)}
    OR (SELECT count(*) FROM json_each(${mergedAttributes})) > ${inline(MAX_ATTRIBUTES)}))`,
  )
const tooManyAttributes = createAttributesGuard(member)
const memberIdTaken = makeExternalIdGuards({ ...takenIdOptions, own: member.id })

const updateMember = updateStatement(member, ModifyMember, { except: ['attributes'] })

const getsNewAddress = sql`${member.byKey} AND ${users.email} <> ${param('@address')}`
const isStrongerThanCaller = createStrongerPersonGuard(getsNewAddress)
const isColleague = createColleagueAddressGuard(getsNewAddress)
const suppressionCopy = copySuppressionsOfPerson(member.byKey)

export function modifyMember(
  db: Database,
  key: MemberKey,
  { attributes, ...body }: z.output<typeof ModifyMember>,
  ifMatch: string | null,
) {
  const given = { ...key, '@attributes': JSON.stringify(attributes ?? {}) }
  const changed = updateMember(given, body, attributes ? [derivedAttributesField] : [])
  const moved = { ...key, '@address': body.email ?? null }
  return member.save(db, {
    guards: [
      ...member.writeGuards(key, ifMatch),
      ...(attributes ? [tooManyAttributes(given)] : []),
      ...memberIdTaken(key, body),
      ...(body.email === undefined ? [] : [isStrongerThanCaller(moved), isColleague(moved)]),
    ],
    statements:
      body.email === undefined ? changed : [suppressionCopy.copy(moved), ...changed, suppressionCopy.emit(moved)],
    returning: member.returningByKey(key),
  })
}

export const { remove: removeMember, restore: restoreMember } = createPersonLifecycle(member)
