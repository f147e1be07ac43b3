import { type SQL, sql } from 'drizzle-orm'
import { workingKey } from '../../db/access'
import { importRows, imports } from '../../db/schema/imports'
import { segmentMembers, segments } from '../../db/schema/segments-and-mail'
import { apiKeys, teamMembers, users } from '../../db/schema/tenancy'
import { assignments, caller, inline, insertInto, param, statements } from '../../db/statement'
import { MAX_ATTRIBUTES, MAX_ATTRIBUTES_BYTES } from '../../text/attributes'
import type { Bulk } from '../../workspace/imports/bulk'
import { noted, row, sliceOf, stored, type Upsert, undoing, upserting } from '../../workspace/imports/statements'
import { invites, mailsInvitations } from '../invitations/statements'

// The order of the values that imports.ts stores.
const [email, firstName, lastName, role, attributes] = [stored(2), stored(3), stored(4), stored(5), stored(6)]

type Owned = typeof users | typeof segments | typeof segmentMembers | typeof imports
const theirs = (table: Owned) => sql`${table.subscriptionId} = ${caller.subscription}`

const rank = (of: SQL) => sql`CASE ${of} WHEN 'owner' THEN 3 WHEN 'admin' THEN 2 WHEN 'member' THEN 1 ELSE 0 END`

// A removed member returns with the role of the file, because the former role has ended.
const become = {
  firstName: { column: users.firstName, value: sql`coalesce(${firstName}, ${users.firstName})` },
  lastName: { column: users.lastName, value: sql`coalesce(${lastName}, ${users.lastName})` },
  role: {
    column: users.role,
    value: sql`CASE WHEN ${users.deletedAt} IS NOT NULL THEN coalesce(${role}, 'idm_member')
      WHEN ${rank(role)} > ${rank(sql`${users.role}`)} THEN ${role} ELSE ${users.role} END`,
  },
  attributes: { column: users.attributes, value: sql`json_patch(${users.attributes}, ${attributes})` },
}

const merged = become.attributes.value
const tooMuch = sql`(octet_length(${merged}) > ${inline(MAX_ATTRIBUTES_BYTES)}
  OR (SELECT count(*) FROM json_each(${merged})) > ${inline(MAX_ATTRIBUTES)})`

// A preview shows the merged values of known members only to API keys that may read members.
const shown = (name: keyof typeof become) => sql`CASE WHEN NOT ${param('readsPeople')} THEN NULL
  WHEN ${users.deletedAt} IS NOT NULL OR ${param('onConflict')} = 'update' THEN ${become[name].value}
  ELSE ${users[name]} END`

const upsert: Upsert = {
  table: users,
  joins: () => sql`LEFT JOIN ${users} ON ${theirs(users)} AND ${users.email} = ${email}
    LEFT JOIN ${segmentMembers} ON ${theirs(segmentMembers)} AND ${segmentMembers.segmentId} = ${param('segmentId')}
      AND ${segmentMembers.userId} = ${users.id}`,
  become,
  was: { deletedAt: users.deletedAt },
  revives: sql`${users.deletedAt} IS NOT NULL`,
  refusals: (_, changes) => [
    {
      when: sql`${changes} AND ${tooMuch}`,
      field: 'attributes',
      reason:
        'With those that the person has, the attributes are more than 100, or than 20 kB. Map some columns to null.',
    },
  ],
  joined: sql`(${param('segmentId')} IS NOT NULL AND ${segmentMembers.userId} IS NULL)`,
  preview: sql`CASE WHEN ${row} <= ${param('shown')} THEN json_object('email', ${email},
    'firstName', coalesce(${shown('firstName')}, ${firstName}, ''),
    'lastName', coalesce(${shown('lastName')}, ${lastName}, ''),
    'role', coalesce(${shown('role')}, ${role}, 'idm_member'),
    'attributes', json(coalesce(${shown('attributes')}, ${attributes}))) END`,
  sets: [sql`deleted_at = NULL`],
}
const { note, update, judge } = upserting(upsert)

const create = insertInto(
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
  sql`FROM ${noted('created')}`,
)
const writePeople = statements([note, update, create])

