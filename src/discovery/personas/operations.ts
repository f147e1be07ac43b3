import * as z from 'zod'
import { exportOperation } from '../../export-operation'
import { ExportQuery } from '../../files/write'
import { requireUnlimitedKey } from '../../http/auth'
import { ALL_RECORDS_COST_REASON, CONTENT_COUNT_COST_REASON, declareCeiling } from '../../http/ceiling'
import { ExternalIdParams } from '../../http/external-id'
import { operation } from '../../http/operation'
import { sanitizeProperty } from '../../text/html/rich-text'
import * as queries from './queries'
import {
  CreatePersona,
  ListPersonas,
  ModifyPersona,
  Persona,
  PersonaDetail,
  PersonaParams,
  UpsertPersona,
} from './schema'

const PRODUCT_REQUIRED_REMEDY = 'Send a product of the key as `product`, or use a key without that limit.'

export const createPersona = operation({
  id: 'createPersona',
  of: 'persona',
  route: 'POST /api/v2/persona',
  summary: 'Create a persona',
  description:
    'The persona gets the next key `PE-<number>`. Without `product` the persona belongs to all products. A key that is limited to products must send `product`.',
  body: CreatePersona,
  data: PersonaDetail,
  message: 'Persona saved',
  location: '/api/v2/persona/{externalKey}',
  async handle({ body, db, actor }) {
    if (body.product === undefined) requireUnlimitedKey(actor, PRODUCT_REQUIRED_REMEDY)
    return queries.createPersona(db, await sanitizeProperty(body, 'description'))
  },
})

export const listPersonas = operation({
  id: 'listPersonas',
  of: 'persona',
  route: 'GET /api/v2/persona',
  summary: 'List personas',
  description:
    'The newest personas come first. A key that is limited to products sees personas of its products and personas that belong to all products.',
  query: ListPersonas,
  data: z.array(Persona),
  handle: ({ query, db }) => queries.listPersonas(db, query),
})

export const exportPersonas = exportOperation({
  id: 'exportPersonas',
  ceiling: declareCeiling(260_000, ALL_RECORDS_COST_REASON),
  of: 'persona',
  route: 'GET /api/v2/persona/export',
  summary: 'Export the personas',
  description: 'Downloads the personas that the list shows, oldest first, with the values of their custom fields.',
  query: ExportQuery,
  read: ({ db }) => ({ name: 'personas', ...queries.exportPersonas(db) }),
})

export const getPersona = operation({
  id: 'getPersona',
  of: 'persona',
  route: 'GET /api/v2/persona/{persona_external_key}',
  summary: 'Retrieve a persona',
  description: 'Other operations return summaries and notes.',
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
    'Changes the fields that you send; `null` clears a field. A key that is limited to products changes only personas of its products, and moves personas only between its products.',
  params: PersonaParams,
  body: ModifyPersona,
  data: PersonaDetail,
  message: 'Persona saved',
  async handle({ params, body, db, actor, ifMatch }) {
    if (body.product === null) requireUnlimitedKey(actor, PRODUCT_REQUIRED_REMEDY)
    return queries.modifyPersona(db, params, await sanitizeProperty(body, 'description'), ifMatch)
  },
})

export const upsertPersona = operation({
  id: 'upsertPersona',
  of: 'persona',
  route: 'PUT /api/v2/persona/external/{source}/{externalId}',
  summary: 'Create or modify a persona by its id in another system',
  description:
    'The first request creates the persona (201); later requests change the fields that you send (200). Only one of several concurrent requests creates the persona. A removed persona does not change; the request creates a new persona.',
  workspaceWide: true,
  status: 201,
  alternativeStatus: 200,
  params: ExternalIdParams,
  body: UpsertPersona,
  errors: [],
  data: PersonaDetail,
  conditional: false,
  message: 'Persona saved',
  async handle({ params, body, db }) {
    const { isNew, ...reply } = await queries.upsertPersona(db, params, await sanitizeProperty(body, 'description'))
    return isNew
      ? { ...reply, location: `/api/v2/persona/${reply.data.externalKey}` }
      : { ...reply, status: 200 as const }
  },
})

export const removePersona = operation({
  id: 'removePersona',
  ceiling: declareCeiling(21_000, CONTENT_COUNT_COST_REASON),
  of: 'persona',
  route: 'DELETE /api/v2/persona/{persona_external_key}',
  summary: 'Remove a persona',
  description:
    'Removes the persona with its summaries, notes and opportunities. Work items stay unchanged. You can restore the persona for 30 days.',
  params: PersonaParams,
  message: 'Persona removed',
  handle: ({ params, db, ifMatch }) => queries.removePersona(db, params, ifMatch),
})

export const restorePersona = operation({
  id: 'restorePersona',
  ceiling: declareCeiling(21_000, CONTENT_COUNT_COST_REASON),
  of: 'persona',
  route: 'POST /api/v2/persona/{persona_external_key}/restore',
  summary: 'Restore a removed persona',
  description:
    'Restores the persona with its summaries, notes and opportunities. While the product is removed, the response is a 409.',
  params: PersonaParams,
  data: PersonaDetail,
  message: 'Persona restored',
  handle: ({ params, db }) => queries.restorePersona(db, params),
})
