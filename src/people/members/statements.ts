import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { splitIntoJsonArrays } from '../../db/client/bulk'
import { emitEventsOf } from '../../db/records/set-events'
import { log, users } from '../../db/schema/tenancy'
import { eventSql } from '../../db/sql/events'
import { type Returning, returning } from '../../db/sql/returning'
import {
  caller,
  compileSql,
  inline,
  insertInto,
  makeLazy,
  param,
  type Statement,
  type Values,
} from '../../db/sql/statement'
import type { EventType } from '../../resources'
import { fromInvitationOfUser } from '../invitations/fields'
import { bindInvitationMailing, sendInvitations, upsertInvitations } from '../invitations/statements'
import type { NewMailing } from '../mail/statements'
import {
  createPeopleSql,
  identityIsFree,
  mergedAttributes,
  mergedAttributesFit,
  type PeopleSql,
  type PeopleSqlShape,
  personHasAttributes,
  personValue,
  userIsUnknown,
  userTakesIdentity,
} from './bulk-items/fields'
import { member, memberFields } from './fields'
import type { ReadPeople } from './read'

const insertedUserColumns = {
  subscriptionId: caller.subscription,
  email: personValue.email,
  firstName: personValue.firstName,
  lastName: personValue.lastName,
  role: sql`'idm_member'`,
  createdAt: caller.now,
  updatedAt: caller.now,
}

/** Known users keep role and names, except that empty names are filled. Removed users return as new members. */
const createUserAssignments = (first: SQL, last: SQL) => sql`
  first_name = iif(${users.firstName} = '', ${first}, ${users.firstName}),
  last_name = iif(${users.firstName} = '' AND ${users.lastName} = '', ${last}, ${users.lastName}),
  role = iif(${users.deletedAt} IS NULL, ${users.role}, 'idm_member'),
  version = version + 1, updated_at = ${caller.now}, deleted_at = NULL`

const upsertPeople = ({ people }: PeopleSql) =>
  insertInto(
    users,
    insertedUserColumns,
    sql`FROM ${people} WHERE true ON CONFLICT (subscription_id, email) DO UPDATE SET
      ${createUserAssignments(sql`excluded.first_name`, sql`excluded.last_name`)}
      WHERE ${users.deletedAt} IS NOT NULL OR ${users.firstName} = ''
        AND (excluded.first_name <> '' OR ${users.lastName} = '' AND excluded.last_name <> '')`,
  )

const insertPeople = ({ people, hasIdentities }: PeopleSql) =>
  insertInto(
    users,
    {
      ...insertedUserColumns,
      attributes: sql`json_patch('{}', ${personValue.attributes})`,
      ...(hasIdentities && { source: personValue.source, externalId: personValue.externalId }),
    },
    sql`FROM ${people} WHERE ${hasIdentities ? sql`${identityIsFree} AND ${userIsUnknown}` : sql`true`} ON CONFLICT DO NOTHING`,
  )

const selectNewIdentity = sql`, iif(${userTakesIdentity}, ${personValue.source}, ${users.source}) AS source,
  iif(${userTakesIdentity}, ${personValue.externalId}, ${users.externalId}) AS external_id`

// LIMIT keeps SQLite from flattening the subquery, which would read all users for each submitted user.
const updatePeople = ({
  people,
  joinByPerson,
  hasDifference,
  canChange,
  hasIdentities,
}: PeopleSql) => sql`UPDATE ${users} SET attributes = known.attributes,
    ${hasIdentities ? sql`source = known.source, external_id = known.external_id, ` : sql``}${createUserAssignments(sql`known.first_name`, sql`known.last_name`)}
  FROM (SELECT ${users.id} AS id, ${personValue.firstName} AS first_name, ${personValue.lastName} AS last_name, ${mergedAttributes} AS attributes${hasIdentities ? selectNewIdentity : sql``}
    FROM ${people} CROSS JOIN ${joinByPerson} WHERE ${hasDifference} AND ${canChange} LIMIT -1) known
  WHERE ${users.id} = known.id`

const { eventSource: memberEventSource } = member
const userIsRemoved = sql`${users.deletedAt} IS NOT NULL`
const userIsCreated = sql`${users.createdAt} = ${caller.now} AND ${users.version} = 1 AND ${users.deletedAt} IS NULL`
const pendingEventData = inline('null')

/** JSON paths of an event's `previous` to remove: unchanged properties; the path `$.none` matches nothing. */
const pathUnlessChanged = (name: string, changes: SQL) => sql`iif(${changes}, '$.none', ${inline(`$.${name}`)})`

