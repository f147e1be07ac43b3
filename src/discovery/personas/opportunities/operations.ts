import { operation } from '../../../http/operation'
import { SummaryParams } from '../summaries/schema'
import * as queries from './queries'
import { CreateOpportunity, Opportunity } from './schema'

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
  async handle({ params, body, db }) {
    const { data } = await queries.createOpportunity(db, params, body)
    return { data, message: 'Opportunity saved' }
  },
})
