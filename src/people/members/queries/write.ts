import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { type Elsewhere, inserts, modifies } from '../../../db/change'
import type { Database } from '../../../db/client'
import type { Reference } from '../../../db/references'
import { guard } from '../../../db/refuse'
import { users } from '../../../db/schema/tenancy'
import { inline, param, type Values } from '../../../db/statement'
import { uniqueness } from '../../../db/unique'
import { MAX_ATTRIBUTES, MAX_ATTRIBUTES_BYTES } from '../../../text/attributes'
import { departures } from '../../../workspace/users/statements'
import { invites, mailsInvitations } from '../../invitations/statements'
import type { NewMailing } from '../../mail/statements'
import { joinSegments, refusesMembersOfNamed } from '../../segments/statements'
import { TOO_MANY } from '../attributes'
import { type MemberKey, member } from '../fields'
import { CreateMember, ModifyMember } from '../schema'

const unique = uniqueness(member)
const attributes = param('@attributes')

// An address stays with the row of a removed member: creating the member again restores the row.
const inserted = inserts(member, CreateMember, {
  except: ['name', 'attributes', 'segmentIds'],
  values: { attributes: sql`json_patch('{}', ${attributes})` },
  from: sql`WHERE true ON CONFLICT (subscription_id, email) DO UPDATE SET first_name = excluded.first_name,
    last_name = excluded.last_name, role = excluded.role, attributes = excluded.attributes,
    version = ${users.version} + 1, updated_at = excluded.updated_at, deleted_at = NULL
    WHERE ${users.deletedAt} IS NOT NULL`,
})
const byAddress = sql`${member.visible} AND ${users.email} = ${param('email')}`
const joined = joinSegments(sql`(SELECT ${users.id} FROM ${users} WHERE ${byAddress})`)
const invited = invites(sql`FROM ${users} WHERE ${byAddress}`)
const created = member.event('created', byAddress)
const made = member.answering(byAddress)

export function createMember(
  db: Database,
  { name, attributes, segmentIds = [], ...body }: z.output<typeof CreateMember>,
  letter: NewMailing | undefined,
) {
  const { email, firstName = name } = body
  const ids = [...new Set(segmentIds)]
  const values = { email, '@attributes': JSON.stringify(attributes ?? {}), '@segmentIds': JSON.stringify(ids) }
  const references = segmentIds.map((value, n): Reference => ({ kind: 'segment', path: `/segmentIds/${n}`, value }))
  return member.save(db, {
    guards: [...unique.onCreate(email), ...(ids.length ? [refusesMembersOfNamed({})] : [])],
    references,
    statements: [
      inserted({ ...body, ...(firstName !== undefined && { firstName }) }, values),
      ...(ids.length ? joined(values) : []),
      ...(letter ? [invited(letter, values)] : []),
      created(values),
      ...(letter ? mailsInvitations(letter) : []),
    ],
    answer: made(values),
  })
}

const merged = sql`json_patch(${users.attributes}, ${attributes})`
const mergedAttributes: Elsewhere = {
  name: 'attributes',
  json: sql`json(${users.attributes})`,
  differs: sql`${merged} <> ${users.attributes}`,
  sets: { column: users.attributes, value: merged },
}
const tooMany = guard<Values>(
  inline(`validation_failed:/attributes:${TOO_MANY.replace(/^attributes: /, '')}`),
  sql`EXISTS (SELECT 1 FROM ${users} WHERE ${member.addressed} AND (octet_length(${merged}) > ${inline(MAX_ATTRIBUTES_BYTES)}
    OR (SELECT count(*) FROM json_each(${merged})) > ${inline(MAX_ATTRIBUTES)}))`,
)

const modified = modifies(member, ModifyMember, { except: ['attributes'] })

export function modifyMember(
  db: Database,
  key: MemberKey,
  { attributes, ...body }: z.output<typeof ModifyMember>,
  ifMatch: string | null,
) {
  const given = { ...key, '@attributes': JSON.stringify(attributes ?? {}) }
  return member.save(db, {
    guards: [...member.writable(key, ifMatch), ...(attributes ? [tooMany(given)] : [])],
    statements: modified(given, body, attributes ? [mergedAttributes] : []),
    answer: member.reply(key),
  })
}

export const { remove: removeMember, restore: restoreMember } = departures(member)
