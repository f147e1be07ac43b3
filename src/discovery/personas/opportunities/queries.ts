import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { updateStatement } from '../../../db/records/change'
import { makeLifecycle } from '../../../db/records/lifecycle'
import { createLinkFieldUpdates } from '../../../db/records/links'
import { makeListReader } from '../../../db/records/list'
import { type Key, record } from '../../../db/records/record'
import { experiments } from '../../../db/schema/experiments'
import { opportunities, personaSummaries, personas } from '../../../db/schema/personas'
import { coversProduct } from '../../../db/sql/access'
import { constantField, longText, moment, withDefault } from '../../../db/sql/field'
import { lastTakenKey, lastTakenNumber, takeNumber } from '../../../db/sql/numbering'
import { referenceTo } from '../../../db/sql/references'
import { insertReturningStatement } from '../../../db/sql/returning'
import { caller, insertInto, param } from '../../../db/sql/statement'
import { opportunityHolder } from '../../../link-targets'
import { persona } from '../fields'
import { type SummaryKey, summary } from '../summaries/queries'
import { ListOpportunities, ModifyOpportunity } from './schema'

const opportunityKeyColumns = { opportunity_external_key: opportunities.externalKey }
export type OpportunityKey = Key<typeof opportunityKeyColumns>

export const opportunity = record('opportunity', {
  table: opportunities,
  scope: { product: opportunities.productId, shared: true },
  key: opportunityKeyColumns,
  discriminator: sql`AND EXISTS (SELECT 1 FROM ${personas} p WHERE p.id = ${opportunities.personaId}
    AND p.subscription_id = ${caller.subscription} AND p.deleted_at IS NULL)`,
  fields: {
    id: opportunities.id,
    summary: opportunities.summary,
    description: longText(opportunities.description),
    externalKey: opportunities.externalKey,
    userId: constantField(null),
    color: opportunities.color,
    urls: constantField(null),
    spread: opportunities.spread,
    intensity: opportunities.intensity,
    progress: opportunities.progress,
    status: opportunities.status,
    teamId: withDefault(opportunities.teamId, 0),
    subscriptionId: opportunities.subscriptionId,
    initiativeId: withDefault(opportunities.productId, 0),
    wikiPageId: constantField(null),
    order: opportunities.order,
    planOrder: opportunities.planOrder,
    createdAt: moment(opportunities.createdAt),
    updatedAt: moment(opportunities.updatedAt),
  },
})

const returningInsertedOpportunity = opportunity.inserted()
const insertOpportunity = insertReturningStatement(
  insertInto(
    opportunities,
    {
      subscriptionId: caller.subscription,
      productId: personas.productId,
      personaId: personas.id,
      summaryId: personaSummaries.id,
      externalKey: lastTakenKey('OP'),
      summary: param('valuePropositionName'),
      description: personaSummaries.text,
      order: lastTakenNumber('OP'),
      planOrder: lastTakenNumber('OP'),
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    sql`FROM ${personaSummaries} CROSS JOIN ${personas} ON ${personas.id} = ${personaSummaries.personaId}
      WHERE ${summary.byKey} AND ${personas.subscriptionId} = ${caller.subscription}`,
  ),
  returningInsertedOpportunity,
)
const emitOpportunityCreated = opportunity.emit('created')

export const createOpportunity = (db: Database, of: SummaryKey, body: { valuePropositionName: string }) =>
  opportunity.save(db, {
    guards: summary.writeGuards(of),
    statements: [takeNumber('OP'), insertOpportunity({ ...of, ...body }), emitOpportunityCreated({})],
    returning: returningInsertedOpportunity,
  })

const opportunityOfPersona = record('opportunity', {
  table: opportunities,
  scope: { parent: persona, by: opportunities.personaId },
  key: opportunityKeyColumns,
  discriminator: sql`AND (${opportunities.productId} IS NULL OR ${coversProduct(sql`${opportunities.productId}`)})`,
  fields: opportunity.fields,
})

export const listOpportunities = makeListReader(opportunityOfPersona, ListOpportunities, {
  sorts: { createdAt: opportunities.createdAt },
}).page

export const getOpportunity = opportunity.get

const updateOpportunity = updateStatement(opportunity, ModifyOpportunity)

export const modifyOpportunity = (
  db: Database,
  key: OpportunityKey,
  body: z.output<typeof ModifyOpportunity>,
  ifMatch: string | null,
) =>
  opportunity.save(db, {
    guards: opportunity.writeGuards(key, ifMatch),
    references: referenceTo('team', '/teamId', body.teamId || null),
    statements: updateOpportunity(key, body),
    returning: opportunity.returningByKey(key),
  })

const lifecycle = makeLifecycle(opportunity)
const experimentUpdates = createLinkFieldUpdates(
  opportunityHolder,
  experiments.opportunityId,
  opportunity,
  opportunities.externalKey,
)

export function removeOpportunity(db: Database, key: OpportunityKey, ifMatch: string | null) {
  const { statements, ...rest } = lifecycle.removal(key, ifMatch)
  return db.write({ ...rest, statements: [...experimentUpdates.hide(key), ...statements] })
}

export function restoreOpportunity(db: Database, key: OpportunityKey) {
  const { statements, ...rest } = lifecycle.restoration(key)
  return opportunity.save(db, { ...rest, statements: [...experimentUpdates.show(key), ...statements] })
}
