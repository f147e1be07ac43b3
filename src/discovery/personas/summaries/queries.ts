import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { insertStatement, updateStatement } from '../../../db/records/change'
import { makeLifecycle } from '../../../db/records/lifecycle'
import { makeListReader } from '../../../db/records/list'
import { type Key, record } from '../../../db/records/record'
import { personaSummaries, personas } from '../../../db/schema/personas'
import { longText, moment } from '../../../db/sql/field'
import { equalsAny, unindexed } from '../../../db/sql/filter'
import { caller } from '../../../db/sql/statement'
import { type PersonaKey, persona } from '../fields'
import { CreateSummary, ListSummaries, ModifySummary } from './schema'

const summaryKeyColumns = { summaryId: personaSummaries.id }
export type SummaryKey = PersonaKey & Key<typeof summaryKeyColumns>

export const summary = record('summary', {
  table: personaSummaries,
  scope: { parent: persona, by: personaSummaries.personaId },
  key: summaryKeyColumns,
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

const insertSummary = insertStatement(summary, CreateSummary, {
  values: { personaId: persona.id },
  returns: summary.inserted(),
})
const emitSummaryCreated = summary.emit('created')

export const createSummary = (db: Database, key: PersonaKey, body: z.output<typeof CreateSummary>) =>
  summary.save(db, {
    guards: summary.parentGuards(key),
    statements: [insertSummary(body, key), emitSummaryCreated({})],
    returning: summary.inserted(),
  })

export const listSummaries = makeListReader(summary, ListSummaries, {
  sorts: { createdAt: personaSummaries.createdAt },
  filters: { type: unindexed(equalsAny(personaSummaries.type)) },
}).page

export const getSummary = summary.get

const updateSummary = updateStatement(summary, ModifySummary)

export const modifySummary = (
  db: Database,
  key: SummaryKey,
  body: z.output<typeof ModifySummary>,
  ifMatch: string | null,
) =>
  summary.save(db, {
    guards: summary.writeGuards(key, ifMatch),
    statements: updateSummary(key, body),
    returning: summary.returningByKey(key),
  })

export const { remove: removeSummary, restore: restoreSummary } = makeLifecycle(summary)
