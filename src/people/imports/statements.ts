import { type SQL, sql } from 'drizzle-orm'
import { completeUpdatedEvents, emitEventsOf } from '../../db/records/set-events'
import { importRows, imports } from '../../db/schema/imports'
import { segmentMembers, segments } from '../../db/schema/segments-and-mail'
import { users } from '../../db/schema/tenancy'
import { assignments, caller, inline, insertInto, param, statements } from '../../db/sql/statement'
import { MAX_ATTRIBUTES, MAX_ATTRIBUTES_BYTES } from '../../text/attributes'
import { createsMissing, type ImportStatements } from '../../workspace/imports/bulk'
import {
  createImportUndo,
  createImportUpsert,
  fromBoundRowsWithJournal,
  type ImportUpsert,
  isJournalRowOfSlice,
  numberOfRow,
  selectIdsOfSlice,
} from '../../workspace/imports/statements'
import { rankOfRole } from '../../workspace/sessions/fields'
import { createInviteStatement, sendInvitations } from '../invitations/statements'
import { member } from '../members/fields'
import { emitMembershipChanges } from '../segments/statements'
import { copySuppressionsOfChangedPeople } from '../suppressions/statements'
import { deleteRefusals, insertRefusals } from './refusals/statements'
import {
  importedAttributes,
  importedCreatedAt,
  importedEmail,
  importedExternalId,
  importedFirstName,
  importedLastName,
  importedRole,
  importedSource,
} from './row-values'
import {
  createSegmentsOfAllRows,
  createSegmentsOfNewPeople,
  emitNewSegments,
  joinNamedSegments,
  leaveNamedSegments,
  namesFurtherSegments,
  removeUnusedSegments,
} from './segments/statements'
import { countImportedSuppressions, suppressImportedPeople } from './suppressions/statements'
import { personIsInUse } from './use/statements'

type TenantTable = typeof users | typeof segments | typeof segmentMembers | typeof imports
const rowIsOfTenant = (table: TenantTable) => sql`${table.subscriptionId} = ${caller.subscription}`

const hasImportedId = (
  user: SQL,
) => sql`${user}.subscription_id = ${caller.subscription} AND ${user}.source = ${importedSource}
  AND ${user}.external_id = ${importedExternalId} AND ${user}.deleted_at IS NULL`
/** The member with the id in the other system, or else the person with the address. */
const selectKnownUserId = sql`coalesce((SELECT k.id FROM ${users} k WHERE ${hasImportedId(sql`k`)}),
  (SELECT k.id FROM ${users} k WHERE k.subscription_id = ${caller.subscription} AND k.email = ${importedEmail}))`

/** An import gives an id only to a person without an id, and takes the id from nobody. */
const takesImportedId = sql`(${users.externalId} IS NULL AND ${importedExternalId} IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM ${users} h WHERE ${hasImportedId(sql`h`)}))`
const addressChanges = sql`${users.email} <> ${importedEmail}`

// A removed member returns with the role of the file, because the former role has ended.
const newPersonValues = {
  firstName: { column: users.firstName, value: sql`coalesce(${importedFirstName}, ${users.firstName})` },
  lastName: { column: users.lastName, value: sql`coalesce(${importedLastName}, ${users.lastName})` },
  role: {
    column: users.role,
    value: sql`CASE WHEN ${users.deletedAt} IS NOT NULL THEN coalesce(${importedRole}, 'idm_member')
      WHEN ${rankOfRole(importedRole)} > ${rankOfRole(sql`${users.role}`)} THEN ${importedRole} ELSE ${users.role} END`,
  },
  attributes: { column: users.attributes, value: sql`json_patch(${users.attributes}, ${importedAttributes})` },
  source: { column: users.source, value: sql`iif(${takesImportedId}, ${importedSource}, ${users.source})` },
  external_id: {
    column: users.externalId,
    value: sql`iif(${takesImportedId}, ${importedExternalId}, ${users.externalId})`,
  },
}

const mergedAttributes = newPersonValues.attributes.value
const hasTooManyAttributes = sql`(octet_length(${mergedAttributes}) > ${inline(MAX_ATTRIBUTES_BYTES)}
  OR (SELECT count(*) FROM json_each(${mergedAttributes})) > ${inline(MAX_ATTRIBUTES)})`

const selectPreviewValue = (
  name: 'firstName' | 'lastName' | 'role' | 'attributes',
) => sql`CASE WHEN NOT ${param('readsPeople')} THEN NULL
  WHEN ${users.deletedAt} IS NOT NULL OR ${param('onConflict')} = 'update' THEN ${newPersonValues[name].value}
  ELSE ${users[name]} END`

const selectPreviewedId = (name: 'source' | 'external_id', imported: SQL) => sql`CASE
  WHEN ${users.id} IS NULL OR NOT ${param('readsPeople')} THEN ${imported}
  WHEN ${users.deletedAt} IS NOT NULL OR ${param('onConflict')} = 'update' THEN ${newPersonValues[name].value}
  ELSE ${newPersonValues[name].column} END`

