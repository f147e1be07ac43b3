import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../../db/client/client'
import { guard } from '../../../../db/client/refuse'
import { returningDone } from '../../../../db/records/lifecycle'
import { personaCustomFields, personaCustomOptions, personaCustomValues } from '../../../../db/schema/persona-board'
import { eventSql } from '../../../../db/sql/events'
import { returning } from '../../../../db/sql/returning'
import { caller, inline, insertInto, param, statement, type Values } from '../../../../db/sql/statement'
import { MAX_OPTIONS_PER_FIELD } from '../../../personas/schema'
import { type CustomFieldKey, customField, fromValuesOfCustomField, optionsJsonOfField } from '../fields'
import type { CustomFieldOption } from '../schema'

const isOptionOfField = sql`o.subscription_id = ${caller.subscription} AND o.field_id = ${customField.id}`
const fromOption = sql`FROM ${personaCustomOptions} o WHERE ${isOptionOfField} AND o.id = ${param('optionId')}`

const fieldTypeHasNoOptions = customField.refuseIf(
  'conflict:Only a select or multiselect has options. Choose another custom field.',
  sql`${personaCustomFields.type} NOT IN ('select', 'multiselect')`,
)
const fieldHasTooManyOptions = guard<Values>(
  `conflict:A custom field has at most ${MAX_OPTIONS_PER_FIELD} options. Remove an option first.`,
  sql`(SELECT count(*) FROM ${personaCustomOptions} o WHERE ${isOptionOfField}) >= ${inline(MAX_OPTIONS_PER_FIELD)}`,
)
const optionLabelTaken = guard<Values>(
  'conflict:Another option of this field has this label. Choose a different label.',
  sql`EXISTS (SELECT 1 FROM ${personaCustomOptions} o WHERE ${isOptionOfField} AND o.label = ${param('label')}
    AND o.id IS NOT ${param('optionId')})`,
)
const optionNotFound = guard<Values>('option_not_found', sql`NOT EXISTS (SELECT 1 ${fromOption})`)
const optionInUse = guard<Values>(
  'in_use:Personas have this option as a value. Choose another option for these personas first.',
  sql`EXISTS (SELECT 1 FROM ${fromValuesOfCustomField} AND EXISTS (SELECT 1 FROM json_each(${personaCustomValues.value}) e
    WHERE e.value = ${param('optionId')}))`,
)

const optionsJsonWhere = (where: SQL, label = sql`o.label`) => sql`(SELECT json_group_array(json(option)) FROM (
  SELECT json_object('id', o.id, 'label', ${label}) AS option FROM ${personaCustomOptions} o
  WHERE ${isOptionOfField} AND ${where} ORDER BY o.id))`

const createOptionsUpdatedEmitter = (becomes: SQL, when = sql`true`) =>
  statement<never, Values>(
    eventSql({
      type: 'custom_field.updated',
      key: customField.eventSource.key,
      data: sql`json_set(${customField.eventSource.data}, '$.options', json(${becomes}), '$.updatedAt',
        strftime('%FT%R:%fZ', ${caller.now} / 1000.0, 'unixepoch'))`,
      previous: sql`json_object('options', json(${optionsJsonOfField}))`,
      from: sql`${customField.from} WHERE ${customField.byKey} AND ${when}`,
    }),
  )

const createVersionBump = (when = sql`true`) =>
  statement<never, Values>(sql`UPDATE ${personaCustomFields} SET version = version + 1, updated_at = ${caller.now}
    WHERE ${customField.byKey} AND ${when}`)

// The event follows the insert, because a new option gets an id by the insert.
const insertFieldOption = statement<never, Values>(
  insertInto(personaCustomOptions, {
    subscriptionId: caller.subscription,
    fieldId: customField.id,
    label: param('label'),
  }),
)
const optionsBeforeInsert = optionsJsonWhere(sql`o.label <> ${param('label')}`)
const emitOptionAdded = statement<never, Values>(
  eventSql({
    type: 'custom_field.updated',
    key: customField.eventSource.key,
    data: customField.eventSource.data,
    previous: sql`json_object('options', json(${optionsBeforeInsert}))`,
    from: sql`${customField.from} WHERE ${customField.byKey}`,
  }),
)
const bumpFieldVersion = createVersionBump()
const returningOptionByLabel = returning<CustomFieldOption, Values>(
  { id: sql`o.id`, label: sql`o.label` },
  sql`FROM ${personaCustomOptions} o WHERE ${isOptionOfField} AND o.label = ${param('label')}`,
)

export async function createOption(db: Database, key: CustomFieldKey, { label }: { label: string }) {
  const values = { ...key, label, optionId: null }
  const written = await db.write({
    guards: [
      ...customField.writeGuards(key),
      fieldTypeHasNoOptions(values),
      fieldHasTooManyOptions(values),
      optionLabelTaken(values),
    ],
    statements: [insertFieldOption(values), bumpFieldVersion(values), emitOptionAdded(values)],
    returning: returningOptionByLabel(values),
  })
  return written.rows[0]
}

const optionLabelDiffers = sql`EXISTS (SELECT 1 ${fromOption} AND o.label <> ${param('label')})`
const optionsAfterRename = optionsJsonWhere(
  sql`true`,
  sql`iif(o.id = ${param('optionId')}, ${param('label')}, o.label)`,
)
const renameOptionStatements = [
  createOptionsUpdatedEmitter(optionsAfterRename, optionLabelDiffers),
  createVersionBump(optionLabelDiffers),
  statement<never, Values>(sql`UPDATE ${personaCustomOptions} SET label = ${param('label')}
    WHERE ${personaCustomOptions.subscriptionId} = ${caller.subscription}
      AND ${personaCustomOptions.fieldId} = ${customField.id} AND ${personaCustomOptions.id} = ${param('optionId')}
      AND ${personaCustomOptions.label} <> ${param('label')}`),
]
const returningOptionById = returning<CustomFieldOption, Values>({ id: sql`o.id`, label: sql`o.label` }, fromOption)

export type OptionKey = CustomFieldKey & { optionId: number }

export async function modifyOption(db: Database, key: OptionKey, { label }: { label: string }) {
  const values = { ...key, label }
  const written = await db.write({
    guards: [...customField.writeGuards(key), optionNotFound(values), optionLabelTaken(values)],
    statements: renameOptionStatements.map((make) => make(values)),
    returning: returningOptionById(values),
  })
  return written.rows[0]
}

const optionsAfterRemoval = optionsJsonWhere(sql`o.id <> ${param('optionId')}`)
const removeOptionStatements = [
  createOptionsUpdatedEmitter(optionsAfterRemoval),
  createVersionBump(),
  statement<never, Values>(sql`DELETE FROM ${personaCustomOptions}
    WHERE ${personaCustomOptions.subscriptionId} = ${caller.subscription}
      AND ${personaCustomOptions.fieldId} = ${customField.id} AND ${personaCustomOptions.id} = ${param('optionId')}`),
]

export const removeOption = (db: Database, key: OptionKey) =>
  db.write({
    guards: [...customField.writeGuards(key), optionNotFound(key), optionInUse(key)],
    statements: removeOptionStatements.map((make) => make(key)),
    returning: returningDone({}),
  })
