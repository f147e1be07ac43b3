import * as z from 'zod'
import { requireWorkspace } from '../../http/auth'
import { operation } from '../../http/operation'
import { sanitized } from '../../text/html'
import * as queries from './queries'
import { CreatePersona, ListPersonas, ModifyPersona, Persona, PersonaDetail, PersonaParams } from './schema'

const NAME_A_PRODUCT = 'Name one of its products in `product`, or use a key without that limit.'

export const createPersona = operation({
  id: 'createPersona',
  of: 'persona',
  route: 'POST /api/v2/persona',
  summary: 'Create a persona',
  description:
    'Its key is the next `PE-<number>`. Without `product` it belongs to all products, which a key that is limited to products cannot make.',
  body: CreatePersona,
  data: PersonaDetail,
  message: 'Persona saved',
  location: '/api/v2/persona/{externalKey}',
  async handle({ body, db, actor }) {
    if (body.product === undefined) requireWorkspace(actor, NAME_A_PRODUCT)
    return queries.createPersona(db, await sanitized(body, 'description'))
  },
})

export const listPersonas = operation({
  id: 'listPersonas',
  of: 'persona',
  route: 'GET /api/v2/persona',
  summary: 'List personas',
  description: 'The newest first. A key that is limited to products sees theirs and those that belong to all.',
  query: ListPersonas,
  data: z.array(Persona),
  handle: ({ query, db }) => queries.listPersonas(db, query),
})

export const getPersona = operation({
  id: 'getPersona',
  of: 'persona',
  route: 'GET /api/v2/persona/{persona_external_key}',
  summary: 'Retrieve a persona',
  description: 'By its key. Its summaries and notes are read on their own.',
  params: PersonaParams,
  data: PersonaDetail,
  handle: ({ params, db }) => queries.getPersona(db, params),
})

export const modifyPersona = operation({
  id: 'modifyPersona',
  of: 'persona',
  route: 'PUT /api/v2/persona/{persona_external_key}',
  summary: 'Modify a persona',
  description:
    'Changes the fields that are sent; `null` clears one. A key that is limited to products writes only to personas of those, and moves them only among those.',
  params: PersonaParams,
  body: ModifyPersona,
  data: PersonaDetail,
  message: 'Persona saved',
  async handle({ params, body, db, actor, ifMatch }) {
    if (body.product === null) requireWorkspace(actor, NAME_A_PRODUCT)
    return queries.modifyPersona(db, params, await sanitized(body, 'description'), ifMatch)
  },
})

export const removePersona = operation({
  id: 'removePersona',
  of: 'persona',
  route: 'DELETE /api/v2/persona/{persona_external_key}',
  summary: 'Remove a persona',
  description:
    'With its summaries, notes and opportunities; work items keep what they say of it. It can be restored for 30 days.',
  params: PersonaParams,
  message: 'Persona removed',
  handle: ({ params, db, ifMatch }) => queries.removePersona(db, params, ifMatch),
})

export const restorePersona = operation({
  id: 'restorePersona',
  of: 'persona',
  route: 'POST /api/v2/persona/{persona_external_key}/restore',
  summary: 'Restore a removed persona',
  description: 'With everything that went with it. While its product is removed it stays removed too: a 409.',
  params: PersonaParams,
  data: PersonaDetail,
  message: 'Persona restored',
  handle: ({ params, db }) => queries.restorePersona(db, params),
})