const peopleUpsertSpec: ImportUpsert = {
  table: users,
  record: member,
  joins: () => sql`LEFT JOIN ${users} ON ${users.id} = ${selectKnownUserId}
    LEFT JOIN ${segmentMembers} ON ${rowIsOfTenant(segmentMembers)} AND ${segmentMembers.segmentId} = ${param('segmentId')}
      AND ${segmentMembers.userId} = ${users.id}`,
  newValues: newPersonValues,
  oldValues: { deletedAt: users.deletedAt, email: users.email },
  differs: () => sql`(${addressChanges} OR ${namesFurtherSegments})`,
  revives: sql`${users.deletedAt} IS NOT NULL`,
  refusals: (_, changes) => [
    {
      when: sql`${changes} AND ${addressChanges} AND EXISTS (SELECT 1 FROM ${users} o
        WHERE o.subscription_id = ${caller.subscription} AND o.email = ${importedEmail} AND o.id <> ${users.id})`,
      field: 'email',
      value: importedEmail,
      reason: 'Another member or a removed member has this address. Change the address of one of the two.',
    },
    {
      when: sql`${changes} AND ${addressChanges} AND ${users.role} <> 'idm_member' AND ${users.deletedAt} IS NULL`,
      field: 'email',
      value: importedEmail,
      reason: 'The person signs in with the present address. Change the address under users.',
    },
    {
      when: sql`${changes} AND ${hasTooManyAttributes}`,
      field: 'attributes',
      reason: 'The person would have more than 100 attributes, or more than 20 kB. Map some columns to null.',
    },
  ],
  joined: sql`(${param('segmentId')} IS NOT NULL AND ${segmentMembers.userId} IS NULL)`,
  preview: sql`CASE WHEN ${numberOfRow} <= ${param('shown')} THEN json_object('email', ${importedEmail},
    'firstName', coalesce(${selectPreviewValue('firstName')}, ${importedFirstName}, ''),
    'lastName', coalesce(${selectPreviewValue('lastName')}, ${importedLastName}, ''),
    'role', coalesce(${selectPreviewValue('role')}, ${importedRole}, 'idm_member'),
    'attributes', json(coalesce(${selectPreviewValue('attributes')}, ${importedAttributes})),
    'source', ${selectPreviewedId('source', importedSource)}, 'externalId', ${selectPreviewedId('external_id', importedExternalId)}) END`,
  assignments: [sql`deleted_at = NULL`, sql`email = ${importedEmail}`],
}
const {
  journal: insertJournalRows,
  update: updatePeople,
  evaluate: evaluatePeople,
} = createImportUpsert(peopleUpsertSpec)

const insertImportedPeople = insertInto(
  users,
  {
    id: importRows.recordId,
    subscriptionId: caller.subscription,
    email: importedEmail,
    firstName: sql`coalesce(${importedFirstName}, '')`,
    lastName: sql`coalesce(${importedLastName}, '')`,
    role: sql`coalesce(${importedRole}, 'idm_member')`,
    attributes: importedAttributes,
    createdAt: sql`min(coalesce(${importedCreatedAt}, ${caller.now}), ${caller.now})`,
    updatedAt: caller.now,
    source: importedSource,
    externalId: importedExternalId,
  },
  sql`FROM ${fromBoundRowsWithJournal('created')}`,
)
// A removed member returns as a new member.
const isRevived = sql`${importRows.previous} ->> 'deletedAt' IS NOT NULL`
const selectRevivedIds = sql`${selectIdsOfSlice('updated')} AND ${isRevived}`
const selectUpdatedIds = sql`${selectIdsOfSlice('updated')} AND NOT ${isRevived}`
const writeImportedPeople = statements([
  insertJournalRows,
  emitEventsOf('updated', member, selectUpdatedIds),
  updatePeople,
  insertImportedPeople,
])
// Follows the memberships and invitations, which a member shows.
const emitImportedPeople = statements([
  completeUpdatedEvents(member, selectUpdatedIds),
  emitEventsOf('created', member, sql`${selectIdsOfSlice('created')} UNION ALL ${selectRevivedIds}`),
])
const copySuppressions = copySuppressionsOfChangedPeople(
  isJournalRowOfSlice('updated'),
  sql`${importRows.previous} ->> 'email'`,
)

const fromJoinedRows = sql`FROM ${importRows} WHERE ${isJournalRowOfSlice('created', 'updated')} AND ${importRows.joined} = 1`
const insertMemberships = statements([
  emitMembershipChanges(
    'segment.users_added',
    sql`SELECT ${param('segmentId')} AS segment_id, ${importRows.recordId} AS user_id ${fromJoinedRows}`,
  ),
  insertInto(
    segmentMembers,
    {
      subscriptionId: caller.subscription,
      segmentId: param('segmentId'),
      userId: importRows.recordId,
      createdAt: caller.now,
    },
    sql`${fromJoinedRows} ON CONFLICT DO NOTHING`,
  ),
  sql`UPDATE ${segments} SET user_count = user_count + n, version = version + 1, updated_at = ${caller.now}
    FROM (SELECT count(*) AS n ${fromJoinedRows})
    WHERE ${segments.id} = ${param('segmentId')} AND +${rowIsOfTenant(segments)} AND n > 0`,
])

