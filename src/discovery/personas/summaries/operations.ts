import * as z from 'zod'
import { operation } from '../../../http/operation'
import { invalid } from '../../../text/errors'
import { sanitize } from '../../../text/html'
import { PersonaParams } from '../schema'
import * as queries from './queries'
import { CreateSummary, ListSummaries, Summary } from './schema'

export const createSummary = operation({
  id: 'createSummary',
  method: 'post',
  path: '/api/v2/persona/{persona_external_key}/summaries',
  tag: 'Personas',
  summary: 'Add a summary to a persona',
  description:
    'A pain, a gain, a job or a note: one thing known about the persona. Opportunities are created from it. A key that is limited to products writes only to personas of those.',
  scope: 'personas:write',
  status: 201,
  params: PersonaParams,
  body: CreateSummary,
  data: Summary,
  errors: ['persona_not_found'],
  async handle({ params, body, db }) {
    const text = await sanitize(body.text, '/text')
    if (!text.trim()) {
      throw invalid('/text', 'Nothing is left of the text once scripts and the like are out. Send words.')
    }
    const { data } = await queries.createSummary(db, params, { ...body, text })
    return { data, message: 'Summary saved' }
  },
})

export const listSummaries = operation({
  id: 'listSummaries',
  method: 'get',
  path: '/api/v2/persona/{persona_external_key}/summaries',
  tag: 'Personas',
  summary: "List a persona's summaries",
  description: 'The newest first.',
  scope: 'personas:read',
  params: PersonaParams,
  query: ListSummaries,
  data: z.array(Summary),
  errors: ['persona_not_found'],
  handle: ({ params, query, db }) => queries.listSummaries(db, query, params),
})
