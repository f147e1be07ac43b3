import * as z from 'zod'
import type { Reference } from '../../db/references'
import { requireWorkspace } from '../../http/auth'
import { operation } from '../../http/operation'
import { listQuery } from '../../http/pagination'
import { invalid } from '../../text/errors'
import { sanitize } from '../../text/html'
import { iso } from '../../text/moments'
import * as queries from './queries'
import {
  CreateOpportunity,
  CreatePersona,
  CreateSummary,
  ModifyDocumentation,
  Opportunity,
  Persona,
  PersonaParams,
  Summary,
  SummaryParams,
} from './schema'

function toPersona(row: Omit<queries.PersonaRow, 'version'>): z.input<typeof Persona> {
  return {
    ...row,
    goals: JSON.parse(row.goals),
    pains: JSON.parse(row.pains),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}

export const createPersona = operation({
  id: 'createPersona',
  method: 'post',
  path: '/api/v2/persona',
  tag: 'Personas',
  summary: 'Create a persona',
  description:
    'Its key is the next `PE-<number>`. Without `product` it belongs to all products, which a key that is limited to products cannot make.',
  scope: 'personas:write',
  status: 201,
  body: CreatePersona,
  data: Persona,
  async handle({ body, db, actor }) {
    if (body.product === undefined) {
      requireWorkspace(actor, 'Name one of its products in `product`, or use a key without that limit.')
    }
    const references: Reference[] =
      body.product === undefined ? [] : [{ kind: 'product', path: '/product', value: body.product }]
    const row = await queries.createPersona(
      db,
      {
        name: body.name,
        occupation: body.occupation ?? null,
        quote: body.quote ?? null,
        description: body.description === undefined ? null : await sanitize(body.description, '/description'),
        color: body.color ?? null,
        goals: JSON.stringify(body.goals ?? []),
        pains: JSON.stringify(body.pains ?? []),
        product: body.product ?? null,
      },
      references,
    )
    return { data: toPersona(row), message: 'Persona saved', location: `/api/v2/persona/${row.externalKey}` }
  },
})

export const listPersonas = operation({
  id: 'listPersonas',
  method: 'get',
  path: '/api/v2/persona',
  tag: 'Personas',
  summary: 'List personas',
  description: 'The newest first. A key that is limited to products sees theirs and those that belong to all.',
  scope: 'personas:read',
  query: listQuery(['-createdAt', 'createdAt']),
  data: z.array(Persona),
  async handle({ query, db }) {
    const { rows, next } = await queries.listPersonas(db, query)
    return { data: rows.map(toPersona), next }
  },
})

export const getPersona = operation({
  id: 'getPersona',
  method: 'get',
  path: '/api/v2/persona/{persona_external_key}',
  tag: 'Personas',
  summary: 'Retrieve a persona',
  description: 'By its key. Its summaries and notes are read on their own.',
  scope: 'personas:read',
  params: PersonaParams,
  data: Persona,
  errors: ['persona_not_found'],
  async handle({ params, db }) {
    const row = await queries.getPersona(db, params.persona_external_key)
    return { data: toPersona(row), version: row.version }
  },
})

function toSummary(row: queries.SummaryRow): z.input<typeof Summary> {
  return { ...row, createdAt: iso(row.createdAt), updatedAt: iso(row.updatedAt) }
}

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
    const row = await queries.createSummary(db, params.persona_external_key, { type: body.type, text })
    return { data: toSummary(row), message: 'Summary saved' }
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
  query: listQuery(['-createdAt', 'createdAt']),
  data: z.array(Summary),
  errors: ['persona_not_found'],
  async handle({ params, query, db }) {
    const { rows, next } = await queries.listSummaries(db, params.persona_external_key, query)
    return { data: rows.map(toSummary), next }
  },
})

function toOpportunity(row: queries.OpportunityRow): z.input<typeof Opportunity> {
  return {
    id: row.id,
    summary: row.summary,
    description: row.description,
    externalKey: row.externalKey,
    userId: null,
    color: row.color,
    urls: null,
    spread: row.spread,
    intensity: row.intensity,
    progress: row.progress,
    status: row.status,
    teamId: row.teamId ?? 0,
    subscriptionId: row.subscriptionId,
    initiativeId: row.productId ?? 0,
    wikiPageId: null,
    order: row.order,
    planOrder: row.planOrder,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}

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
    const from = { personaKey: params.persona_external_key, summaryId: params.summaryId }
    const row = await queries.createOpportunity(db, from, body.valuePropositionName)
    return { data: toOpportunity(row), message: 'Opportunity saved' }
  },
})

/** Notes in the shape of an opportunity, as the interface shows them. */
function toDocumentation(row: queries.DocumentationRow): z.input<typeof Opportunity> {
  return toOpportunity({
    id: row.personaId,
    summary: row.title,
    description: row.content,
    externalKey: row.personaKey,
    color: '',
    spread: '',
    intensity: '',
    progress: '',
    status: 'active',
    teamId: null,
    subscriptionId: row.subscriptionId,
    productId: row.productId,
    order: 0,
    planOrder: 0,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  })
}

export const getDocumentation = operation({
  id: 'getDocumentation',
  method: 'get',
  path: '/api/v2/persona/{persona_external_key}/documentation',
  tag: 'Personas',
  summary: "Retrieve a persona's notes",
  description:
    'Answers 201, as the interface has it. The title is `summary`, the HTML `description`; `id` and `externalKey` are those of the persona. Notes that nobody has written are empty. A body, like the empty object that the interface shows, is not looked at.',
  scope: 'personas:read',
  status: 201,
  params: PersonaParams,
  data: Opportunity,
  errors: ['persona_not_found'],
  async handle({ params, db }) {
    const row = await queries.getDocumentation(db, params.persona_external_key)
    return { data: toDocumentation(row), message: 'Persona notes', version: row.version }
  },
})

export const modifyDocumentation = operation({
  id: 'modifyDocumentation',
  method: 'put',
  path: '/api/v2/persona/{persona_external_key}/documentation',
  tag: 'Personas',
  summary: "Write a persona's notes",
  description:
    'Changes the fields that are sent. The HTML is sanitised; the answer is the notes as they are read. A key that is limited to products writes only to personas of those.',
  scope: 'personas:write',
  params: PersonaParams,
  body: ModifyDocumentation,
  data: Opportunity,
  errors: ['persona_not_found'],
  conditional: true,
  async handle({ params, body, db, ifMatch }) {
    const { title } = body
    const content = body.content === undefined ? undefined : await sanitize(body.content, '/content')
    const row = await queries.modifyDocumentation(db, params.persona_external_key, { title, content }, ifMatch)
    return { data: toDocumentation(row), message: 'Persona notes saved', version: row.version }
  },
})
