import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { inserts, modifies } from '../../../db/change'
import type { Database } from '../../../db/client'
import { longText, moment } from '../../../db/field'
import { equals, walking } from '../../../db/filter'
import { lifecycle } from '../../../db/lifecycle'
import { list } from '../../../db/list'
import { type Key, record } from '../../../db/record'
import { personaSummaries, personas } from '../../../db/schema/personas'
import { caller } from '../../../db/statement'
import { type PersonaKey, persona } from '../fields'
import { CreateSummary, ListSummaries, ModifySummary } from './schema'

const key = { summaryId: personaSummaries.id }
export type SummaryKey = PersonaKey & Key<typeof key>

export const summary = record('summary', {
  table: personaSummaries,
  within: { parent: persona, by: personaSummaries.personaId },
  key,
  // A summary has no key: events carry the key of the persona.
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
  filters: { type: walking(equals(personaSummaries.type)) },
}).page

export const getSummary = summary.get

const modified = modifies(summary, ModifySummary)

export const modifySummary = (
  db: Database,
  key: SummaryKey,
  body: z.output<typeof ModifySummary>,
  ifMatch: string | null,
) =>
  summary.save(db, {
    guards: summary.writable(key, ifMatch),
    statements: modified(key, body),
    answer: summary.reply(key),
  })

// Opportunities made from the summary stay.
const { removal, restoration } = lifecycle(summary)

export const removeSummary = (db: Database, key: SummaryKey, ifMatch: string | null) => db.write(removal(key, ifMatch))

export const restoreSummary = (db: Database, key: SummaryKey) => summary.save(db, restoration(key))
