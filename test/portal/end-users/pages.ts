import { env } from 'cloudflare:workers'
import { type JWTPayload, SignJWT } from 'jose'
import { type CallOptions, call } from '../../client'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { createUniqueId } from '../../unique'

export const ORIGIN = 'https://app.example.com'
const SECONDS_PER_HOUR = 3_600

export const secondsFromNow = (seconds: number) => Math.floor(readClock() / 1000) + seconds

export interface Claims {
  sub?: unknown
  email?: unknown
  name?: unknown
  exp?: unknown
  [claim: string]: unknown
}

export const signToken = (secret: string, claims: Claims, alg = 'HS256') =>
  new SignJWT({ exp: secondsFromNow(SECONDS_PER_HOUR), ...claims } as JWTPayload)
    .setProtectedHeader({ alg, typ: 'JWT' })
    .sign(new TextEncoder().encode(secret))

export interface EndUserClaims extends Claims {
  sub: string
  email: string
}

export const createClaims = (name?: string): EndUserClaims => {
  const id = createUniqueId()
  return { sub: id, email: `${id}@example.com`, ...(name !== undefined && { name }) }
}

/** A workspace with a portal, a publishable key and a secret for tokens. */
export async function openProductPage(settings: object = {}) {
  const workspace = await createWorkspace()
  const { client, product } = workspace
  const slug = `e-${createUniqueId().slice(0, 12)}`
  const { status, body } = await client('PUT', '/api/v2/settings/portal', {
    json: { slug, products: [product.externalKey], ...settings },
  })
  if (status !== 200) throw new Error(body.message)
  const key = { name: 'Page', kind: 'publishable', scopes: ['feedback:read'], origins: [ORIGIN] }
  const apiKey = (await client<{ token: string }>('POST', '/api/v2/api-keys', { json: key })).body.data.token
  const rotate = async () =>
    (await client<{ secret: string }>('POST', '/api/v2/settings/portal/rotate')).body.data.secret
  const secret = await rotate()
  const path = `/api/v2/portal/${slug}`
  const sendAs = <D = never>(token: string, method: string, at: string, { headers, ...options }: CallOptions = {}) =>
    call<D>(method, `${path}${at}`, {
      apiKey,
      ...options,
      headers: { origin: ORIGIN, 'x-end-user': token, ...headers },
    })
  /** Sends requests of an end user. */
  async function createEndUser(claims: EndUserClaims = createClaims()) {
    const token = await signToken(secret, claims)
    const send = <D = never>(method: string, at: string, json?: object, headers?: Record<string, string>) =>
      sendAs<D>(token, method, at, { ...(json && { json }), ...(headers && { headers }) })
    return { claims, token, send }
  }
  return { ...workspace, slug, path, apiKey, secret, rotate, sendAs, createEndUser }
}

export type ProductPage = Awaited<ReturnType<typeof openProductPage>>

export interface StoredMember {
  id: number
  email: string
  role: string
  source: string | null
  externalId: string | null
  firstName: string
  lastName: string
}

export const listMembers = async ({ subscriptionId }: Pick<Workspace, 'subscriptionId'>) =>
  (
    await env.DB.prepare(
      `SELECT id, email, role, source, external_id AS externalId, first_name AS firstName, last_name AS lastName
        FROM users WHERE subscription_id = ? AND role = 'idm_member' ORDER BY id`,
    )
      .bind(subscriptionId)
      .all<StoredMember>()
  ).results

export const listEventTypes = async ({ subscriptionId }: Pick<Workspace, 'subscriptionId'>) =>
  (
    await env.DB.prepare('SELECT type, actor_user_id AS actor FROM log WHERE subscription_id = ? ORDER BY place')
      .bind(subscriptionId)
      .all<{ type: string; actor: number | null }>()
  ).results.map(({ type, actor }) => [type, actor] as const)
