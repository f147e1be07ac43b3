import * as z from 'zod'
import { operation } from '../../../http/operation'
import { sanitized } from '../../../text/html'
import { PersonaParams } from '../schema'
import { SummaryParams } from '../summaries/schema'
import * as queries from './queries'
import { CreateOpportunity, ListOpportunities, ModifyOpportunity, Opportunity, OpportunityParams } from './schema'

export const createOpportunity = operation({
  id: 'createOpportunity',
  method: 'post',
  path: '/api/v2/persona/{persona_external_key}/summaries/{summaryId}/opportunities',
  tag: 'Personas',
  summary: 'Create an opportunity from a persona summary',
  description:
    '`valuePropositionName` becomes its `summary`, and its key is the next `OP-<number>`. The summary must belong to the persona. A key that is limited to products writes only to personas of those.',
  scope: 'personas:write',
  status: 201,
  params: SummaryParams,
  body: CreateOpportunity,
  data: Opportunity,
  errors: ['persona_not_found', 'summary_not_found'],
  message: 'Opportunity saved',
  location: '/api/v2/opportunities/{externalKey}',
  handle: ({ params, body, db }) => queries.createOpportunity(db, params, body),
})

export const listOpportunities = operation({
  id: 'listOpportunities',
  method: 'get',
  path: '/api/v2/persona/{persona_external_key}/opportunities',
  tag: 'Personas',
  summary: "List a persona's opportunities",
  description: 'The newest first.',
  scope: 'personas:read',
  params: PersonaParams,
  query: ListOpportunities,
  data: z.array(Opportunity),
  errors: ['persona_not_found'],
  handle: ({ params, query, db }) => queries.listOpportunities(db, query, params),
})

export const getOpportunity = operation({
  id: 'getOpportunity',
  method: 'get',
  path: '/api/v2/opportunities/{opportunity_external_key}',
  tag: 'Personas',
  summary: 'Retrieve an opportunity',
  description: 'By its key.',
  scope: 'personas:read',
  params: OpportunityParams,
  data: Opportunity,
  errors: ['opportunity_not_found'],
  handle: ({ params, db }) => queries.getOpportunity(db, params),
})

export const modifyOpportunity = operation({
  id: 'modifyOpportunity',
  method: 'put',
  path: '/api/v2/opportunities/{opportunity_external_key}',
  tag: 'Personas',
  summary: 'Modify an opportunity',
  description:
    'Changes the fields that are sent. A key that is limited to products writes only to opportunities of those.',
  scope: 'personas:write',
  params: OpportunityParams,
  body: ModifyOpportunity,
  data: Opportunity,
  errors: ['opportunity_not_found'],
  conditional: true,
  message: 'Opportunity saved',
  handle: async ({ params, body, db, ifMatch }) =>
    queries.modifyOpportunity(db, params, await sanitized(body, 'description'), ifMatch),
})

export const removeOpportunity = operation({
  id: 'removeOpportunity',
  method: 'delete',
  path: '/api/v2/opportunities/{opportunity_external_key}',
  tag: 'Personas',
  summary: 'Remove an opportunity',
  description: 'It can be restored for 30 days.',
  scope: 'personas:write',
  params: OpportunityParams,
  data: z.object({}),
  errors: ['opportunity_not_found'],
  conditional: true,
  message: 'Opportunity removed',
  handle: ({ params, db, ifMatch }) => queries.removeOpportunity(db, params, ifMatch),
})

export const restoreOpportunity = operation({
  id: 'restoreOpportunity',
  method: 'post',
  path: '/api/v2/opportunities/{opportunity_external_key}/restore',
  tag: 'Personas',
  summary: 'Restore a removed opportunity',
  description: 'While its persona is removed it stays removed too: a 404.',
  scope: 'personas:write',
  params: OpportunityParams,
  data: Opportunity,
  errors: ['opportunity_not_found'],
  message: 'Opportunity restored',
  handle: ({ params, db }) => queries.restoreOpportunity(db, params),
})
