import { type SQL, sql } from 'drizzle-orm'
import { importRows, imports } from '../../db/schema/imports'
import { segmentMembers, segments } from '../../db/schema/segments-and-mail'
import { apiKeys, teamMembers, users } from '../../db/schema/tenancy'
import { isUsableKey } from '../../db/sql/access'
import { assignments, caller, inline, insertInto, param, statements } from '../../db/sql/statement'
import { MAX_ATTRIBUTES, MAX_ATTRIBUTES_BYTES } from '../../text/attributes'
import type { ImportStatements } from '../../workspace/imports/bulk'
import {
  createUndoStatements,
  createUpsertStatements,
  journaledRows,
  rowNumber,
  rowsOfSlice,
  storedValue,
  type Upsert,
} from '../../workspace/imports/statements'
import { inviteStatement, sendInvitations } from '../invitations/statements'

// The order of the values that imports.ts stores.
const [email, firstName, lastName, role, attributes] = [
  storedValue(2),
  storedValue(3),
  storedValue(4),
  storedValue(5),
  storedValue(6),
]

type TenantTable = typeof users | typeof segments | typeof segmentMembers | typeof imports
const isOfTenant = (table: TenantTable) => sql`${table.subscriptionId} = ${caller.subscription}`

const roleRank = (of: SQL) => sql`CASE ${of} WHEN 'owner' THEN 3 WHEN 'admin' THEN 2 WHEN 'member' THEN 1 ELSE 0 END`

// A removed member returns with the role of the file, because the former role has ended.
const newValues = {
  firstName: { column: users.firstName, value: sql`coalesce(${firstName}, ${users.firstName})` },
  lastName: { column: users.lastName, value: sql`coalesce(${lastName}, ${users.lastName})` },
  role: {
    column: users.role,
    value: sql`CASE WHEN ${users.deletedAt} IS NOT NULL THEN coalesce(${role}, 'idm_member')
      WHEN ${roleRank(role)} > ${roleRank(sql`${users.role}`)} THEN ${role} ELSE ${users.role} END`,
  },
  attributes: { column: users.attributes, value: sql`json_patch(${users.attributes}, ${attributes})` },
}

const mergedAttributes = newValues.attributes.value
const hasTooManyAttributes = sql`(octet_length(${mergedAttributes}) > ${inline(MAX_ATTRIBUTES_BYTES)}
  OR (SELECT count(*) FROM json_each(${mergedAttributes})) > ${inline(MAX_ATTRIBUTES)})`

const previewValue = (name: keyof typeof newValues) => sql`CASE WHEN NOT ${param('readsPeople')} THEN NULL
  WHEN ${users.deletedAt} IS NOT NULL OR ${param('onConflict')} = 'update' THEN ${newValues[name].value}
  ELSE ${users[name]} END`

const peopleUpsert: Upsert = {
  table: users,
  joins: () => sql`LEFT JOIN ${users} ON ${isOfTenant(users)} AND ${users.email} = ${email}
    LEFT JOIN ${segmentMembers} ON ${isOfTenant(segmentMembers)} AND ${segmentMembers.segmentId} = ${param('segmentId')}
      AND ${segmentMembers.userId} = ${users.id}`,
  newValues,
  oldValues: { deletedAt: users.deletedAt },
  revives: sql`${users.deletedAt} IS NOT NULL`,
  refusals: (_, changes) => [
    {
      when: sql`${changes} AND ${hasTooManyAttributes}`,
      field: 'attributes',
      reason: 'The person would have more than 100 attributes, or more than 20 kB. Map some columns to null.',
    },
  ],
  joined: sql`(${param('segmentId')} IS NOT NULL AND ${segmentMembers.userId} IS NULL)`,
  preview: sql`CASE WHEN ${rowNumber} <= ${param('shown')} THEN json_object('email', ${email},
    'firstName', coalesce(${previewValue('firstName')}, ${firstName}, ''),
    'lastName', coalesce(${previewValue('lastName')}, ${lastName}, ''),
    'role', coalesce(${previewValue('role')}, ${role}, 'idm_member'),
    'attributes', json(coalesce(${previewValue('attributes')}, ${attributes}))) END`,
  assignments: [sql`deleted_at = NULL`],
}
const { journal, update: updatePeople, evaluate } = createUpsertStatements(peopleUpsert)

