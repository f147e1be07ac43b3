import { type SQL, sql } from 'drizzle-orm'
import { workingKey } from '../../db/access'
import { importRows, imports } from '../../db/schema/imports'
import { segmentMembers, segments } from '../../db/schema/segments-and-mail'
import { apiKeys, teamMembers, users } from '../../db/schema/tenancy'
import { assignments, caller, inline, insertInto, param } from '../../db/statement'
import { MAX_ATTRIBUTES, MAX_ATTRIBUTES_BYTES } from '../../text/attributes'
import type { Bulk, Round, Written } from '../../workspace/imports/bulk'
import {
  given,
  identify,
  judging,
  make,
  note,
  noted,
  row,
  sliceOf,
  stored,
  undoing,
  updates,
} from '../../workspace/imports/statements'
import { invites, mailsInvitations } from '../invitations/statements'

// What `stored` in imports.ts makes of a row.
const [email, firstName, lastName] = [stored(1), stored(2), stored(3)]
const [role, attributes, cells] = [stored(4), stored(5), stored(6)]

type Owned = typeof users | typeof segments | typeof segmentMembers | typeof imports
const theirs = (table: Owned) => sql`${table.subscriptionId} = ${caller.subscription}`

const rank = (of: SQL) => sql`CASE ${of} WHEN 'owner' THEN 3 WHEN 'admin' THEN 2 WHEN 'member' THEN 1 ELSE 0 END`

// A removed person comes back with the role of the file: what they were is over.
const become = {
  firstName: sql`coalesce(${firstName}, ${users.firstName})`,
  lastName: sql`coalesce(${lastName}, ${users.lastName})`,
  role: sql`CASE WHEN ${users.deletedAt} IS NOT NULL THEN coalesce(${role}, 'idm_member')
    WHEN ${rank(role)} > ${rank(sql`${users.role}`)} THEN ${role} ELSE ${users.role} END`,
  attributes: sql`json_patch(${users.attributes}, ${attributes})`,
}

const differs = sql`(${become.firstName} <> ${users.firstName} OR ${become.lastName} <> ${users.lastName}
  OR ${become.role} <> ${users.role} OR ${become.attributes} <> json(${users.attributes}))`

const joins = sql`(${param('segmentId')} IS NOT NULL AND ${segmentMembers.userId} IS NULL)`

const was = sql`json_object('firstName', ${users.firstName}, 'lastName', ${users.lastName}, 'role', ${users.role},
  'attributes', ${users.attributes}, 'deletedAt', ${users.deletedAt})`

const changes = sql`(${users.deletedAt} IS NOT NULL OR (${param('onConflict')} = 'update' AND ${differs}))`

const tooMuch = sql`(octet_length(${become.attributes}) > ${inline(MAX_ATTRIBUTES_BYTES)}
  OR (SELECT count(*) FROM json_each(${become.attributes})) > ${inline(MAX_ATTRIBUTES)})`

const TOO_LONG = sql`'With those that the person has, the attributes are more than 100, or than 20 kB. Map some columns to null.'`

/** Each row beside whom it means, and what becomes of that: NULL where nothing does. */
const judged = (shown: SQL) => sql`SELECT row, id, CASE WHEN changes THEN previous END AS previous, joins, cells, shown,
    'attributes' AS field, NULL AS value, ${TOO_LONG} AS reason, CASE WHEN id IS NULL THEN 'created'
    WHEN changes AND too_long THEN 'rejected' WHEN changes OR joins THEN 'updated' END AS outcome
  FROM (SELECT ${row} AS row, ${users.id} AS id, ${was} AS previous, ${joins} AS joins, ${cells} AS cells,
      ${shown} AS shown, ${changes} AS changes, ${tooMuch} AS too_long
    FROM ${given}
    LEFT JOIN ${users} ON ${theirs(users)} AND ${users.email} = ${email}
    LEFT JOIN ${segmentMembers} ON ${theirs(segmentMembers)} AND ${segmentMembers.segmentId} = ${param('segmentId')}
      AND ${segmentMembers.userId} = ${users.id})`

// Whoever is known is merged with what the file has, and so only for a key that reads people.
const merged = (
  name: 'firstName' | 'lastName' | 'role' | 'attributes',
) => sql`CASE WHEN NOT ${param('readsPeople')} THEN NULL
  WHEN ${changes} THEN ${become[name]} ELSE ${users[name]} END`

const person = sql`CASE WHEN ${row} <= ${param('shown')} THEN json_object('email', ${email},
  'firstName', coalesce(${merged('firstName')}, ${firstName}, ''),
  'lastName', coalesce(${merged('lastName')}, ${lastName}, ''),
  'role', coalesce(${merged('role')}, ${role}, 'idm_member'),
  'attributes', json(coalesce(${merged('attributes')}, ${attributes}))) END`

const judge = judging(judged(person))