// Members who were removed before the run and returned by the run are invited like new members.
const inviteImportedPeople =
  createInviteStatement(sql`FROM ${importRows} CROSS JOIN ${users} ON ${users.id} = ${importRows.recordId} AND +${rowIsOfTenant(users)}
  WHERE ${isJournalRowOfSlice('created', 'updated')} AND ${users.deletedAt} IS NULL
    AND (${importRows.outcome} = 'created' OR ${importRows.previous} ->> 'deletedAt' IS NOT NULL)`)

export const { round: selectUndoRound, statements: createPeopleUndo } = createImportUndo('people', peopleUpsertSpec)

const segmentIdOfImport = sql`(SELECT ${imports.segmentId} FROM ${imports}
  WHERE ${imports.id} = ${param('importId')} AND +${rowIsOfTenant(imports)})`

const membershipsOfImport = sql`(SELECT * FROM ${selectUndoRound('updated')} UNION ALL SELECT * FROM ${selectUndoRound('created')}) r
  CROSS JOIN ${segmentMembers} ON ${rowIsOfTenant(segmentMembers)} AND ${segmentMembers.segmentId} = ${segmentIdOfImport}
    AND ${segmentMembers.userId} = r.record_id WHERE r.joined = 1`

/** Frees the address and the id in another system of a removed person. */
export const freeIdentityAssignments = assignments(users, {
  email: sql`'#' || ${users.id}`,
  firstName: sql`''`,
  lastName: sql`''`,
  attributes: sql`'{}'`,
  source: sql`NULL`,
  externalId: sql`NULL`,
})

const undoPeopleImport = statements([
  deleteRefusals,
  ...leaveNamedSegments(
    sql`(SELECT * FROM ${selectUndoRound('updated')} UNION ALL SELECT * FROM ${selectUndoRound('created')}) r`,
  ),
  emitMembershipChanges(
    'segment.users_removed',
    sql`SELECT ${segmentMembers.segmentId}, ${segmentMembers.userId} FROM ${membershipsOfImport}`,
  ),
  sql`UPDATE ${segments} SET user_count = user_count - n, version = version + 1, updated_at = ${caller.now}
    FROM (SELECT count(*) AS n FROM ${membershipsOfImport})
    WHERE ${segments.id} = ${segmentIdOfImport} AND +${rowIsOfTenant(segments)} AND n > 0`,
  sql`DELETE FROM ${segmentMembers} WHERE ${rowIsOfTenant(segmentMembers)} AND ${segmentMembers.segmentId} = ${segmentIdOfImport}
    AND ${segmentMembers.userId} IN (SELECT ${segmentMembers.userId} FROM ${membershipsOfImport})`,
  ...createPeopleUndo({
    noun: 'person',
    isUsed: personIsInUse,
    inUseMessage:
      'The person wrote an idea or a comment, voted, follows an idea, is assigned to an item, has an API key, or belongs to a segment or a team.',
    restoreAssignments: [
      sql`email = iif(r.previous ->> 'email' IS NULL OR EXISTS (SELECT 1 FROM ${users} o
        WHERE o.subscription_id = ${caller.subscription} AND o.email = r.previous ->> 'email' AND o.id <> ${users.id}),
        ${users.email}, r.previous ->> 'email')`,
      sql`deleted_at = CASE WHEN r.previous ->> 'deletedAt' IS NULL THEN NULL ELSE ${caller.now} END`,
    ],
    wasRevived: sql`r.previous ->> 'deletedAt' IS NOT NULL`,
    removeAssignments: [freeIdentityAssignments],
  }),
  ...removeUnusedSegments,
])

export const peopleImportStatements: ImportStatements = {
  write: (slice, letter) => [
    ...(createsMissing(slice, 'segments') && slice.onConflict === 'update' ? createSegmentsOfAllRows(slice) : []),
    ...writeImportedPeople(slice),
    ...(createsMissing(slice, 'segments') && slice.onConflict !== 'update' ? createSegmentsOfNewPeople(slice) : []),
    ...joinNamedSegments(slice),
    ...(createsMissing(slice, 'segments') ? emitNewSegments(slice) : []),
    insertRefusals(slice),
    ...copySuppressions(slice),
    ...suppressImportedPeople(slice),
    ...(slice.segmentId === null ? [] : insertMemberships(slice)),
    ...(letter ? [inviteImportedPeople(letter, slice), ...sendInvitations(letter)] : []),
    ...emitImportedPeople(slice),
  ],
  undo: undoPeopleImport,
  evaluate: evaluatePeople,
  countSuppressions: countImportedSuppressions,
}