const userIsNameless = sql`${users.firstName} = ''`
const createPreviousMemberValues = (hasIdentities: boolean) => sql`iif(${userIsRemoved}, NULL, json_remove(
    json_object('firstName', ${memberFields.firstName.json()}, 'lastName', ${memberFields.lastName.json()},
      'attributes', json(${users.attributes})${hasIdentities ? sql`, 'source', ${users.source}, 'externalId', ${users.externalId}` : sql``}),
    ${hasIdentities ? sql`${pathUnlessChanged('source', userTakesIdentity)}, ${pathUnlessChanged('externalId', userTakesIdentity)},` : sql``}
    ${pathUnlessChanged('firstName', sql`${userIsNameless} AND ${personValue.firstName} <> ''`)},
    ${pathUnlessChanged('lastName', sql`${userIsNameless} AND ${users.lastName} = '' AND ${personValue.lastName} <> ''`)},
    ${pathUnlessChanged('attributes', sql`coalesce(${personHasAttributes} AND ${mergedAttributes} <> ${users.attributes}, false)`)}))`

/** Precedes the saving of users, because changes are visible only before. `completeMemberEvents` adds the records. */
const emitMemberChanges = ({ people, joinByPerson, hasDifference, canChange, hasIdentities }: PeopleSql) =>
  eventSql({
    type: sql<EventType>`iif(${userIsRemoved}, 'member.created', 'member.updated')`,
    ...{
      key: memberEventSource.key,
      person: memberEventSource.person,
      data: pendingEventData,
      previous: createPreviousMemberValues(hasIdentities),
      many: true,
    },
    from: sql`FROM ${people} CROSS JOIN ${joinByPerson} WHERE ${hasDifference} AND ${canChange}`,
  })

const completeMemberEvents = ({ emails, joinByEmail }: PeopleSql) => sql`UPDATE ${log}
  SET data = (SELECT ${memberEventSource.data} FROM ${users} WHERE ${users.id} = ${log.personId}
    AND +${users.subscriptionId} = ${caller.subscription})
  WHERE ${log.place} IN (SELECT e.place FROM ${emails} CROSS JOIN ${joinByEmail} CROSS JOIN ${log} e INDEXED BY log_resource
      ON e.subscription_id = ${caller.subscription} AND e.resource_key = CAST(${users.id} AS TEXT)
    WHERE ${users.updatedAt} = ${caller.now} AND ${users.version} > 1
      AND e.created_at = ${caller.now} AND e.data = ${pendingEventData})`

const emitMembersCreated = ({ emails, joinByEmail }: PeopleSql) =>
  eventSql({
    type: 'member.created',
    ...{ key: memberEventSource.key, person: memberEventSource.person, data: memberEventSource.data, many: true },
    from: sql`FROM ${emails} CROSS JOIN ${joinByEmail} WHERE ${userIsCreated} AND NOT EXISTS (SELECT 1
      FROM ${log} e INDEXED BY log_resource WHERE e.subscription_id = ${caller.subscription}
        AND e.resource_key = CAST(${users.id} AS TEXT) AND e.type IN ('member.created', 'user.created'))`,
  })

const fromRemovedUsers = ({ people, joinByPerson, canChange }: PeopleSql) =>
  sql`FROM ${people} CROSS JOIN ${joinByPerson} WHERE ${users.deletedAt} IS NOT NULL AND ${canChange}`
const fromNewUsers = ({ emails, joinByEmail }: PeopleSql) => sql`FROM ${emails} CROSS JOIN ${joinByEmail}
  WHERE ${userIsCreated} AND NOT EXISTS (SELECT 1 ${fromInvitationOfUser})`

export interface PersonRow {
  id: number | null
  email: string
  role: string
  firstName: string
  createdAt: number
  updatedAt: number
  at?: number
  attributesFull?: 0 | 1
  idTaken?: 0 | 1
}

interface PeopleWriteOptions<Row> {
  afterSave(given: PeopleSql): SQL[]
  columns: Record<Exclude<keyof Row & string, keyof PersonRow>, SQLWrapper>
  source: SQL
  condition?: SQL
}

// Rows written per user including indexes, event and membership; with an invitation also its mail and event.
const WRITTEN_ROWS_PER_PERSON = 10
const WRITTEN_ROWS_PER_INVITEE = 20

