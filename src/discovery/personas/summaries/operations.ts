import * as z from 'zod'
import { declareCeiling, PAGE_RECORDS_COST_REASON } from '../../../http/ceiling'
import { operation } from '../../../http/operation'
import { invalidValueError } from '../../../text/errors'
import { sanitizeRichText } from '../../../text/html/rich-text'
import { PersonaParams } from '../schema'
import * as queries from './queries'
import { CreateSummary, ListSummaries, ModifySummary, Summary, SummaryParams } from './schema'

async function sanitizeSummaryText<B extends { text?: string | undefined }>(body: B): Promise<B> {
  if (body.text === undefined) return body
  const text = await sanitizeRichText(body.text, '/text')
  if (text.trim()) return { ...body, text }
  throw invalidValueError('/text', 'The text is empty after unsafe HTML is removed. Send words.')
}

export const createSummary = operation({
  id: 'createSummary',
  of: 'persona',
  route: 'POST /api/v2/persona/{persona_external_key}/summaries',
  summary: 'Add a summary to a persona',
  description:
    'A summary is a pain, a gain, a job or a note. Opportunities are created from summaries. A key that is limited to products changes only personas of its products.',
  params: PersonaParams,
  body: CreateSummary,
  data: Summary,
  message: 'Summary saved',
  location: '/api/v2/persona/{persona_external_key}/summaries/{id}',
  handle: async ({ params, body, db }) => queries.createSummary(db, params, await sanitizeSummaryText(body)),
})

export const listSummaries = operation({
  id: 'listSummaries',
  ceiling: declareCeiling(31_000, PAGE_RECORDS_COST_REASON),
  of: 'persona',
  route: 'GET /api/v2/persona/{persona_external_key}/summaries',
  summary: "List a persona's summaries",
  description: 'The newest summaries come first.',
  params: PersonaParams,
  query: ListSummaries,
  data: z.array(Summary),
  handle: ({ params, query, db }) => queries.listSummaries(db, query, params),
})

export const getSummary = operation({
  id: 'getSummary',
  of: 'summary',
  route: 'GET /api/v2/persona/{persona_external_key}/summaries/{summaryId}',
  summary: "Retrieve a persona's summary",
  description: 'Returns the summary.',
  params: SummaryParams,
  data: Summary,
  errors: ['persona_not_found', 'summary_not_found'],
  handle: ({ params, db }) => queries.getSummary(db, params),
})

export const modifySummary = operation({
  id: 'modifySummary',
  of: 'summary',
  route: 'PUT /api/v2/persona/{persona_external_key}/summaries/{summaryId}',
  summary: "Modify a persona's summary",
  description:
    'Changes the fields that you send. A key that is limited to products changes only personas of its products.',
  params: SummaryParams,
  body: ModifySummary,
  data: Summary,
  errors: ['persona_not_found', 'summary_not_found'],
  message: 'Summary saved',
  handle: async ({ params, body, db, ifMatch }) =>
    queries.modifySummary(db, params, await sanitizeSummaryText(body), ifMatch),
})

export const removeSummary = operation({
  id: 'removeSummary',
  of: 'summary',
  route: 'DELETE /api/v2/persona/{persona_external_key}/summaries/{summaryId}',
  summary: "Remove a persona's summary",
  description: 'Opportunities created from the summary stay. You can restore the summary for 30 days.',
  params: SummaryParams,
  errors: ['persona_not_found', 'summary_not_found'],
  message: 'Summary removed',
  handle: ({ params, db, ifMatch }) => queries.removeSummary(db, params, ifMatch),
})

export const restoreSummary = operation({
  id: 'restoreSummary',
  of: 'summary',
  route: 'POST /api/v2/persona/{persona_external_key}/summaries/{summaryId}/restore',
  summary: "Restore a persona's removed summary",
  description: 'Restores the summary unchanged.',
  params: SummaryParams,
  data: Summary,
  errors: ['persona_not_found', 'summary_not_found'],
  message: 'Summary restored',
  handle: ({ params, db }) => queries.restoreSummary(db, params),
})
