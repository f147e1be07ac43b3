import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { app } from '../src/app'
import { listFailureCodes } from '../src/openapi/failures'
import { operations } from '../src/operations'
import { type Cost, meteredDatabase } from './d1'

export interface Failure {
  code: string
  requestId: string
  issues: { path: string; code: string; message: string }[]
}

export interface ApiResponse<D = never> {
  status: number
  headers: Headers
  body: { success: boolean; message?: string; data: D; error?: Failure }
  cost: Cost
}

export interface CallOptions {
  headers?: Record<string, string>
  /** null leaves the header out. */
  apiKey?: string | null
  json?: unknown
  raw?: BodyInit
  env?: Partial<Env>
  signal?: AbortSignal
}

type Env = Cloudflare.Env

/** Sends a request to the app, and waits for the work after the response too. */
export async function send(
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<{ response: Response; cost: Cost; totalRoundTrips: number; dataPoints: AnalyticsEngineDataPoint[] }> {
  const headers = new Headers(options.headers)
  if (options.apiKey) headers.set('x-api-key', options.apiKey)
  if (options.json !== undefined) headers.set('content-type', 'application/json')
  const body = options.json !== undefined ? JSON.stringify(options.json) : options.raw
  const { d1, cost } = meteredDatabase(env.DB)
  const context = createExecutionContext()
  const request = new Request(new URL(path, 'https://groundwork.test'), {
    method,
    headers,
    ...(body !== undefined && { body }),
    ...(options.signal && { signal: options.signal }),
  })
  const dataPoints: AnalyticsEngineDataPoint[] = []
  const TELEMETRY = { writeDataPoint: (point: AnalyticsEngineDataPoint = {}) => void dataPoints.push(point) }
  const response = await app.fetch(request, { ...env, DB: d1, TELEMETRY, ...options.env }, context)
  const spent = { ...cost }
  await waitOnExecutionContext(context)
  return { response, cost: spent, totalRoundTrips: cost.roundTrips, dataPoints }
}

export async function call<D = never>(
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<ApiResponse<D>> {
  const { response, cost, dataPoints } = await send(method, path, options)
  const text = await response.text()
  const isFile = /^image\//.test(response.headers.get('content-type') ?? '')
  const body = text && !isFile ? JSON.parse(text) : undefined
  if (body?.error) requireDocumented(dataPoints, response.status, body.error.code)
  return { status: response.status, headers: response.headers, body, cost }
}

const documentedFailures = new Map(
  operations.map((op) => [
    op.id,
    new Set(listFailureCodes(op).flatMap(([status, codes]) => codes.map((code) => `${status} ${code}`))),
  ]),
)

/** Each failure of any test is in the document of its operation. */
function requireDocumented(dataPoints: readonly AnalyticsEngineDataPoint[], status: number, code: string) {
  const names = dataPoints.flatMap(({ blobs = [] }) => blobs)
  const known = names.map((name) => documentedFailures.get(String(name))).find((failures) => failures !== undefined)
  if (!known || known.has(`${status} ${code}`)) return
  throw new Error(
    `The document lacks the failure ${status} ${code} of ${names}. See listFailureCodes in src/openapi/failures.ts.`,
  )
}