/** The number of statements is independent of the number of users. */
export function createPeopleWriter<Row extends PersonRow>({
  afterSave,
  columns,
  source: from,
  condition = sql`true`,
}: PeopleWriteOptions<Row>) {
  const templatesByShape = new Map<string, ReturnType<typeof createTemplates>>()

  function createTemplates({ rejects, invites, ...shape }: PeopleSqlShape) {
    const all = createPeopleSql(shape)
    const sources = [
      emitMemberChanges(all),
      ...(invites ? [upsertInvitations(fromRemovedUsers(all))] : []),
      ...(shape.attributes ? [insertPeople(all), updatePeople(all)] : [upsertPeople(all)]),
      ...afterSave(all),
      ...(invites ? [upsertInvitations(fromNewUsers(all))] : []),
      completeMemberEvents(all),
      emitMembersCreated(all),
    ]
    const selected = {
      ...columns,
      id: users.id,
      email: users.email,
      role: users.role,
      firstName: users.firstName,
      createdAt: users.createdAt,
      updatedAt: users.updatedAt,
      ...(rejects && { at: caller.now }),
      ...(shape.attributes && { attributesFull: sql`${users.id} IS NOT NULL AND NOT (${mergedAttributesFit})` }),
      // A member whose id belongs to another member was not inserted.
      ...(shape.identities && { email: personValue.email, idTaken: sql`NOT (${identityIsFree})` }),
    } as Record<keyof Row & string, SQLWrapper>
    const { knownSource, joinKnown } = all
    return {
      templates: sources.map((source) => makeLazy(() => compileSql(source))),
      returning: returning<Row, Values>(
        selected,
        sql`FROM ${from} LEFT JOIN ${knownSource} LEFT JOIN ${joinKnown} WHERE ${condition}`,
      ),
    }
  }

  return (
    { read, people }: Pick<ReadPeople, 'read' | 'people'>,
    key: Values,
    mailing?: NewMailing,
  ): { statements: Statement<never>[]; estimatedRows: number; returning: Returning<Row> } => {
    const attributes = people.map((person) => person.attributes.toJSON())
    const hasIdentities = people.some(({ identity }) => identity)
    const hasAttributes = hasIdentities || attributes.some((each) => Object.keys(each).length)
    const hasSegments = people.some(({ segmentIds }) => segmentIds.size)
    const chunks = {
      people: splitIntoJsonArrays(
        people.map(({ email, firstName, lastName, segmentIds, identity }, n) => {
          const names = [email, firstName, lastName]
          if (hasIdentities)
            return [
              ...[...names, attributes[n], [...segmentIds]],
              ...[identity?.source ?? null, identity?.externalId ?? null],
            ]
          if (hasSegments) return [...names, attributes[n], [...segmentIds]]
          return hasAttributes ? [...names, attributes[n]] : names
        }),
      ),
      emails: splitIntoJsonArrays(people.map(({ email }) => email)),
    }
    const shape = {
      people: chunks.people.length,
      emails: chunks.emails.length,
      attributes: hasAttributes,
      segments: hasSegments,
      identities: hasIdentities,
      rejects: hasAttributes || read.some((item) => 'reason' in item),
      invites: mailing !== undefined,
    }
    const name = Object.values(shape).join()
    const made = templatesByShape.get(name) ?? createTemplates(shape)
    templatesByShape.set(name, made)
    const values: Values = {
      ...key,
      ...(mailing && bindInvitationMailing(mailing)),
      ...Object.fromEntries(
        Object.entries(chunks).flatMap(([name, all]) => all.map((chunk, n) => [`=${name}${n}`, chunk])),
      ),
    }
    const statements = made.templates.map((template, n): Statement<never> => {
      const after = made.templates[n - 1]
      return { template, values, bindsRows: true, ...(after && { after }) }
    })
    return {
      statements: [...statements, ...(mailing ? sendInvitations(mailing) : [])],
      estimatedRows: people.length * (mailing ? WRITTEN_ROWS_PER_INVITEE : WRITTEN_ROWS_PER_PERSON),
      returning: { ...made.returning(values), bindsRows: true },
    }
  }
}

/** Events of the members that the batch created, among the people with the addresses. */
export const emitNewMembers = (emails: SQL) =>
  emitEventsOf(
    'created',
    member,
    sql`SELECT known.id FROM (SELECT DISTINCT email FROM (${emails})) given CROSS JOIN ${users} known
      ON known.subscription_id = ${caller.subscription} AND known.email = given.email
      WHERE known.created_at = ${caller.now} AND known.version = 1 AND known.deleted_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM ${log} emitted INDEXED BY log_resource WHERE emitted.subscription_id = ${caller.subscription}
          AND emitted.resource_key = CAST(known.id AS TEXT) AND emitted.type IN ('member.created', 'user.created'))`,
  )

/** Follows the insert of an unknown person. */
export const emitUnknownMember = member.emit(
  'created',
  sql`${member.notDeleted} AND ${users.email} = ${param('email')} AND changes() > 0`,
)
