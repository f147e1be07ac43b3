import { expect } from 'vitest'
import { send } from '../client'
import type { Workspace } from '../factories'
import { createUniqueId } from '../unique'

export async function openPortalOf({ client, product }: Workspace, json: object = {}) {
  const slug = `s-${createUniqueId().slice(0, 12)}`
  const settings = { slug, name: 'Plumbline', products: [product.externalKey], ...json }
  expect((await client('PUT', '/api/v2/settings/portal', { json: settings })).status).toBe(200)
  return { slug, path: `/p/${slug}` }
}

/** A record, which the team or a visitor writes. */
export async function write<D = { external_key: string; externalKey: string; id: number }>(
  { client }: Workspace,
  method: string,
  path: string,
  json: object = {},
): Promise<D> {
  const { status, body } = await client<D>(method, path, { json })
  expect(status, `${path} ${JSON.stringify(body)}`).toBeLessThan(300)
  return body.data
}

export async function showPage(path: string, headers: Record<string, string> = {}) {
  const { response } = await send('GET', path, { headers: { accept: 'text/html', ...headers } })
  return { response, html: await response.text() }
}
