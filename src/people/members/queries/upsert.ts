import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { guard } from '../../../db/client/refuse'
import { insertStatement, updateStatement } from '../../../db/records/change'
import { type ExternalIdKey, hasInserted, makeUpsertParts } from '../../../db/records/external-id'
import { users } from '../../../db/schema/tenancy'
import { caller, directlyAfter, param, type Statement, type Values } from '../../../db/sql/statement'
import { createColleagueAddressGuard, createStrongerPersonGuard } from '../../../workspace/users/statements'
import { copySuppressionsOfPerson } from '../../suppressions/statements'
import { memberByExternalId } from '../fields'
import { CreateMember, UpsertMember } from '../schema'
import { attributesParam, createAttributesGuard, derivedAttributesField } from './write'

const parts = makeUpsertParts(memberByExternalId)

// A person without a member takes the address of a removed member only.
const addressTaken = guard<Values>(
  'conflict:Another member or a removed member has this address. Choose another address, or modify that member.',
  sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.subscriptionId} = ${caller.subscription}
    AND ${users.email} = ${param('@address')} AND ${users.id} IS NOT ${memberByExternalId.id}
    AND (${users.deletedAt} IS NULL OR NOT ${parts.isMissing}))`,
)
const personGetsNewAddress = sql`${memberByExternalId.byKey} AND ${users.email} <> ${param('@address')}`
const isStrongerThanCaller = createStrongerPersonGuard(personGetsNewAddress)
const isColleague = createColleagueAddressGuard(personGetsNewAddress)
const tooManyAttributes = createAttributesGuard(memberByExternalId)
const suppressionCopy = copySuppressionsOfPerson(memberByExternalId.byKey)

const IdentifiedMember = UpsertMember.extend({
  source: CreateMember.shape.source,
  externalId: CreateMember.shape.externalId,
})
const updateMember = updateStatement(memberByExternalId, IdentifiedMember, {
  except: ['role', 'attributes'],
})
const insertMember = insertStatement(memberByExternalId, IdentifiedMember, {
  except: ['attributes'],
  values: { attributes: sql`json_patch('{}', ${attributesParam})` },
  // The row of a removed member keeps the address: the member returns.
  from: sql`${parts.whereMissing} ON CONFLICT (subscription_id, email) DO UPDATE SET first_name = excluded.first_name,
    last_name = excluded.last_name, role = excluded.role, attributes = excluded.attributes,
    source = excluded.source, external_id = excluded.external_id,
    version = ${users.version} + 1, updated_at = excluded.updated_at, deleted_at = NULL
    WHERE ${users.deletedAt} IS NOT NULL`,
  returns: parts.returningId,
})
const emitCreated = parts.emitCreated()

export async function upsertMember(
  db: Database,
  { source, externalId }: ExternalIdKey,
  { attributes, role = 'idm_member', ...body }: z.output<typeof UpsertMember>,
) {
  const key = { source, externalId, '@address': body.email }
  const values = { ...key, '@attributes': JSON.stringify(attributes ?? {}) }
  const identified = { ...body, source, externalId }
  const insertion = insertMember({ ...identified, role }, values)
  const statements: Statement[] = [
    suppressionCopy.copy(values),
    ...updateMember(values, identified, attributes ? [derivedAttributesField] : []),
    insertion,
    directlyAfter(insertion, emitCreated(values)),
    suppressionCopy.emit(values),
  ]
  const { rows, results } = await db.write({
    guards: [
      isStrongerThanCaller(key),
      isColleague(key),
      addressTaken(key),
      ...(attributes ? [tooManyAttributes(values)] : []),
    ],
    growth: parts.growth,
    statements,
    returning: memberByExternalId.returningByKey(key),
  })
  return { ...memberByExternalId.toReply(rows), isNew: hasInserted(results, statements, insertion) }
}
