import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { record } from '../../../db/records/record'
import { personaDocumentation, personas } from '../../../db/schema/personas'
import { eventSql } from '../../../db/sql/events'
import { computedLongText, computedMoment, computedValue, constantField, withDefault } from '../../../db/sql/field'
import { caller, insertInto, param, statement, type Values } from '../../../db/sql/statement'
import { type PersonaKey, personaDeclaration } from '../fields'
import type { ModifyDocumentation } from './schema'

// Every persona has notes: a missing row stands for version 1 of empty notes.
const joinDocumentation = sql`LEFT JOIN ${personaDocumentation} ON ${personaDocumentation.subscriptionId} = ${caller.subscription}
  AND ${personaDocumentation.personaId} = ${personas.id}`
const currentNotesTitle = sql`coalesce(${personaDocumentation.title}, '')`
const currentNotesContent = sql`coalesce(${personaDocumentation.content}, '')`
const currentNotesVersion = sql`coalesce(${personaDocumentation.version}, 1)`

/** Notes in the shape of an opportunity, as in the interface specification. */
export const documentation = record('persona', {
  ...personaDeclaration,
  joins: joinDocumentation,
  version: currentNotesVersion,
  fields: {
    id: personas.id,
    summary: computedValue<string>(currentNotesTitle),
    description: computedLongText(currentNotesContent),
    externalKey: personas.externalKey,
    userId: constantField(null),
    color: constantField(''),
    urls: constantField(null),
    spread: constantField(''),
    intensity: constantField(''),
    progress: constantField(''),
    status: constantField('active'),
    teamId: constantField(0),
    subscriptionId: personas.subscriptionId,
    initiativeId: withDefault(personas.productId, 0),
    wikiPageId: constantField(null),
    order: constantField(0),
    planOrder: constantField(0),
    createdAt: computedMoment(sql`coalesce(${personaDocumentation.createdAt}, ${personas.createdAt})`),
    updatedAt: computedMoment(sql`coalesce(${personaDocumentation.updatedAt}, ${personas.createdAt})`),
  },
})

export const getDocumentation = documentation.get

const newNotesTitle = sql`coalesce(${param('title')}, ${currentNotesTitle})`
const newNotesContent = sql`coalesce(${param('content')}, ${currentNotesContent})`
const fromChangedNotes = sql`${documentation.from} WHERE ${documentation.byKey}
  AND (${currentNotesTitle}, ${currentNotesContent}) IS NOT (${newNotesTitle}, ${newNotesContent})`

const previousNotesJson = sql`(SELECT json_group_object(column1, column2) FROM (VALUES
  ('summary', ${currentNotesTitle}, ${currentNotesTitle} IS NOT ${newNotesTitle}),
  ('description', ${currentNotesContent}, ${currentNotesContent} IS NOT ${newNotesContent})) WHERE column3)`

// Selects the future notes under the name of the table, because the fields refer to the table.
const emitDocumentationUpdated = statement<never, Values>(
  eventSql({
    type: 'persona.documentation_updated',
    key: documentation.eventSource.key,
    product: documentation.eventSource.product,
    data: documentation.eventSource.data,
    previous: sql`${personaDocumentation}."previous"`,
    from: sql`FROM (SELECT ${personas.id} AS persona_id, ${newNotesTitle} AS title, ${newNotesContent} AS content,
        coalesce(${personaDocumentation.createdAt}, ${personas.createdAt}) AS created_at, ${caller.now} AS updated_at,
        ${previousNotesJson} AS "previous" ${fromChangedNotes}) ${personaDocumentation}
      CROSS JOIN ${personas} ON ${personas.id} = ${personaDocumentation.personaId}`,
  }),
)

const upsertDocumentation = statement<never, Values>(
  insertInto(
    personaDocumentation,
    {
      subscriptionId: caller.subscription,
      personaId: personas.id,
      title: newNotesTitle,
      content: newNotesContent,
      version: sql`${currentNotesVersion} + 1`,
      // The time that the notes show before the first change.
      createdAt: personas.createdAt,
      updatedAt: caller.now,
    },
    sql`${fromChangedNotes} ON CONFLICT (subscription_id, persona_id) DO UPDATE SET title = excluded.title,
      content = excluded.content, version = excluded.version, updated_at = excluded.updated_at`,
  ),
)

export const modifyDocumentation = (
  db: Database,
  key: PersonaKey,
  { title, content }: Pick<z.output<typeof ModifyDocumentation>, 'title' | 'content'>,
  ifMatch: string | null,
) => {
  const values = { ...key, title, content }
  return documentation.save(db, {
    guards: documentation.writeGuards(key, ifMatch),
    statements: [emitDocumentationUpdated(values), upsertDocumentation(values)],
    returning: documentation.returningByKey(key),
  })
}
