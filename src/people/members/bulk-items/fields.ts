import { type SQL, sql } from 'drizzle-orm'
import { unionAll } from '../../../db/records/page'
import { users } from '../../../db/schema/tenancy'
import { caller, inline, param } from '../../../db/sql/statement'
import { MAX_ATTRIBUTES, MAX_ATTRIBUTES_BYTES } from '../../../text/attributes'

export const personValue = {
  email: sql`p.value ->> 0`,
  firstName: sql`p.value ->> 1`,
  lastName: sql`p.value ->> 2`,
  attributes: sql`p.value -> 3`,
  segmentIds: sql`p.value -> 4`,
  source: sql`p.value ->> 5`,
  externalId: sql`p.value ->> 6`,
}

const joinUserWithEmail = (email: SQL) =>
  sql`${users} ON ${users.subscriptionId} = ${caller.subscription} AND ${users.email} = ${email}`

export const personHasAttributes = sql`p.value ->> 3 <> '{}'`
export const mergedAttributes = sql`json_patch(${users.attributes}, ${personValue.attributes})`
/** Whether the merged attributes stay within the limits. Also true after the merge. */
export const mergedAttributesFit = sql`CASE WHEN ${personHasAttributes} THEN octet_length(${mergedAttributes}) <= ${inline(MAX_ATTRIBUTES_BYTES)}
  AND (SELECT count(*) FROM json_each(${mergedAttributes})) <= ${inline(MAX_ATTRIBUTES)} ELSE true END`
const userKeepsNames = sql`(${users.firstName} <> ''
  OR ${personValue.firstName} = '' AND (${users.lastName} <> '' OR ${personValue.lastName} = ''))`

/** Whether no other member has the id of the item. Also true after the write. */
export const identityIsFree = sql`NOT EXISTS (SELECT 1 FROM ${users} h WHERE h.subscription_id = ${caller.subscription}
  AND h.source = ${personValue.source} AND h.external_id = ${personValue.externalId} AND h.deleted_at IS NULL
  AND h.email <> ${personValue.email})`
/** A member without an id gets the id, and a removed member comes back with the id. */
export const userTakesIdentity = sql`(${personValue.externalId} IS NOT NULL
  AND (${users.externalId} IS NULL OR ${users.deletedAt} IS NOT NULL))`
export const userIsUnknown = sql`NOT EXISTS (SELECT 1 FROM ${users} k
  WHERE k.subscription_id = ${caller.subscription} AND k.email = ${personValue.email})`

export interface PeopleSql {
  /** Rows `p` of users, and rows of email addresses only, which are faster to read. */
  people: SQL
  emails: SQL
  joinByPerson: SQL
  joinByEmail: SQL
  /** Rows and join for finding the users after the insertion; the cheaper of both pairs. */
  knownSource: SQL
  joinKnown: SQL
  canChange: SQL
  hasDifference: SQL
  hasSegments: boolean
  hasIdentities: boolean
}

export interface PeopleSqlShape {
  people: number
  emails: number
  attributes: boolean
  segments: boolean
  identities: boolean
  rejects: boolean
  invites: boolean
}

function selectBoundRows(name: string, chunks: number): SQL {
  const each = Array.from({ length: chunks }, (_, n) => sql`SELECT value FROM json_each(${param(`=${name}${n}`)})`)
  return chunks === 1 ? sql`json_each(${param(`=${name}0`)}) p` : sql`(${unionAll(each)}) p`
}

export function createPeopleSql({
  attributes,
  segments,
  identities,
  ...chunks
}: Omit<PeopleSqlShape, 'rejects' | 'invites'>): PeopleSql {
  const changesAttributes = attributes
    ? sql`OR ${personHasAttributes} AND ${mergedAttributes} <> ${users.attributes}`
    : sql``
  const changesIdentity = identities ? sql`OR ${userTakesIdentity}` : sql``
  const people = selectBoundRows('people', chunks.people)
  const emails = selectBoundRows('emails', chunks.emails)
  const ofPerson = joinUserWithEmail(personValue.email)
  const ofEmail = joinUserWithEmail(sql`p.value`)
  return {
    people,
    emails,
    joinByPerson: ofPerson,
    joinByEmail: ofEmail,
    ...(attributes ? { knownSource: people, joinKnown: ofPerson } : { knownSource: emails, joinKnown: ofEmail }),
    canChange: sql`${attributes ? mergedAttributesFit : sql`true`}${identities ? sql` AND ${identityIsFree}` : sql``}`,
    hasDifference: sql`(${users.deletedAt} IS NOT NULL OR NOT ${userKeepsNames} ${changesAttributes} ${changesIdentity})`,
    hasSegments: segments,
    hasIdentities: identities,
  }
}
