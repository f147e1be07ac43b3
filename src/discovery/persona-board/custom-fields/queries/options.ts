import { type SQL, sql } from 'drizzle-orm'
import { answer } from '../../../../db/answer'
import type { Database } from '../../../../db/client'
import { eventSql } from '../../../../db/events'
import { done } from '../../../../db/lifecycle'
import { guard } from '../../../../db/refuse'
import { personaCustomFields, personaCustomOptions, personaCustomValues } from '../../../../db/schema/persona-board'
import { caller, inline, insertInto, param, statement, type Values } from '../../../../db/statement'
import { MAX_OPTIONS } from '../../../personas/schema'
import { type CustomFieldKey, customField, itsValues, options } from '../fields'
import type { CustomFieldOption } from '../schema'

const own = sql`o.subscription_id = ${caller.subscription} AND o.field_id = ${customField.id}`
const named = sql`FROM ${personaCustomOptions} o WHERE ${own} AND o.id = ${param('optionId')}`

const noOptions = customField.refusing(
  sql`'conflict:Only a select or multiselect has options.'`,
  sql`${personaCustomFields.type} NOT IN ('select', 'multiselect')`,
)
const tooMany = guard<Values>(
  inline(`conflict:A custom field has at most ${MAX_OPTIONS} options. Remove one first.`),
  sql`(SELECT count(*) FROM ${personaCustomOptions} o WHERE ${own}) >= ${inline(MAX_OPTIONS)}`,
)
const taken = guard<Values>(
  sql`'conflict:Another option of this field has this label. Choose another.'`,
  sql`EXISTS (SELECT 1 FROM ${personaCustomOptions} o WHERE ${own} AND o.label = ${param('label')}
    AND o.id IS NOT ${param('optionId')})`,
)
const absent = guard<Values>('option_not_found', sql`NOT EXISTS (SELECT 1 ${named})`)
const used = guard<Values>(
  sql`'in_use:Personas have this option as a value. Choose another for them first.'`,
  sql`EXISTS (SELECT 1 FROM ${itsValues} AND EXISTS (SELECT 1 FROM json_each(${personaCustomValues.value}) e
    WHERE e.value = ${param('optionId')}))`,
)

const shown = (where: SQL, label = sql`o.label`) => sql`(SELECT json_group_array(json(option)) FROM (
  SELECT json_object('id', o.id, 'label', ${label}) AS option FROM ${personaCustomOptions} o
  WHERE ${own} AND ${where} ORDER BY o.id))`

/** Emits the field with the future options and the previous options, if `when` holds. */
const tell = (becomes: SQL, when = sql`true`) =>
  statement<never, Values>(
    eventSql({
      type: 'custom_field.updated',
      key: customField.told.key,
      data: sql`json_set(${customField.told.data}, '$.options', json(${becomes}), '$.updatedAt',
        strftime('%FT%R:%fZ', ${caller.now} / 1000.0, 'unixepoch'))`,
      previous: sql`json_object('options', json(${options}))`,
      from: sql`${customField.from} WHERE ${customField.addressed} AND ${when}`,
    }),
  )

const rise = (when = sql`true`) =>
  statement<never, Values>(sql`UPDATE ${personaCustomFields} SET version = version + 1, updated_at = ${caller.now}
    WHERE ${customField.addressed} AND ${when}`)

// The event follows the insert, because a new option gets an id by the insert.
const insert = statement<never, Values>(
  insertInto(personaCustomOptions, {
    subscriptionId: caller.subscription,
    fieldId: customField.id,
    label: param('label'),
  }),
)
const before = shown(sql`o.label <> ${param('label')}`)
const toldNew = statement<never, Values>(
  eventSql({
    type: 'custom_field.updated',
    key: customField.told.key,
    data: customField.told.data,
    previous: sql`json_object('options', json(${before}))`,
    from: sql`${customField.from} WHERE ${customField.addressed}`,
  }),
)
const risen = rise()
const byLabel = answer<CustomFieldOption, Values>(
  { id: sql`o.id`, label: sql`o.label` },
  sql`FROM ${personaCustomOptions} o WHERE ${own} AND o.label = ${param('label')}`,
)

export async function createOption(db: Database, key: CustomFieldKey, { label }: { label: string }) {
  const values = { ...key, label, optionId: null }
  const written = await db.write({
    guards: [...customField.writable(key), noOptions(values), tooMany(values), taken(values)],
    statements: [insert(values), risen(values), toldNew(values)],
    answer: byLabel(values),
  })
  return written.answer[0]
}

const differs = sql`EXISTS (SELECT 1 ${named} AND o.label <> ${param('label')})`
const renamed = shown(sql`true`, sql`iif(o.id = ${param('optionId')}, ${param('label')}, o.label)`)
const rename = [
  tell(renamed, differs),
  rise(differs),
  statement<never, Values>(sql`UPDATE ${personaCustomOptions} SET label = ${param('label')}
    WHERE ${personaCustomOptions.subscriptionId} = ${caller.subscription}
      AND ${personaCustomOptions.fieldId} = ${customField.id} AND ${personaCustomOptions.id} = ${param('optionId')}
      AND ${personaCustomOptions.label} <> ${param('label')}`),
]
const byId = answer<CustomFieldOption, Values>({ id: sql`o.id`, label: sql`o.label` }, named)

export type OptionKey = CustomFieldKey & { optionId: number }

export async function modifyOption(db: Database, key: OptionKey, { label }: { label: string }) {
  const values = { ...key, label }
  const written = await db.write({
    guards: [...customField.writable(key), absent(values), taken(values)],
    statements: rename.map((make) => make(values)),
    answer: byId(values),
  })
  return written.answer[0]
}

const without = shown(sql`o.id <> ${param('optionId')}`)
const remove = [
  tell(without),
  rise(),
  statement<never, Values>(sql`DELETE FROM ${personaCustomOptions}
    WHERE ${personaCustomOptions.subscriptionId} = ${caller.subscription}
      AND ${personaCustomOptions.fieldId} = ${customField.id} AND ${personaCustomOptions.id} = ${param('optionId')}`),
]

export const removeOption = (db: Database, key: OptionKey) =>
  db.write({
    guards: [...customField.writable(key), absent(key), used(key)],
    statements: remove.map((make) => make(key)),
    answer: done({}),
  })
