import * as z from 'zod'
import { RECORDS_OF_PAGE, walk } from '../../../http/ceiling'
import { operation } from '../../../http/operation'
import { invalid } from '../../../text/errors'
import { sanitize } from '../../../text/html'
import { PersonaParams } from '../schema'
import * as queries from './queries'
import { CreateSummary, ListSummaries, ModifySummary, Summary, SummaryParams } from './schema'

async function sanitized<B extends { text?: string | undefined }>(body: B): Promise<B> {
  if (body.text === undefined) return body
  const text = await sanitize(body.text, '/text')
  if (text.trim()) return { ...body, text }
  throw invalid('/text', 'Nothing is left of the text once scripts and the like are out. Send words.')
}

export const createSummary = operation({
  id: 'createSummary',
  of: 'persona',
  route: 'POST /api/v2/persona/{persona_external_key}/summaries',
  summary: 'Add a summary to a persona',
  description:
    'A pain, a gain, a job or a note: one thing known about the persona. Opportunities are created from it. A key that is limited to products writes only to personas of those.',
  params: PersonaParams,
  body: CreateSummary,
  data: Summary,
  message: 'Summary saved',
  location: '/api/v2/persona/{persona_external_key}/summaries/{id}',
  handle: async ({ params, body, db }) => queries.createSummary(db, params, await sanitized(body)),
})

export const listSummaries = operation({
  id: 'listSummaries',
  ceiling: walk(31_000, RECORDS_OF_PAGE),
  of: 'persona',
  route: 'GET /api/v2/persona/{persona_external_key}/summaries',
  summary: "List a persona's summaries",
  description: 'The newest first.',
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
  description: 'By its id.',
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
  description: 'Changes the fields that are sent. A key that is limited to products writes only to personas of those.',
  params: SummaryParams,
  body: ModifySummary,
  data: Summary,
  errors: ['persona_not_found', 'summary_not_found'],
  message: 'Summary saved',
  handle: async ({ params, body, db, ifMatch }) => queries.modifySummary(db, params, await sanitized(body), ifMatch),
})

export const removeSummary = operation({
  id: 'removeSummary',
  of: 'summary',
  route: 'DELETE /api/v2/persona/{persona_external_key}/summaries/{summaryId}',
  summary: "Remove a persona's summary",
  description: 'Opportunities that came from it stay. It can be restored for 30 days.',
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
  description: 'As it was.',
  params: SummaryParams,
  data: Summary,
  errors: ['persona_not_found', 'summary_not_found'],
  message: 'Summary restored',
  handle: ({ params, db }) => queries.restoreSummary(db, params),
})
