import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { inserts } from '../../../db/change'
import type { Database } from '../../../db/client'
import { longText, moment } from '../../../db/field'
import { equals } from '../../../db/filter'
import { list } from '../../../db/list'
import { type Key, record } from '../../../db/record'
import { personaSummaries, personas } from '../../../db/schema/personas'
import { caller } from '../../../db/statement'
import { type PersonaKey, persona } from '../queries'
import { CreateSummary, ListSummaries } from './schema'

const key = { summaryId: personaSummaries.id }
export type SummaryKey = PersonaKey & Key<typeof key>

export const summary = record('summary', {
  table: personaSummaries,
  within: { parent: persona, by: personaSummaries.personaId },
  key,
  // A summary has no key of its own: the log calls it by its persona's.
  name: sql`(SELECT ${personas.externalKey} FROM ${personas}
    WHERE ${personas.subscriptionId} = ${caller.subscription} AND ${personas.id} = ${personaSummaries.personaId})`,
  fields: {
    id: personaSummaries.id,
    type: personaSummaries.type,
    text: longText(personaSummaries.text),
    createdAt: moment(personaSummaries.createdAt),
    updatedAt: moment(personaSummaries.updatedAt),
  },
})

const inserted = inserts(summary, CreateSummary, {
  values: { personaId: persona.id },
  returns: summary.created(),
})
const created = summary.event('created')

export const createSummary = (db: Database, key: PersonaKey, body: z.output<typeof CreateSummary>) =>
  summary.save(db, {
    guards: summary.reachable(key),
    statements: [inserted(body, key), created({})],
    answer: summary.created(),
  })

export const listSummaries = list(summary, ListSummaries, {
  sorts: { createdAt: personaSummaries.createdAt },
  filters: { type: equals(personaSummaries.type) },
}).page