const insertPeople = insertInto(
  users,
  {
    id: importRows.recordId,
    subscriptionId: caller.subscription,
    email,
    firstName: sql`coalesce(${firstName}, '')`,
    lastName: sql`coalesce(${lastName}, '')`,
    role: sql`coalesce(${role}, 'idm_member')`,
    attributes,
    createdAt: caller.now,
    updatedAt: caller.now,
  },
  sql`FROM ${journaledRows('created')}`,
)
const writePeople = statements([journal, updatePeople, insertPeople])

const fromJoinedRows = sql`FROM ${importRows} WHERE ${rowsOfSlice('created', 'updated')} AND ${importRows.joined} = 1`
const insertMemberships = statements([
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
    WHERE ${segments.id} = ${param('segmentId')} AND +${isOfTenant(segments)} AND n > 0`,
])

// Members who were removed before the run and returned by the run are invited like new members.
const inviteImported =
  inviteStatement(sql`FROM ${importRows} CROSS JOIN ${users} ON ${users.id} = ${importRows.recordId} AND +${isOfTenant(users)}
  WHERE ${rowsOfSlice('created', 'updated')} AND ${users.deletedAt} IS NULL
    AND (${importRows.outcome} = 'created' OR ${importRows.previous} ->> 'deletedAt' IS NOT NULL)`)

const { round, statements: undoStatements } = createUndoStatements('people', peopleUpsert)

const isInUse = sql`(${users.id} IN (SELECT ${apiKeys.userId} FROM ${apiKeys} WHERE ${isUsableKey})
  OR EXISTS (SELECT 1 FROM ${segmentMembers} CROSS JOIN ${segments} ON ${segments.id} = ${segmentMembers.segmentId}
      AND +${isOfTenant(segments)} AND ${segments.deletedAt} IS NULL
    WHERE ${isOfTenant(segmentMembers)} AND ${segmentMembers.userId} = ${users.id})
  OR EXISTS (SELECT 1 FROM ${teamMembers} WHERE ${teamMembers.subscriptionId} = ${caller.subscription}
    AND ${teamMembers.userId} = ${users.id}))`

const segmentIdOfRun = sql`(SELECT ${imports.segmentId} FROM ${imports}
  WHERE ${imports.id} = ${param('importId')} AND +${isOfTenant(imports)})`

const membershipsOfRun = sql`(SELECT * FROM ${round('updated')} UNION ALL SELECT * FROM ${round('created')}) r
  CROSS JOIN ${segmentMembers} ON ${isOfTenant(segmentMembers)} AND ${segmentMembers.segmentId} = ${segmentIdOfRun}
    AND ${segmentMembers.userId} = r.record_id WHERE r.joined = 1`

const undoPeople = statements([
  sql`UPDATE ${segments} SET user_count = user_count - n, version = version + 1, updated_at = ${caller.now}
    FROM (SELECT count(*) AS n FROM ${membershipsOfRun})
    WHERE ${segments.id} = ${segmentIdOfRun} AND +${isOfTenant(segments)} AND n > 0`,
  sql`DELETE FROM ${segmentMembers} WHERE ${isOfTenant(segmentMembers)} AND ${segmentMembers.segmentId} = ${segmentIdOfRun}
    AND ${segmentMembers.userId} IN (SELECT ${segmentMembers.userId} FROM ${membershipsOfRun})`,
  ...undoStatements({
    noun: 'person',
    isUsed: isInUse,
    inUseMessage: 'The person has an API key, or belongs to a segment or a team.',
    restoreAssignments: [
      sql`deleted_at = CASE WHEN r.previous ->> 'deletedAt' IS NULL THEN NULL ELSE ${caller.now} END`,
    ],
    wasRevived: sql`r.previous ->> 'deletedAt' IS NOT NULL`,
    // Frees the email addresses.
    removeAssignments: [
      assignments(users, {
        email: sql`'#' || ${users.id}`,
        firstName: sql`''`,
        lastName: sql`''`,
        attributes: sql`'{}'`,
      }),
    ],
  }),
])

export const peopleStatements: ImportStatements = {
  write: (slice, letter) => [
    ...writePeople(slice),
    ...(slice.segmentId === null ? [] : insertMemberships(slice)),
    ...(letter ? [inviteImported(letter, slice), ...sendInvitations(letter)] : []),
  ],
  undo: undoPeople,
  evaluate,
}
