import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { inserts, modifies } from '../../../../db/change'
import type { Database } from '../../../../db/client'
import { walking } from '../../../../db/filter'
import { done, lifecycle } from '../../../../db/lifecycle'
import { list } from '../../../../db/list'
import { guard } from '../../../../db/refuse'
import { personaCustomFields, personaCustomOptions, personaCustomValues } from '../../../../db/schema/persona-board'
import { personas } from '../../../../db/schema/personas'
import { caller, insertInto, param, statement, type Values } from '../../../../db/statement'
import { uniqueness } from '../../../../db/unique'
import { persona } from '../../../personas/fields'
import { type CustomFieldKey, customField, itsValues } from '../fields'
import { CreateCustomField, ListCustomFields, ModifyCustomField } from '../schema'

const unique = uniqueness(customField)

const next = sql`(SELECT coalesce(max(${personaCustomFields.order}), 0) + 1 FROM ${personaCustomFields}
  WHERE ${customField.visible})`
const inserted = inserts(customField, CreateCustomField, { values: { order: next }, except: ['options'] })
// Finds the new field by the unique name, because inserting the options changes the last row id.
const made = sql`${customField.tenantVisible} AND ${personaCustomFields.name} = ${param('name')}`
const addOptions = statement<never, Values>(
  insertInto(
    personaCustomOptions,
    {
      subscriptionId: caller.subscription,
      fieldId: sql`(SELECT ${personaCustomFields.id} FROM ${personaCustomFields} WHERE ${made})`,
      label: sql`o.value`,
    },
    sql`FROM json_each(${param('options')}) o ORDER BY o.key`,
  ),
)
const created = customField.event('created', made)
const asMade = customField.answering(made)

export const createCustomField = (db: Database, { options = [], ...body }: z.output<typeof CreateCustomField>) =>
  customField.save(db, {
    guards: unique.onCreate(body.name),
    statements: [
      inserted(body),
      ...(options.length ? [addOptions({ name: body.name, options: JSON.stringify(options) })] : []),
      created({ name: body.name }),
    ],
    answer: asMade({ name: body.name }),
  })

export const getCustomField = customField.get

const has = sql`EXISTS (SELECT 1 FROM ${personas} CROSS JOIN ${personaCustomValues} v
    ON v.subscription_id = ${caller.subscription} AND v.persona_id = ${personas.id}
  WHERE ${persona.visible} AND ${personas.externalKey} = ${param('excludePersona')}
    AND v.field_id = ${personaCustomFields.id})`

export const listCustomFields = list(customField, ListCustomFields, {
  sorts: { order: personaCustomFields.order },
  filters: { excludePersona: walking({ where: () => sql`NOT ${has}` }) },
}).page

const modified = modifies(customField, ModifyCustomField)

const typeFixed = customField.refusing(
  sql`'conflict:Personas have values of this custom field: its type is fixed. Clear them, or make another field.'`,
  sql`${personaCustomFields.type} <> ${param('newType')}
    AND EXISTS (SELECT 1 FROM ${itsValues} AND ${personaCustomValues.value} IS NOT NULL)`,
)

export const modifyCustomField = (
  db: Database,
  key: CustomFieldKey,
  body: z.output<typeof ModifyCustomField>,
  ifMatch: string | null,
) =>
  customField.save(db, {
    guards: [
      ...customField.writable(key, ifMatch),
      ...unique.onModify(key, body.name),
      ...(body.type === undefined ? [] : [typeFixed({ ...key, newType: body.type })]),
    ],
    statements: modified(key, body),
    answer: customField.reply(key),
  })

// Values stay, hidden until the field is restored.
const { removal, restoration } = lifecycle(customField)

export const removeCustomField = (db: Database, key: CustomFieldKey, ifMatch: string | null) =>
  db.write(removal(key, ifMatch))

export const restoreCustomField = (db: Database, key: CustomFieldKey) => customField.save(db, restoration(key))

// A purged field waits for the cron with deleted_at = 1.
const either = sql`${customField.inScope} AND ${personaCustomFields.id} = ${param('customFieldId')}
  AND ${personaCustomFields.deletedAt} IS NOT 1`
const gone = guard<Values>(
  'custom_field_not_found',
  sql`NOT EXISTS (SELECT 1 FROM ${personaCustomFields} WHERE ${either})`,
)
const purged = customField.event('purged', either)
const drop = [
  sql`DELETE FROM ${personaCustomValues} WHERE ${personaCustomValues.subscriptionId} = ${caller.subscription}
    AND ${personaCustomValues.fieldId} = ${param('customFieldId')}`,
  sql`DELETE FROM ${personaCustomOptions} WHERE ${personaCustomOptions.subscriptionId} = ${caller.subscription}
    AND ${personaCustomOptions.fieldId} = ${param('customFieldId')}`,
  // Leaves the row to the cron, because the cron keeps ids from being reused; a purged field cannot be restored.
  sql`UPDATE ${personaCustomFields} SET deleted_at = 1 WHERE ${either}`,
].map((source) => statement<never, Values>(source))

/** Deletes a field permanently, archived or not. */
export const purgeCustomField = (db: Database, key: CustomFieldKey) =>
  db.write({
    guards: [gone(key)],
    statements: [purged(key), ...drop.map((make) => make(key))],
    answer: done({}),
  })
