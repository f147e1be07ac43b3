import { sql } from 'drizzle-orm'
import type { Elsewhere } from '../../../db/change'
import { guard } from '../../../db/refuse'
import { personaCustomFields, personaCustomOptions, personaCustomValues } from '../../../db/schema/persona-board'
import { caller, inline, param, statement, type Values } from '../../../db/statement'
import { persona, presentCustomFields, presentValues } from '../fields'
import type { CustomValue } from '../schema'
import { fits } from './fits'

/** Binds custom values for the statements in this file: each value as JSON, with the types that accept the value. */
export const customValues = (values: Record<string, CustomValue>): Values => ({
  '=customFields': JSON.stringify(
    Object.entries(values).map(([field, value]) => ({
      field: Number(field),
      value: value === null ? null : JSON.stringify(Array.isArray(value) ? [...new Set(value)] : value),
      fits: fits(value),
      options: Array.isArray(value) ? value : typeof value === 'number' ? [value] : [],
    })),
  ),
})

const given = sql`json_each(${param('=customFields')}) g`
const field = sql`(g.value ->> 'field')`
const value = sql`(g.value ->> 'value')`

const WRONG = {
  text: 'one line of text, of 1,000 characters at most',
  textarea: 'text',
  number: 'a number',
  date: 'an ISO 8601 date, like 2026-01-31',
  url: 'an http, https or mailto address',
  boolean: 'true or false',
  select: 'the id of one of its options',
  multiselect: 'a list of ids of its options',
}
const expected = sql.join(
  Object.entries(WRONG).map(([type, what]) => sql`WHEN ${inline(type)} THEN ${inline(what)}`),
  sql` `,
)

const wrong = sql`(SELECT json_group_array(json_array('/customFields/' || field, message)) FROM (
    SELECT ${field} AS field, CASE
      WHEN f.id IS NULL THEN 'The persona has no such custom field. Attach it first.'
      WHEN ${value} IS NULL THEN iif(f.required, 'This custom field is required: it can be changed, not cleared.', NULL)
      WHEN NOT EXISTS (SELECT 1 FROM json_each(g.value, '$.fits') t WHERE t.value = f.type)
        OR f.type IN ('select', 'multiselect') AND EXISTS (SELECT 1 FROM json_each(g.value, '$.options') o
          WHERE NOT EXISTS (SELECT 1 FROM ${personaCustomOptions} p WHERE p.id = o.value
            AND p.subscription_id = ${caller.subscription} AND p.field_id = f.id))
      THEN 'Must be ' || CASE f.type ${expected} END END AS message
    FROM ${given} LEFT JOIN ${personaCustomValues} v ON v.subscription_id = ${caller.subscription}
        AND v.persona_id = ${persona.id} AND v.field_id = ${field}
      LEFT JOIN ${personaCustomFields} f ON f.id = v.field_id AND f.subscription_id = ${caller.subscription}
        AND f.deleted_at IS NULL)
  WHERE message IS NOT NULL HAVING count(*) > 0)`

/** Guard that reports all invalid values at once. */
export const customFieldsFit = guard<Values>(sql`'invalid_values:' || ${wrong}`, sql`${wrong} IS NOT NULL`)

const becomes = sql`(SELECT json_group_object(CAST(v.field_id AS TEXT), json(coalesce(
    CASE WHEN EXISTS (SELECT 1 FROM ${given} WHERE ${field} = v.field_id)
      THEN (SELECT ${value} FROM ${given} WHERE ${field} = v.field_id) ELSE v.value END, 'null')))
  ${presentValues})`

export const customChange: Elsewhere = {
  name: 'customFields',
  json: presentCustomFields,
  differs: sql`${presentCustomFields} IS NOT ${becomes}`,
  becomes,
}

export const setCustomValues = statement<never, Values>(sql`UPDATE ${personaCustomValues} SET value = ${value}
  FROM ${given} WHERE ${personaCustomValues.subscriptionId} = ${caller.subscription}
    AND ${personaCustomValues.personaId} = ${persona.id} AND ${personaCustomValues.fieldId} = ${field}
    AND ${personaCustomValues.value} IS NOT ${value}`)
