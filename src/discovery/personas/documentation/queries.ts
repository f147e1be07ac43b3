import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client'
import { eventSql } from '../../../db/events'
import { computed, computedLongText, computedMoment, constant, or } from '../../../db/field'
import { record } from '../../../db/record'
import { personaDocumentation, personas } from '../../../db/schema/personas'
import { caller, insertInto, param, statement, type Values } from '../../../db/statement'
import { type PersonaKey, place } from '../fields'
import type { ModifyDocumentation } from './schema'

// Every persona has notes: a missing row stands for version 1 of empty notes.
const joins = sql`LEFT JOIN ${personaDocumentation} ON ${personaDocumentation.subscriptionId} = ${caller.subscription}
  AND ${personaDocumentation.personaId} = ${personas.id}`
const title = sql`coalesce(${personaDocumentation.title}, '')`
const content = sql`coalesce(${personaDocumentation.content}, '')`
const version = sql`coalesce(${personaDocumentation.version}, 1)`

/** Notes in the shape of an opportunity, as in the interface specification. */
export const documentation = record('persona', {
  ...place,
  joins,
  version,
  fields: {
    id: personas.id,
    summary: computed<string>(title),
    description: computedLongText(content),
    externalKey: personas.externalKey,
    userId: constant(null),
    color: constant(''),
    urls: constant(null),
    spread: constant(''),
    intensity: constant(''),
    progress: constant(''),
    status: constant('active'),
    teamId: constant(0),
    subscriptionId: personas.subscriptionId,
    initiativeId: or(personas.productId, 0),
    wikiPageId: constant(null),
    order: constant(0),
    planOrder: constant(0),
    createdAt: computedMoment(sql`coalesce(${personaDocumentation.createdAt}, ${personas.createdAt})`),
    updatedAt: computedMoment(sql`coalesce(${personaDocumentation.updatedAt}, ${personas.createdAt})`),
  },
})

export const getDocumentation = documentation.get

// NULL means a member missing from the body.
const newTitle = sql`coalesce(${param('title')}, ${title})`
const newContent = sql`coalesce(${param('content')}, ${content})`
const differing = sql`${documentation.from} WHERE ${documentation.addressed}
  AND (${title}, ${content}) IS NOT (${newTitle}, ${newContent})`

const previous = sql`(SELECT json_group_object(column1, column2) FROM (VALUES
  ('summary', ${title}, ${title} IS NOT ${newTitle}),
  ('description', ${content}, ${content} IS NOT ${newContent})) WHERE column3)`

// Selects the future notes under the name of the table, because the fields refer to the table.
const updated = statement<never, Values>(
  eventSql({
    type: 'persona.documentation_updated',
    key: documentation.told.key,
    product: documentation.told.product,
    data: documentation.told.data,
    previous: sql`${personaDocumentation}."previous"`,
    from: sql`FROM (SELECT ${personas.id} AS persona_id, ${newTitle} AS title, ${newContent} AS content,
        coalesce(${personaDocumentation.createdAt}, ${caller.now}) AS created_at, ${caller.now} AS updated_at,
        ${previous} AS "previous" ${differing}) ${personaDocumentation}
      CROSS JOIN ${personas} ON ${personas.id} = ${personaDocumentation.personaId}`,
  }),
)

const written = statement<never, Values>(
  insertInto(
    personaDocumentation,
    {
      subscriptionId: caller.subscription,
      personaId: personas.id,
      title: newTitle,
      content: newContent,
      version: sql`${version} + 1`,
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    sql`${differing} ON CONFLICT (subscription_id, persona_id) DO UPDATE SET title = excluded.title,
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
    guards: documentation.writable(key, ifMatch),
    statements: [updated(values), written(values)],
    answer: documentation.reply(key),
  })
}
