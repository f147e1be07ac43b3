import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import type { Workspace } from '../../factories'

export interface Persona {
  id: number
  externalKey: string
  name: string
  occupation: string | null
  description: string | null
  goals: string[]
  boardSegmentId: number | null
  product: string | null
  customFields: Record<string, unknown>
  createdAt: string
  updatedAt: string
}

export interface Summary {
  id: number
  type: string
  text: string
}

export function toListItem({ customFields: _, ...shown }: Persona): Omit<Persona, 'customFields'> {
  return shown
}

export const PATH = '/api/v2/persona'

export async function createPersona({ client }: Workspace, body: object = {}): Promise<Persona> {
  const answer = await client<Persona>('POST', PATH, { json: { name: 'Nora Night', ...body } })
  expect(answer.status).toBe(201)
  return answer.body.data
}

export async function createSummary(
  { client }: Workspace,
  key: string,
  text = 'The screen blinds her.',
): Promise<Summary> {
  const answer = await client<Summary>('POST', `${PATH}/${key}/summaries`, { json: { type: 'pain', text } })
  expect(answer.status).toBe(201)
  return answer.body.data
}

export async function listEvents({ subscriptionId }: Workspace, type: string) {
  const { results } = await env.DB.prepare(
    'SELECT resource_key, product_id, data, previous FROM log WHERE subscription_id = ? AND type = ? ORDER BY id',
  )
    .bind(subscriptionId, type)
    .all<{ resource_key: string; product_id: number | null; data: string; previous: string | null }>()
  return results.map(({ data, previous, ...rest }) => ({
    ...rest,
    data: JSON.parse(data),
    previous: previous && JSON.parse(previous),
  }))
}
