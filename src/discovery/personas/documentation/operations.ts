import { operation } from '../../../http/operation'
import { sanitizeProperty } from '../../../text/html/rich-text'
import { Opportunity } from '../opportunities/schema'
import { PersonaParams } from '../schema'
import * as queries from './queries'
import { ModifyDocumentation } from './schema'

export const getDocumentation = operation({
  id: 'getDocumentation',
  of: 'persona',
  route: 'GET /api/v2/persona/{persona_external_key}/documentation',
  summary: "Retrieve a persona's notes",
  description:
    'The status is 201, as in the interface specification. `summary` is the title, `description` the HTML; `id` and `externalKey` are from the persona. Notes are empty until a first PUT. A request body is ignored.',
  status: 201,
  params: PersonaParams,
  data: Opportunity,
  message: 'Persona notes',
  handle: ({ params, db }) => queries.getDocumentation(db, params),
})

export const modifyDocumentation = operation({
  id: 'modifyDocumentation',
  of: 'persona',
  route: 'PUT /api/v2/persona/{persona_external_key}/documentation',
  summary: "Write a persona's notes",
  description:
    'Changes the fields that you send: the title as `title` or `summary`, the HTML as `content` or `description`. HTML is sanitized. The response contains the notes, like a GET. A key that is limited to products changes only personas of its products.',
  params: PersonaParams,
  body: ModifyDocumentation,
  data: Opportunity,
  message: 'Persona notes saved',
  async handle({ params, body, db, ifMatch }) {
    const { title, content, summary, description } = await sanitizeProperty(
      await sanitizeProperty(body, 'content'),
      'description',
    )
    return queries.modifyDocumentation(
      db,
      params,
      { title: title ?? summary, content: content ?? description },
      ifMatch,
    )
  },
})
