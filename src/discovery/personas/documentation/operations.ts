import { operation } from '../../../http/operation'
import { sanitized } from '../../../text/html'
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
    'Answers 201, as the interface has it. The title is `summary`, the HTML `description`; `id` and `externalKey` are those of the persona. Notes that nobody has written are empty. A body, like the empty object that the interface shows, is not looked at.',
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
    'Changes the fields that are sent: title and HTML, by these names or by those under which they are read. The HTML is sanitised; the answer is the notes as they are read. A key that is limited to products writes only to personas of those.',
  params: PersonaParams,
  body: ModifyDocumentation,
  data: Opportunity,
  message: 'Persona notes saved',
  async handle({ params, body, db, ifMatch }) {
    const { title, content, summary, description } = await sanitized(await sanitized(body, 'content'), 'description')
    return queries.modifyDocumentation(
      db,
      params,
      { title: title ?? summary, content: content ?? description },
      ifMatch,
    )
  },
})
