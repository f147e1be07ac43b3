import { sql } from 'drizzle-orm'
import { type Key, record } from '../../db/records/record'
import { personaBoardSegments, personaCustomFields, personaCustomValues } from '../../db/schema/persona-board'
import { opportunities, personaSummaries, personas } from '../../db/schema/personas'
import { products } from '../../db/schema/tenancy'
import { countContent } from '../../db/sql/content'
import { computedJson, type Field, linkedName, longJson, longText, moment } from '../../db/sql/field'
import { caller } from '../../db/sql/statement'
import type { CustomValue } from './schema'

const personaKeyColumns = { persona_external_key: personas.externalKey }
export type PersonaKey = Key<typeof personaKeyColumns>

export const personaDeclaration = {
  table: personas,
  scope: { product: personas.productId, shared: true },
  key: personaKeyColumns,
} as const

// A removed segment keeps the personas, hidden until the segment is restored.
const idOfLiveSegment = sql`(SELECT ${personaBoardSegments.id} FROM ${personaBoardSegments}
  WHERE ${personaBoardSegments.subscriptionId} = ${caller.subscription}
    AND ${personaBoardSegments.id} = ${personas.boardSegmentId} AND ${personaBoardSegments.deletedAt} IS NULL)`
const boardSegmentIdField: Field<number | null, number | null, number | null> = {
  sql: idOfLiveSegment,
  json: () => idOfLiveSegment,
  column: personas.boardSegmentId,
  hidesRemoved: true,
}

export const fromCustomValuesOfPersona = sql`FROM ${personaCustomValues} v CROSS JOIN ${personaCustomFields} f ON f.id = v.field_id
    AND f.subscription_id = ${caller.subscription} AND f.deleted_at IS NULL
  WHERE v.subscription_id = ${caller.subscription} AND v.persona_id = ${personas.id}`

export const customFieldsJson = sql`(SELECT json_group_object(CAST(v.field_id AS TEXT), json(coalesce(v.value, 'null')))
  ${fromCustomValuesOfPersona})`

const fromLiveChildren = (children: typeof personaSummaries | typeof opportunities) =>
  sql`FROM ${children} c WHERE c.subscription_id = ${caller.subscription} AND c.persona_id = ${personas.id}
    AND c.deleted_at IS NULL`

const personaRecordDeclaration = {
  ...personaDeclaration,
  fields: {
    id: personas.id,
    externalKey: personas.externalKey,
    name: personas.name,
    occupation: personas.occupation,
    quote: personas.quote,
    description: longText(personas.description),
    color: personas.color,
    avatar: personas.avatar,
    goals: longJson<string[]>(personas.goals),
    pains: longJson<string[]>(personas.pains),
    boardSegmentId: boardSegmentIdField,
    product: linkedName(personas.productId, products.externalKey),
    source: personas.source,
    externalId: personas.externalId,
    createdAt: moment(personas.createdAt),
    updatedAt: moment(personas.updatedAt),
  },
  detail: { customFields: computedJson<Record<string, CustomValue>>(customFieldsJson) },
  content: {
    summary: countContent(fromLiveChildren(personaSummaries)),
    opportunity: countContent(fromLiveChildren(opportunities)),
  },
}

export const persona = record('persona', personaRecordDeclaration)

export const personaByExternalId = record('persona', {
  ...personaRecordDeclaration,
  key: { source: personas.source, externalId: personas.externalId },
})
