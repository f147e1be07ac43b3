import * as z from 'zod'
import { declareCeiling, EACH_LINK_COST_REASON } from '../../../http/ceiling'
import { operation } from '../../../http/operation'
import { sanitizeProperty } from '../../../text/html/rich-text'
import { PersonaParams } from '../schema'
import { SummaryParams } from '../summaries/schema'
import * as queries from './queries'
import { CreateOpportunity, ListOpportunities, ModifyOpportunity, Opportunity, OpportunityParams } from './schema'

export const createOpportunity = operation({
  id: 'createOpportunity',
  of: 'persona',
  route: 'POST /api/v2/persona/{persona_external_key}/summaries/{summaryId}/opportunities',
  summary: 'Create an opportunity from a persona summary',
  description:
    'The opportunity gets `valuePropositionName` as `summary`, and the next key `OP-<number>`. The persona summary must belong to the persona. A key that is limited to products changes only personas of its products.',
  params: SummaryParams,
  body: CreateOpportunity,
  acceptsUnknownMembers: true,
  data: Opportunity,
  errors: ['persona_not_found', 'summary_not_found'],
  message: 'Opportunity saved',
  location: '/api/v2/opportunities/{externalKey}',
  handle: ({ params, body, db }) => queries.createOpportunity(db, params, body),
})

export const listOpportunities = operation({
  id: 'listOpportunities',
  of: 'persona',
  route: 'GET /api/v2/persona/{persona_external_key}/opportunities',
  summary: "List a persona's opportunities",
  description: 'The newest opportunities come first.',
  params: PersonaParams,
  query: ListOpportunities,
  data: z.array(Opportunity),
  handle: ({ params, query, db }) => queries.listOpportunities(db, query, params),
})

export const getOpportunity = operation({
  id: 'getOpportunity',
  of: 'opportunity',
  route: 'GET /api/v2/opportunities/{opportunity_external_key}',
  summary: 'Retrieve an opportunity',
  description: 'Returns the opportunity.',
  params: OpportunityParams,
  data: Opportunity,
  handle: ({ params, db }) => queries.getOpportunity(db, params),
})

export const modifyOpportunity = operation({
  id: 'modifyOpportunity',
  of: 'opportunity',
  route: 'PUT /api/v2/opportunities/{opportunity_external_key}',
  summary: 'Modify an opportunity',
  description:
    'Changes the fields that you send. A key that is limited to products changes only opportunities of its products.',
  params: OpportunityParams,
  body: ModifyOpportunity,
  data: Opportunity,
  message: 'Opportunity saved',
  handle: async ({ params, body, db, ifMatch }) =>
    queries.modifyOpportunity(db, params, await sanitizeProperty(body, 'description'), ifMatch),
})

export const removeOpportunity = operation({
  id: 'removeOpportunity',
  ceiling: declareCeiling(1_000_000, EACH_LINK_COST_REASON),
  of: 'opportunity',
  route: 'DELETE /api/v2/opportunities/{opportunity_external_key}',
  summary: 'Remove an opportunity',
  description: 'You can restore the opportunity for 30 days.',
  params: OpportunityParams,
  message: 'Opportunity removed',
  handle: ({ params, db, ifMatch }) => queries.removeOpportunity(db, params, ifMatch),
})

export const restoreOpportunity = operation({
  id: 'restoreOpportunity',
  ceiling: declareCeiling(1_000_000, EACH_LINK_COST_REASON),
  of: 'opportunity',
  route: 'POST /api/v2/opportunities/{opportunity_external_key}/restore',
  summary: 'Restore a removed opportunity',
  description: 'While the persona is removed, the response is a 404.',
  params: OpportunityParams,
  data: Opportunity,
  message: 'Opportunity restored',
  handle: ({ params, db }) => queries.restoreOpportunity(db, params),
})
