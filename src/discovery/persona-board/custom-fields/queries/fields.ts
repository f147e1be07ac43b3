import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../../db/client/client'
import { guard } from '../../../../db/client/refuse'
import { insertStatement, updateStatement } from '../../../../db/records/change'
import { makeLifecycle, returningDone } from '../../../../db/records/lifecycle'
import { makeListReader } from '../../../../db/records/list'
import { personaCustomFields, personaCustomOptions, personaCustomValues } from '../../../../db/schema/persona-board'
import { personas } from '../../../../db/schema/personas'
import { namesRecord, unindexed } from '../../../../db/sql/filter'
import { caller, insertInto, param, statement, type Values } from '../../../../db/sql/statement'
import { persona } from '../../../personas/fields'
import { type CustomFieldKey, customField, fromValuesOfCustomField } from '../fields'
import { CreateCustomField, ListCustomFields, ModifyCustomField } from '../schema'

const nextOrderOfFields = sql`(SELECT coalesce(max(${personaCustomFields.order}), 0) + 1 FROM ${personaCustomFields}
  WHERE ${customField.notDeleted})`
const insertCustomField = insertStatement(customField, CreateCustomField, {
  values: { order: nextOrderOfFields },
  except: ['options'],
})
// Finds the new field by the unique name, because inserting the options changes the last row id.
const isInsertedField = sql`${customField.tenantNotDeleted} AND ${personaCustomFields.name} = ${param('name')}`
const insertFieldOptions = statement<never, Values>(
  insertInto(
    personaCustomOptions,
    {
      subscriptionId: caller.subscription,
      fieldId: sql`(SELECT ${personaCustomFields.id} FROM ${personaCustomFields} WHERE ${isInsertedField})`,
      label: sql`o.value`,
    },
    sql`FROM json_each(${param('options')}) o ORDER BY o.key`,
  ),
)
const emitCustomFieldCreated = customField.emit('created', isInsertedField)
const returningInsertedField = customField.returningWhere(isInsertedField)

export const createCustomField = (db: Database, { options = [], ...body }: z.output<typeof CreateCustomField>) =>
  customField.save(db, {
    statements: [
      insertCustomField(body),
      ...(options.length ? [insertFieldOptions({ name: body.name, options: JSON.stringify(options) })] : []),
      emitCustomFieldCreated({ name: body.name }),
    ],
    returning: returningInsertedField({ name: body.name }),
  })

export const getCustomField = customField.get

const personaHasField = sql`EXISTS (SELECT 1 FROM ${personas} CROSS JOIN ${personaCustomValues} v
    ON v.subscription_id = ${caller.subscription} AND v.persona_id = ${personas.id}
  WHERE ${persona.notDeleted} AND ${personas.externalKey} = ${param('excludePersona')}
    AND v.field_id = ${personaCustomFields.id})`

export const listCustomFields = makeListReader(customField, ListCustomFields, {
  sorts: { order: personaCustomFields.order },
  filters: {
    excludePersona: namesRecord('anyPersonaKey', unindexed<string>({ where: () => sql`NOT ${personaHasField}` })),
  },
}).page

const updateCustomField = updateStatement(customField, ModifyCustomField)

const fieldTypeInUse = customField.refuseIf(
  'conflict:The type is fixed, because personas have values of this field. Clear the values, or create another field.',
  sql`${personaCustomFields.type} <> ${param('newType')}
    AND EXISTS (SELECT 1 FROM ${fromValuesOfCustomField} AND ${personaCustomValues.value} IS NOT NULL)`,
)

export const modifyCustomField = (
  db: Database,
  key: CustomFieldKey,
  body: z.output<typeof ModifyCustomField>,
  ifMatch: string | null,
) =>
  customField.save(db, {
    guards: [
      ...customField.writeGuards(key, ifMatch),
      ...(body.type === undefined ? [] : [fieldTypeInUse({ ...key, newType: body.type })]),
    ],
    statements: updateCustomField(key, body),
    returning: customField.returningByKey(key),
  })

export const { remove: removeCustomField, restore: restoreCustomField } = makeLifecycle(customField)

// A purged field waits for the cron with deleted_at = 1.
const isFieldEvenIfRemoved = sql`${customField.inScope} AND ${personaCustomFields.id} = ${param('customFieldId')}
  AND ${personaCustomFields.deletedAt} IS NOT 1`
const customFieldNotFound = guard<Values>(
  'custom_field_not_found',
  sql`NOT EXISTS (SELECT 1 FROM ${personaCustomFields} WHERE ${isFieldEvenIfRemoved})`,
)
const emitCustomFieldPurged = customField.emit('purged', isFieldEvenIfRemoved)
const emitCustomFieldDeleted = customField.emit(
  'deleted',
  sql`${isFieldEvenIfRemoved} AND ${personaCustomFields.deletedAt} IS NULL`,
)
const purgeFieldStatements = [
  sql`DELETE FROM ${personaCustomValues} WHERE ${personaCustomValues.subscriptionId} = ${caller.subscription}
    AND ${personaCustomValues.fieldId} = ${param('customFieldId')}`,
  sql`DELETE FROM ${personaCustomOptions} WHERE ${personaCustomOptions.subscriptionId} = ${caller.subscription}
    AND ${personaCustomOptions.fieldId} = ${param('customFieldId')}`,
  // The cron keeps ids from being reused.
  sql`UPDATE ${personaCustomFields} SET deleted_at = 1 WHERE ${isFieldEvenIfRemoved}`,
].map((source) => statement<never, Values>(source))

export const purgeCustomField = (db: Database, key: CustomFieldKey) =>
  db.write({
    guards: [customFieldNotFound(key)],
    statements: [
      emitCustomFieldDeleted(key),
      emitCustomFieldPurged(key),
      ...purgeFieldStatements.map((make) => make(key)),
    ],
    returning: returningDone({}),
  })
