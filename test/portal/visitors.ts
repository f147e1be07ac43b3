import { env } from 'cloudflare:workers'
import { deriveSignInCodes } from '../../src/http/sign-in-token'
import { send } from '../client'
import { createWorkspace, type Workspace } from '../factories'
import { createUniqueId } from '../unique'

const OWN_PAGE = { 'sec-fetch-site': 'same-origin', origin: 'https://groundwork.test' }

export interface Board extends Workspace {
  slug: string
  /** Path of the portal. */
  path: string
}

export async function openBoard(json: object = {}): Promise<Board> {
  const workspace = await createWorkspace()
  const slug = `p-${createUniqueId().slice(0, 12)}`
  const settings = { slug, name: 'Plumbline', products: [workspace.product.externalKey], ...json }
  const { status, body } = await workspace.client('PUT', '/api/v2/settings/portal', { json: settings })
  if (status !== 200) throw new Error(body.message)
  // The first request looks for the workspace of the portal.
  await show(`/p/${slug}/roadmap`)
  return { ...workspace, slug, path: `/p/${slug}` }
}

export async function createIdea({ client, product }: Workspace, title: string, rest: object = {}): Promise<string> {
  const json = { title, product: product.externalKey, ...rest }
  const { body } = await client<{ external_key: string }>('POST', '/api/feedback-items', { json })
  return body.data.external_key
}

export type Headers = Record<string, string>

export async function show(path: string, headers: Headers = {}) {
  const { response, cost } = await send('GET', path, { headers: { accept: 'text/html', ...headers } })
  return { status: response.status, headers: response.headers, html: await response.text(), cost }
}

/** Posts a form as a browser does. */
export async function post(path: string, fields: Record<string, string> | string, headers: Headers = {}) {
  const raw = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const { response, cost } = await send('POST', path, { raw, headers: { ...type, ...OWN_PAGE, ...headers } })
  const { status } = response
  return {
    status,
    headers: response.headers,
    location: response.headers.get('location'),
    html: await response.text(),
    cost,
  }
}

/** A customer with a session, who belongs to no team. */
export async function signIn({ row, session, subscriptionId }: Workspace, firstName: string) {
  const email = `${createUniqueId()}@example.com`
  const names = { first_name: firstName, last_name: 'Reader', role: 'idm_member' }
  const userId = await row('users', { subscription_id: subscriptionId, email, ...names, created_at: 0, updated_at: 0 })
  const { headers } = await session({ userId, scopes: [] })
  return { userId, email, headers: { cookie: headers.cookie } }
}

export async function readCode(): Promise<string> {
  const row = await env.DB.prepare('SELECT nonce FROM sign_ins ORDER BY expires_at DESC LIMIT 1').first<{
    nonce: string
  }>()
  const [code = ''] = await deriveSignInCodes(env.SIGNING_SECRETS, row?.nonce ?? '')
  return code
}
