import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../../db/client/client'
import { guard } from '../../../../db/client/refuse'
import { updateStatement } from '../../../../db/records/change'
import { returningDone } from '../../../../db/records/lifecycle'
import { personaCustomValues } from '../../../../db/schema/persona-board'
import { personas } from '../../../../db/schema/personas'
import { caller, inline, insertInto, statement, type Values } from '../../../../db/sql/statement'
import { customFieldsJson, type PersonaKey, persona } from '../../../personas/fields'
import { MAX_CUSTOM_FIELDS_PER_PERSONA, ModifyPersona } from '../../../personas/schema'
import { type CustomFieldKey, customField } from '../fields'

type AttachmentKey = CustomFieldKey & PersonaKey

const isFieldValueOfPersona = (of: SQL) => sql`${personaCustomValues.subscriptionId} = ${caller.subscription}
  AND ${personaCustomValues.personaId} = ${of} AND ${personaCustomValues.fieldId} = ${customField.id}`
const personaHasField = sql`EXISTS (SELECT 1 FROM ${personaCustomValues} WHERE ${isFieldValueOfPersona(sql`${personas.id}`)})`

// Changes no member of the body, because the values are in another table.
const buildPersonaUpdate = () => updateStatement(persona, ModifyPersona, { except: ['customFields'] })
const [updatePersonaOnAttach, updatePersonaOnDetach] = [buildPersonaUpdate(), buildPersonaUpdate()]
const jsonPathOfField = sql`'$."' || CAST(${customField.id} AS INTEGER) || '"'`

const personaHasTooManyFields = guard<Values>(
  `conflict:A persona has at most ${MAX_CUSTOM_FIELDS_PER_PERSONA} custom fields. Detach a custom field first.`,
  sql`(SELECT count(*) FROM ${personaCustomValues} v WHERE v.subscription_id = ${caller.subscription}
    AND v.persona_id = ${persona.id}) >= ${inline(MAX_CUSTOM_FIELDS_PER_PERSONA)}
    AND NOT EXISTS (SELECT 1 FROM ${personaCustomValues} WHERE ${isFieldValueOfPersona(persona.id)})`,
)

const customFieldsAfterAttach = {
  name: 'customFields',
  json: customFieldsJson,
  differs: sql`NOT ${personaHasField}`,
  newValue: sql`json_set(${customFieldsJson}, ${jsonPathOfField}, NULL)`,
}
const insertEmptyValue = statement<never, Values>(
  insertInto(
    personaCustomValues,
    { subscriptionId: caller.subscription, personaId: persona.id, fieldId: customField.id },
    sql`WHERE true ON CONFLICT DO NOTHING`,
  ),
)

const makeAttachmentGuards = (key: AttachmentKey) => [...customField.writeGuards(key), ...persona.writeGuards(key)]

export const attachCustomField = (db: Database, key: AttachmentKey) =>
  persona.save(db, {
    guards: [...makeAttachmentGuards(key), personaHasTooManyFields(key)],
    statements: [...updatePersonaOnAttach(key, {}, [customFieldsAfterAttach]), insertEmptyValue(key)],
    returning: persona.returningByKey(key),
  })

const customFieldsAfterDetach = {
  name: 'customFields',
  json: customFieldsJson,
  differs: personaHasField,
  newValue: sql`json_remove(${customFieldsJson}, ${jsonPathOfField})`,
}
const deleteValueOfPersona = statement<never, Values>(
  sql`DELETE FROM ${personaCustomValues} WHERE ${isFieldValueOfPersona(persona.id)}`,
)

export const detachCustomField = (db: Database, key: AttachmentKey) =>
  db.write({
    guards: makeAttachmentGuards(key),
    statements: [...updatePersonaOnDetach(key, {}, [customFieldsAfterDetach]), deleteValueOfPersona(key)],
    returning: returningDone({}),
  })
