import { sql } from 'drizzle-orm'
import { guard } from '../../../db/client/refuse'
import type { DerivedField } from '../../../db/records/change'
import { personaCustomFields, personaCustomOptions, personaCustomValues } from '../../../db/schema/persona-board'
import { caller, inline, param, statement, type Values } from '../../../db/sql/statement'
import { customFieldsJson, fromCustomValuesOfPersona, persona } from '../fields'
import type { CustomValue } from '../schema'
import { listFittingTypes } from './fitting-types'

export const bindCustomValues = (values: Record<string, CustomValue>): Values => ({
  '=customFields': JSON.stringify(
    Object.entries(values).map(([field, value]) => ({
      field: Number(field),
      value: value === null ? null : JSON.stringify(Array.isArray(value) ? [...new Set(value)] : value),
      fits: listFittingTypes(value),
      options: Array.isArray(value) ? value : typeof value === 'number' ? [value] : [],
    })),
  ),
})

const fromGivenValues = sql`json_each(${param('=customFields')}) g`
const fieldIdOfGivenValue = sql`(g.value ->> 'field')`
const givenValue = sql`(g.value ->> 'value')`

const EXPECTED_VALUE_BY_TYPE = {
  text: 'a line of text with at most 1,000 characters',
  textarea: 'text',
  number: 'a number',
  date: 'an ISO 8601 date, like 2026-01-31',
  url: 'an http, https or mailto address',
  boolean: 'true or false',
  select: 'the id of an option of the field',
  multiselect: 'a list of ids of options of the field',
}
const expectedValueCases = sql.join(
  Object.entries(EXPECTED_VALUE_BY_TYPE).map(([type, what]) => sql`WHEN ${inline(type)} THEN ${inline(what)}`),
  sql` `,
)

const customValueIssues = sql`(SELECT json_group_array(json_array('/customFields/' || field, message)) FROM (
    SELECT ${fieldIdOfGivenValue} AS field, CASE
      WHEN f.id IS NULL THEN 'The persona does not have this custom field. Attach the field first.'
      WHEN ${givenValue} IS NULL THEN iif(f.required, 'This custom field is required. Change the value instead of clearing it.', NULL)
      WHEN NOT EXISTS (SELECT 1 FROM json_each(g.value, '$.fits') t WHERE t.value = f.type)
        OR f.type IN ('select', 'multiselect') AND EXISTS (SELECT 1 FROM json_each(g.value, '$.options') o
          WHERE NOT EXISTS (SELECT 1 FROM ${personaCustomOptions} p WHERE p.id = o.value
            AND p.subscription_id = ${caller.subscription} AND p.field_id = f.id))
      THEN 'Must be ' || CASE f.type ${expectedValueCases} END END AS message
    FROM ${fromGivenValues} LEFT JOIN ${personaCustomValues} v ON v.subscription_id = ${caller.subscription}
        AND v.persona_id = ${persona.id} AND v.field_id = ${fieldIdOfGivenValue}
      LEFT JOIN ${personaCustomFields} f ON f.id = v.field_id AND f.subscription_id = ${caller.subscription}
        AND f.deleted_at IS NULL)
  WHERE message IS NOT NULL HAVING count(*) > 0)`

export const customValuesInvalid = guard<Values>(
  sql`'invalid_values:' || ${customValueIssues}`,
  sql`${customValueIssues} IS NOT NULL`,
)

const customFieldsAfterChange = sql`(SELECT json_group_object(CAST(v.field_id AS TEXT), json(coalesce(
    CASE WHEN EXISTS (SELECT 1 FROM ${fromGivenValues} WHERE ${fieldIdOfGivenValue} = v.field_id)
      THEN (SELECT ${givenValue} FROM ${fromGivenValues} WHERE ${fieldIdOfGivenValue} = v.field_id) ELSE v.value END, 'null')))
  ${fromCustomValuesOfPersona})`

export const customFieldsDerivedField: DerivedField = {
  name: 'customFields',
  json: customFieldsJson,
  differs: sql`${customFieldsJson} IS NOT ${customFieldsAfterChange}`,
  newValue: customFieldsAfterChange,
}

export const updateCustomValues = statement<never, Values>(sql`UPDATE ${personaCustomValues} SET value = ${givenValue}
  FROM ${fromGivenValues} WHERE ${personaCustomValues.subscriptionId} = ${caller.subscription}
    AND ${personaCustomValues.personaId} = ${persona.id} AND ${personaCustomValues.fieldId} = ${fieldIdOfGivenValue}
    AND ${personaCustomValues.value} IS NOT ${givenValue}`)
