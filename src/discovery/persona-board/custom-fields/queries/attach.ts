import { type SQL, sql } from 'drizzle-orm'
import { modifies } from '../../../../db/change'
import type { Database } from '../../../../db/client'
import { done } from '../../../../db/lifecycle'
import { guard } from '../../../../db/refuse'
import { personaCustomValues } from '../../../../db/schema/persona-board'
import { personas } from '../../../../db/schema/personas'
import { caller, inline, insertInto, statement, type Values } from '../../../../db/statement'
import { type PersonaKey, persona, presentCustomFields } from '../../../personas/fields'
import { MAX_CUSTOM_FIELDS, ModifyPersona } from '../../../personas/schema'
import { type CustomFieldKey, customField } from '../fields'

type Attachment = CustomFieldKey & PersonaKey

const its = (of: SQL) => sql`${personaCustomValues.subscriptionId} = ${caller.subscription}
  AND ${personaCustomValues.personaId} = ${of} AND ${personaCustomValues.fieldId} = ${customField.id}`
const has = sql`EXISTS (SELECT 1 FROM ${personaCustomValues} WHERE ${its(sql`${personas.id}`)})`

// Changes no member of the body, because the values are in another table.
const changing = () => modifies(persona, ModifyPersona, { except: ['customFields'] })
const [toAttach, toDetach] = [changing(), changing()]
const member = sql`'$."' || CAST(${customField.id} AS INTEGER) || '"'`

const tooMany = guard<Values>(
  inline(`conflict:A persona has at most ${MAX_CUSTOM_FIELDS} custom fields. Detach one first.`),
  sql`(SELECT count(*) FROM ${personaCustomValues} v WHERE v.subscription_id = ${caller.subscription}
    AND v.persona_id = ${persona.id}) >= ${inline(MAX_CUSTOM_FIELDS)}
    AND NOT EXISTS (SELECT 1 FROM ${personaCustomValues} WHERE ${its(persona.id)})`,
)

const attaching = {
  name: 'customFields',
  json: presentCustomFields,
  differs: sql`NOT ${has}`,
  becomes: sql`json_set(${presentCustomFields}, ${member}, NULL)`,
}
const attach = statement<never, Values>(
  insertInto(
    personaCustomValues,
    { subscriptionId: caller.subscription, personaId: persona.id, fieldId: customField.id },
    sql`WHERE true ON CONFLICT DO NOTHING`,
  ),
)

const guards = (key: Attachment) => [...customField.writable(key), ...persona.writable(key)]

export const attachCustomField = (db: Database, key: Attachment) =>
  persona.save(db, {
    guards: [...guards(key), tooMany(key)],
    statements: [...toAttach(key, {}, [attaching]), attach(key)],
    answer: persona.reply(key),
  })

const detaching = {
  name: 'customFields',
  json: presentCustomFields,
  differs: has,
  becomes: sql`json_remove(${presentCustomFields}, ${member})`,
}
const detach = statement<never, Values>(sql`DELETE FROM ${personaCustomValues} WHERE ${its(persona.id)}`)

export const detachCustomField = (db: Database, key: Attachment) =>
  db.write({
    guards: guards(key),
    statements: [...toDetach(key, {}, [detaching]), detach(key)],
    answer: done({}),
  })
