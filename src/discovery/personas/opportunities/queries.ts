import { sql } from 'drizzle-orm'
import { returned } from '../../../db/answer'
import type { Database } from '../../../db/client'
import { constant, longText, moment, or } from '../../../db/field'
import { currentKey, currentNumber, takeNumber } from '../../../db/numbering'
import { record } from '../../../db/record'
import { opportunities, personaSummaries, personas } from '../../../db/schema/personas'
import { caller, insertInto, param } from '../../../db/statement'
import { type SummaryKey, summary } from '../summaries/queries'

export const opportunity = record('opportunity', {
  table: opportunities,
  within: { product: opportunities.productId, shared: true },
  key: { opportunity_external_key: opportunities.externalKey },
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
