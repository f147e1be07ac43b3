// Generates load with autocannon on the loopback interface.
import autocannon from 'autocannon'
import type { BenchRequest } from './operations.ts'

const CONNECTIONS = 10

export type Limits = { seconds: number; amount?: never } | { amount: number; seconds?: never }

export type Load = Limits & { url: string; apiKey: string; next: () => BenchRequest; connections?: number | undefined }

export interface LoadResult {
  perSecond: number
  latencies: number[]
}

/**
 * Sends requests for `seconds`, ten at a time, or `amount` requests in sequence. Returns requests per second and the
 * sorted latencies in milliseconds.
 */
export async function sendLoad({
  url,
  apiKey,
  next,
  seconds,
  amount,
  connections = CONNECTIONS,
}: Load): Promise<LoadResult> {
  const latencies: number[] = []
  let failed = 0
  const started = performance.now()
  let last = started
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    const { method, path, type, body } = next()
    const headers = { 'x-api-key': apiKey, ...(type && { 'content-type': type }) }
    return { ...request, method, path, headers, ...(body !== undefined && { body }) }
  }
  const options = {
    url,
    connections: amount ? 1 : connections,
    ...(amount ? { amount } : { duration: seconds ?? 1 }),
    timeout: 60,
    sampleInt: 100,
    requests: [{ setupRequest }],
  }
  const { errors } = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)))
    run.on('response', (_client, status, _bytes, milliseconds) => {
      last = performance.now()
      if (status >= 200 && status < 300) latencies.push(milliseconds)
      else failed++
    })
  })
  if (failed || errors) {
    throw new Error(`${failed} requests were refused and ${errors} failed, of ${latencies.length + failed + errors}`)
  }
  if (!latencies.length) throw new Error('nothing was answered in time; take longer turns, with --seconds')
  latencies.sort((a, b) => a - b)
  return { perSecond: (latencies.length * 1000) / (last - started), latencies }
}

export const percentile = (sorted: number[], p: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? Number.NaN

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const [below = Number.NaN, above = below] = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1)
  return (below + above) / 2
}
