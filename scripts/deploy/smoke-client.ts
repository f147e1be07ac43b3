import type { Envelope } from '../../src/http/client.ts'

/** The message of a failed check. */
export class SmokeFailure extends Error {}

export interface SmokeAnswer {
  status: number
  headers: Headers
  bytes: Uint8Array
  /** The envelope, or an empty object for a response that is not JSON. */
  json: Partial<Envelope<Record<string, unknown>>>
}

export interface SmokeRequest {
  /** JSON, unless it is a form. */
  body?: object | FormData
  headers?: Record<string, string>
  key?: string
}

export type SmokeCall = (route: `${string} /${string}`, request?: SmokeRequest) => Promise<SmokeAnswer>

const REQUEST_TIMEOUT_MS = 60_000

const BOOKMARK_PATTERN = /^(?:(\d{1,4}):)?[\da-f]+(?:-[\da-f]+)+$/

/** Number of the home that answered; undefined without a valid bookmark. */
export function findHomeOfBookmark(bookmark: string | null): number | undefined {
  const found = BOOKMARK_PATTERN.exec(bookmark ?? '')
  return found ? Number(found[1] ?? 0) : undefined
}

interface SmokeClientOptions {
  url: string
  key: string
  version?: { worker: string; id: string } | undefined
}

export function makeSmokeClient({ url, key, version }: SmokeClientOptions): SmokeCall {
  const override = version && { 'Cloudflare-Workers-Version-Overrides': `${version.worker}="${version.id}"` }
  return async (route, { body, headers, key: otherKey = key } = {}) => {
    const [method, path] = route.split(' ') as [string, string]
    const isForm = body instanceof FormData
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      headers: {
        'x-api-key': `Bearer ${otherKey}`,
        ...(body && !isForm && { 'content-type': 'application/json' }),
        ...override,
        ...headers,
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: response.headers, bytes, json: isJson ? parseAnswer(bytes) : {} }
  }
}

function parseAnswer(bytes: Uint8Array): SmokeAnswer['json'] {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return {}
  }
}

export function describeAnswer({ status, json }: SmokeAnswer): string {
  return `${status}${json.error ? ` ${json.error.code}` : ''}${json.message ? ` "${json.message}"` : ''}`
}

/** Returns the answer's data, or fails the check. */
export function requireStatus(answer: SmokeAnswer, status: number, what: string): Record<string, unknown> {
  if (answer.status !== status) throw new SmokeFailure(`${what} answered ${describeAnswer(answer)}, not ${status}`)
  return answer.json.data ?? {}
}

export function requireThat(holds: boolean, problem: string): void {
  if (!holds) throw new SmokeFailure(problem)
}