const joined = sql`FROM ${importRows} WHERE ${sliceOf('created', 'updated')} AND ${importRows.joined} = 1`
const writeMembers = statements([
  insertInto(
    segmentMembers,
    {
      subscriptionId: caller.subscription,
      segmentId: param('segmentId'),
      userId: importRows.recordId,
      createdAt: caller.now,
    },
    sql`${joined} ON CONFLICT DO NOTHING`,
  ),
  sql`UPDATE ${segments} SET user_count = user_count + n, version = version + 1, updated_at = ${caller.now}
    FROM (SELECT count(*) AS n ${joined})
    WHERE ${segments.id} = ${param('segmentId')} AND +${theirs(segments)} AND n > 0`,
])

// Members who were removed before the run and returned by the run are invited like new members.
const invite =
  invites(sql`FROM ${importRows} CROSS JOIN ${users} ON ${users.id} = ${importRows.recordId} AND +${theirs(users)}
  WHERE ${sliceOf('created', 'updated')} AND ${users.deletedAt} IS NULL
    AND (${importRows.outcome} = 'created' OR ${importRows.previous} ->> 'deletedAt' IS NOT NULL)`)

const { round, statements: undone } = undoing('people', upsert)

const used = sql`(${users.id} IN (SELECT ${apiKeys.userId} FROM ${apiKeys} WHERE ${workingKey})
  OR EXISTS (SELECT 1 FROM ${segmentMembers} CROSS JOIN ${segments} ON ${segments.id} = ${segmentMembers.segmentId}
      AND +${theirs(segments)} AND ${segments.deletedAt} IS NULL
    WHERE ${theirs(segmentMembers)} AND ${segmentMembers.userId} = ${users.id})
  OR EXISTS (SELECT 1 FROM ${teamMembers} WHERE ${teamMembers.subscriptionId} = ${caller.subscription}
    AND ${teamMembers.userId} = ${users.id}))`

const itsSegment = sql`(SELECT ${imports.segmentId} FROM ${imports}
  WHERE ${imports.id} = ${param('importId')} AND +${theirs(imports)})`

const leaving = sql`(SELECT * FROM ${round('updated')} UNION ALL SELECT * FROM ${round('created')}) r
  CROSS JOIN ${segmentMembers} ON ${theirs(segmentMembers)} AND ${segmentMembers.segmentId} = ${itsSegment}
    AND ${segmentMembers.userId} = r.record_id WHERE r.joined = 1`

const undo = statements([
  sql`UPDATE ${segments} SET user_count = user_count - n, version = version + 1, updated_at = ${caller.now}
    FROM (SELECT count(*) AS n FROM ${leaving})
    WHERE ${segments.id} = ${itsSegment} AND +${theirs(segments)} AND n > 0`,
  sql`DELETE FROM ${segmentMembers} WHERE ${theirs(segmentMembers)} AND ${segmentMembers.segmentId} = ${itsSegment}
    AND ${segmentMembers.userId} IN (SELECT ${segmentMembers.userId} FROM ${leaving})`,
  ...undone({
    noun: 'person',
    used,
    inUse: 'The person has an API key, or belongs to a segment or a team.',
    restores: [sql`deleted_at = CASE WHEN r.previous ->> 'deletedAt' IS NULL THEN NULL ELSE ${caller.now} END`],
    // Undoing a run removes again members who were removed before the run.
    revived: sql`r.previous ->> 'deletedAt' IS NOT NULL`,
    // Frees the email addresses.
    removes: [
      assignments(users, {
        email: sql`'#' || ${users.id}`,
        firstName: sql`''`,
        lastName: sql`''`,
        attributes: sql`'{}'`,
      }),
    ],
  }),
])

/** Writes members, and undoes the writes. Suppressions are a separate table and stay untouched. */
export const peopleBulk: Bulk = {
  write: (slice, letter) => [
    ...writePeople(slice),
    ...(slice.segmentId === null ? [] : writeMembers(slice)),
    ...(letter ? [invite(letter, slice), ...mailsInvitations(letter)] : []),
  ],
  undo,
  judge,
}
