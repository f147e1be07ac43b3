import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { covered } from '../../../db/access'
import { returned } from '../../../db/answer'
import { modifies } from '../../../db/change'
import type { Database } from '../../../db/client'
import { constant, longText, moment, or } from '../../../db/field'
import { lifecycle } from '../../../db/lifecycle'
import { list } from '../../../db/list'
import { currentKey, currentNumber, takeNumber } from '../../../db/numbering'
import { type Key, record } from '../../../db/record'
import { naming } from '../../../db/references'
import { opportunities, personaSummaries, personas } from '../../../db/schema/personas'
import { caller, insertInto, param } from '../../../db/statement'
import { persona } from '../fields'
import { type SummaryKey, summary } from '../summaries/queries'
import { ListOpportunities, ModifyOpportunity } from './schema'

const key = { opportunity_external_key: opportunities.externalKey }
export type OpportunityKey = Key<typeof key>

export const opportunity = record('opportunity', {
  table: opportunities,
  within: { product: opportunities.productId, shared: true },
  key,
  // Opportunities of a removed persona are hidden.
  only: sql`AND EXISTS (SELECT 1 FROM ${personas} p WHERE p.id = ${opportunities.personaId}
    AND p.subscription_id = ${caller.subscription} AND p.deleted_at IS NULL)`,
  fields: {
    id: opportunities.id,
    summary: opportunities.summary,
    description: longText(opportunities.description),
    externalKey: opportunities.externalKey,
    userId: constant(null),
    color: opportunities.color,
    urls: constant(null),
    spread: opportunities.spread,
    intensity: opportunities.intensity,
    progress: opportunities.progress,
    status: opportunities.status,
    teamId: or(opportunities.teamId, 0),
    subscriptionId: opportunities.subscriptionId,
    initiativeId: or(opportunities.productId, 0),
    wikiPageId: constant(null),
    order: opportunities.order,
    planOrder: opportunities.planOrder,
    createdAt: moment(opportunities.createdAt),
    updatedAt: moment(opportunities.updatedAt),
  },
})

const answer = opportunity.created()
const inserted = returned(
  insertInto(
    opportunities,
    {
      subscriptionId: caller.subscription,
      productId: personas.productId,
      personaId: personas.id,
      summaryId: personaSummaries.id,
      externalKey: currentKey('OP'),
      summary: param('valuePropositionName'),
      description: personaSummaries.text,
      order: currentNumber('OP'),
      planOrder: currentNumber('OP'),
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    sql`FROM ${personaSummaries} CROSS JOIN ${personas} ON ${personas.id} = ${personaSummaries.personaId}
      WHERE ${summary.addressed} AND ${personas.subscriptionId} = ${caller.subscription}`,
  ),
  answer,
)
const created = opportunity.event('created')

export const createOpportunity = (db: Database, of: SummaryKey, body: { valuePropositionName: string }) =>
  opportunity.save(db, {
    guards: summary.writable(of),
    statements: [takeNumber('OP'), inserted({ ...of, ...body }), created({})],
    answer,
  })

const ofPersona = record('opportunity', {
  table: opportunities,
  within: { parent: persona, by: opportunities.personaId },
  key,
  only: sql`AND (${opportunities.productId} IS NULL OR ${covered(sql`${opportunities.productId}`)})`,
  fields: opportunity.fields,
})

export const listOpportunities = list(ofPersona, ListOpportunities, {
  sorts: { createdAt: opportunities.createdAt },
}).page

export const getOpportunity = opportunity.get

const modified = modifies(opportunity, ModifyOpportunity)

export const modifyOpportunity = (
  db: Database,
  key: OpportunityKey,
  body: z.output<typeof ModifyOpportunity>,
  ifMatch: string | null,
) =>
  opportunity.save(db, {
    guards: opportunity.writable(key, ifMatch),
    references: naming('team', '/teamId', body.teamId || null),
    statements: modified(key, body),
    answer: opportunity.reply(key),
  })

const { removal, restoration } = lifecycle(opportunity)

export const removeOpportunity = (db: Database, key: OpportunityKey, ifMatch: string | null) =>
  db.write(removal(key, ifMatch))

export const restoreOpportunity = (db: Database, key: OpportunityKey) => opportunity.save(db, restoration(key))