const create = insertInto(
  users,
  {
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

const joined = (outcome: 'created' | 'updated') => sql`${sliceOf(outcome)} AND ${importRows.joined} = 1`

const join = (outcome: 'created' | 'updated') =>
  insertInto(
    segmentMembers,
    {
      subscriptionId: caller.subscription,
      segmentId: param('segmentId'),
      userId: importRows.recordId,
      createdAt: caller.now,
    },
    sql`FROM ${importRows} WHERE ${joined(outcome)} ON CONFLICT DO NOTHING`,
  )

const thisSegment = sql`${segments.id} = ${param('segmentId')} AND +${theirs(segments)}`

const countJoined = sql`UPDATE ${segments} SET user_count = user_count + n, version = version + 1, updated_at = ${caller.now}
  FROM (SELECT (SELECT count(*) FROM ${importRows} WHERE ${joined('created')})
    + (SELECT count(*) FROM ${importRows} WHERE ${joined('updated')}) AS n)
  WHERE ${thisSegment} AND n > 0`

const made = sql`${noted('created')} CROSS JOIN ${users} ON ${theirs(users)} AND ${users.email} = ${email}`
const writePeople = make<Written>(
  note(judged(sql`NULL`), { joined: sql`outcome <> 'rejected' AND joins` }),
  ...updates(
    users,
    [assignments(users, { ...become, deletedAt: sql`NULL` })],
    sql`WHERE ${importRows.previous} IS NOT NULL`,
  ),
  create,
  identify('created', users, importRows.row, made, { run: importRows.importId }),
)
const writeMembers = make<Written>(join('created'), join('updated'), countJoined)

// Whoever was removed before the run is made by it as well.
const invited = (outcome: 'created' | 'updated', also: SQL) =>
  invites(sql`FROM ${importRows} CROSS JOIN ${users} ON ${users.id} = ${importRows.recordId} AND +${theirs(users)}
    WHERE ${sliceOf(outcome)} AND ${users.deletedAt} IS NULL ${also}`)
const inviteCreated = invited('created', sql``)
const inviteRevived = invited('updated', sql`AND ${importRows.previous} ->> 'deletedAt' IS NOT NULL`)

const { round, statements } = undoing('people', users)

const used = sql`(${users.id} IN (SELECT ${apiKeys.userId} FROM ${apiKeys} WHERE ${workingKey})
  OR EXISTS (SELECT 1 FROM ${segmentMembers} CROSS JOIN ${segments} ON ${segments.id} = ${segmentMembers.segmentId}
      AND +${theirs(segments)} AND ${segments.deletedAt} IS NULL
    WHERE ${theirs(segmentMembers)} AND ${segmentMembers.userId} = ${users.id})
  OR EXISTS (SELECT 1 FROM ${teamMembers} WHERE ${teamMembers.subscriptionId} = ${caller.subscription}
    AND ${teamMembers.userId} = ${users.id}))`

const itsSegment = sql`(SELECT ${imports.segmentId} FROM ${imports}
  WHERE ${imports.id} = ${param('importId')} AND +${theirs(imports)})`

const leaving = (outcome: 'created' | 'updated') => sql`${round(outcome)} CROSS JOIN ${segmentMembers}
  ON ${theirs(segmentMembers)} AND ${segmentMembers.segmentId} = ${itsSegment}
    AND ${segmentMembers.userId} = r.record_id WHERE r.joined = 1`

const countLeft = (outcome: 'created' | 'updated') => sql`UPDATE ${segments}
  SET user_count = user_count - n, version = version + 1, updated_at = ${caller.now}
  FROM (SELECT count(*) AS n FROM ${leaving(outcome)})
  WHERE ${segments.id} = ${itsSegment} AND +${theirs(segments)} AND n > 0`

const leave = (outcome: 'created' | 'updated') => sql`DELETE FROM ${segmentMembers}
  WHERE ${theirs(segmentMembers)} AND ${segmentMembers.segmentId} = ${itsSegment}
    AND ${segmentMembers.userId} IN (SELECT ${segmentMembers.userId} FROM ${leaving(outcome)})`

const undo = make<Round>(
  countLeft('updated'),
  leave('updated'),
  countLeft('created'),
  leave('created'),
  ...statements({
    noun: 'person',
    used,
    inUse: 'The person has an API key, or belongs to a segment or a team.',
    restores: [
      assignments(users, {
        firstName: sql`r.previous ->> 'firstName'`,
        lastName: sql`r.previous ->> 'lastName'`,
        role: sql`r.previous ->> 'role'`,
        attributes: sql`r.previous ->> 'attributes'`,
        deletedAt: sql`CASE WHEN r.previous ->> 'deletedAt' IS NULL THEN NULL ELSE ${caller.now} END`,
      }),
    ],
    // Whoever was removed before the run is removed again.
    revived: sql`r.previous ->> 'deletedAt' IS NOT NULL`,
    // Their addresses are free.
    removes: [
      assignments(users, {
        email: sql`'#' || ${users.id}`,
        firstName: sql`''`,
        lastName: sql`''`,
        attributes: sql`'{}'`,
      }),
    ],
  }),
)

/** How people are written, and taken back. Suppressions stand in a table that none of this touches. */
export const peopleBulk: Bulk = {
  write: (slice, letter) => [
    ...writePeople(slice),
    ...(slice.segmentId === null ? [] : writeMembers(slice)),
    ...(letter ? [inviteCreated(letter, slice), inviteRevived(letter, slice), ...mailsInvitations(letter)] : []),
  ],
  undo,
  judge,
}
