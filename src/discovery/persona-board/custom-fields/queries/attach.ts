import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../../db/client/client'
import { guard } from '../../../../db/client/refuse'
import { updateStatement } from '../../../../db/records/change'
import { emptyReply } from '../../../../db/records/lifecycle'
import { personaCustomValues } from '../../../../db/schema/persona-board'
import { personas } from '../../../../db/schema/personas'
import { caller, inline, insertInto, statement, type Values } from '../../../../db/sql/statement'
import { currentCustomFields, type PersonaKey, persona } from '../../../personas/fields'
import { MAX_CUSTOM_FIELDS, ModifyPersona } from '../../../personas/schema'
import { type CustomFieldKey, customField } from '../fields'

type Attachment = CustomFieldKey & PersonaKey

const isValueOf = (of: SQL) => sql`${personaCustomValues.subscriptionId} = ${caller.subscription}
  AND ${personaCustomValues.personaId} = ${of} AND ${personaCustomValues.fieldId} = ${customField.id}`
const hasField = sql`EXISTS (SELECT 1 FROM ${personaCustomValues} WHERE ${isValueOf(sql`${personas.id}`)})`

// Changes no member of the body, because the values are in another table.
const buildUpdate = () => updateStatement(persona, ModifyPersona, { except: ['customFields'] })
const [updateAttached, updateDetached] = [buildUpdate(), buildUpdate()]
const fieldPath = sql`'$."' || CAST(${customField.id} AS INTEGER) || '"'`

const tooManyFields = guard<Values>(
  `conflict:A persona has at most ${MAX_CUSTOM_FIELDS} custom fields. Detach a custom field first.`,
  sql`(SELECT count(*) FROM ${personaCustomValues} v WHERE v.subscription_id = ${caller.subscription}
    AND v.persona_id = ${persona.id}) >= ${inline(MAX_CUSTOM_FIELDS)}
    AND NOT EXISTS (SELECT 1 FROM ${personaCustomValues} WHERE ${isValueOf(persona.id)})`,
)

const attachedField = {
  name: 'customFields',
  json: currentCustomFields,
  differs: sql`NOT ${hasField}`,
  newValue: sql`json_set(${currentCustomFields}, ${fieldPath}, NULL)`,
}
const insertValue = statement<never, Values>(
  insertInto(
    personaCustomValues,
    { subscriptionId: caller.subscription, personaId: persona.id, fieldId: customField.id },
    sql`WHERE true ON CONFLICT DO NOTHING`,
  ),
)

const attachmentGuards = (key: Attachment) => [...customField.writeGuards(key), ...persona.writeGuards(key)]

export const attachCustomField = (db: Database, key: Attachment) =>
  persona.save(db, {
    guards: [...attachmentGuards(key), tooManyFields(key)],
    statements: [...updateAttached(key, {}, [attachedField]), insertValue(key)],
    returning: persona.returningByKey(key),
  })

const detachedField = {
  name: 'customFields',
  json: currentCustomFields,
  differs: hasField,
  newValue: sql`json_remove(${currentCustomFields}, ${fieldPath})`,
}
const deleteValue = statement<never, Values>(sql`DELETE FROM ${personaCustomValues} WHERE ${isValueOf(persona.id)}`)

export const detachCustomField = (db: Database, key: Attachment) =>
  db.write({
    guards: attachmentGuards(key),
    statements: [...updateDetached(key, {}, [detachedField]), deleteValue(key)],
    returning: emptyReply({}),
  })
