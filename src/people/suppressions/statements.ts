import { type SQL, sql } from 'drizzle-orm'
import { type Key, record } from '../../db/records/record'
import { importRows, imports } from '../../db/schema/imports'
import { segments, suppressions } from '../../db/schema/segments-and-mail'
import { log, users } from '../../db/schema/tenancy'
import { computedValue, enumField, moment, personalField, plainField } from '../../db/sql/field'
import { caller, insertInto, param, type Statement, statement, type Values } from '../../db/sql/statement'
import type { SUPPRESSION_REASONS } from './schema'

const suppressionKeyColumns = { suppressionId: suppressions.id }
export type SuppressionKey = Key<typeof suppressionKeyColumns>

const suppressionDeclaration = {
  table: suppressions,
  scope: 'workspace' as const,
  key: suppressionKeyColumns,
  // The member with the address; events about addresses of nobody have no person.
  person: sql`(SELECT ${users.id} FROM ${users} WHERE ${users.subscriptionId} = ${caller.subscription}
    AND ${users.email} = ${suppressions.email})`,
  fields: {
    id: suppressions.id,
    email: personalField(plainField(suppressions.email), 'email'),
    segmentId: computedValue<number | null>(sql`nullif(${suppressions.segmentId}, 0)`),
    reason: enumField<(typeof SUPPRESSION_REASONS)[number]>(suppressions.reason),
    createdAt: moment(suppressions.createdAt),
  },
}

export const suppression = record('suppression', suppressionDeclaration)

/** Ids of segments mean nothing in another workspace. */
export const exportedSuppression = record('suppression', {
  ...suppressionDeclaration,
  fields: {
    ...suppressionDeclaration.fields,
    segment: computedValue<string | null>(sql`(SELECT s.name FROM ${segments} s
      WHERE s.id = ${suppressions.segmentId} AND +s.subscription_id = ${caller.subscription})`),
  },
})

/** Ids of the suppressions of addresses and segments. `stopped` selects `email` and `segment_id`. */
export const selectHeldIds = (
  stopped: SQL,
): SQL => sql`SELECT held.id FROM (${stopped}) stopped CROSS JOIN ${suppressions} held
  ON held.subscription_id = ${caller.subscription} AND held.email = stopped.email AND held.segment_id = stopped.segment_id`

/**
 * Marks suppressions of an import as stopped again by somebody else, so that an undo of the import keeps them. Stands
 * before the insertion of a suppression.
 */
export const markStoppedAgain = (heldIds: SQL, also = sql`true`): SQL => sql`UPDATE ${importRows} SET version = 2
  WHERE ${importRows.subscriptionId} = ${caller.subscription} AND ${importRows.outcome} = 'created' AND ${importRows.version} = 1
    AND ${importRows.recordId} IN (${heldIds})
    AND EXISTS (SELECT 1 FROM ${imports} WHERE ${imports.id} = ${importRows.importId}
      AND +${imports.subscriptionId} = ${caller.subscription} AND ${imports.kind} = 'suppressions' AND ${also})`

const addressParam = param('@address')

/**
 * The old address stays suppressed, because mail may be on its way there. A hard bounce is about the old address only.
 * `copy` stands before the change of the address, and `emit` after the change.
 */
export function copySuppressionsOfPerson(person: SQL): Record<'copy' | 'emit', (values: Values) => Statement<never>> {
  const held = sql`SELECT 1 FROM ${suppressions} held WHERE held.subscription_id = ${caller.subscription}
    AND held.email = ${addressParam} AND held.segment_id = ${suppressions.segmentId}`
  const copy = insertInto(
    suppressions,
    {
      subscriptionId: caller.subscription,
      email: addressParam,
      segmentId: suppressions.segmentId,
      reason: suppressions.reason,
      createdAt: caller.now,
    },
    sql`FROM ${users} CROSS JOIN ${suppressions} ON ${suppressions.subscriptionId} = ${caller.subscription}
        AND ${suppressions.email} = ${users.email}
      WHERE ${person} AND ${suppressions.reason} <> 'hard_bounce' AND NOT EXISTS (${held})`,
  )
  const isCopy = sql`${suppressions.subscriptionId} = ${caller.subscription} AND ${suppressions.email} = ${addressParam}
    AND ${suppressions.createdAt} = ${caller.now} AND NOT EXISTS (SELECT 1 FROM ${log} e INDEXED BY log_resource
      WHERE e.subscription_id = ${caller.subscription} AND e.resource_key = CAST(${suppressions.id} AS TEXT)
        AND e.type = 'suppression.created')`
  return { copy: statement<never, Values>(copy), emit: suppression.emit('created', isCopy, { many: true }) }
}

/** After the change of addresses by an import, whose journal holds the former addresses. */
export function copySuppressionsOfChangedPeople(
  isJournalRow: SQL,
  formerAddress: SQL,
): (values: Values) => Statement<never>[] {
  const fromChangedPeople = sql`FROM ${importRows} CROSS JOIN ${users} ON ${users.id} = ${importRows.recordId}
    AND +${users.subscriptionId} = ${caller.subscription} AND ${users.email} <> ${formerAddress}
    CROSS JOIN ${suppressions} former ON former.subscription_id = ${caller.subscription} AND former.email = ${formerAddress}
      AND former.reason <> 'hard_bounce'
    WHERE ${isJournalRow}`
  const copy = insertInto(
    suppressions,
    {
      subscriptionId: caller.subscription,
      email: users.email,
      segmentId: sql`former.segment_id`,
      reason: sql`former.reason`,
      createdAt: caller.now,
    },
    sql`${fromChangedPeople} ON CONFLICT DO NOTHING`,
  )
  const isCopy = sql`${suppressions.subscriptionId} = ${caller.subscription} AND ${suppressions.createdAt} = ${caller.now}
    AND ${suppressions.email} IN (SELECT ${users.email} ${fromChangedPeople})`
  const emitCreated = suppression.emit('created', isCopy, { many: true })
  const insertCopies = statement<never, Values>(copy)
  return (values) => [insertCopies(values), emitCreated(values)]
}
