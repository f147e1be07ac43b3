// The load: autocannon, on the loopback.
import autocannon from 'autocannon'

const CONNECTIONS = 10

/**
 * Requests for `seconds`, ten at a time, or `amount` of them one after the other. `next()` makes each. Gives requests per
 * second and the latencies in milliseconds, in order of size.
 */
export async function drive({ url, apiKey, next, seconds, amount, connections = CONNECTIONS }) {
  const latencies = []
  let failed = 0
  const run = autocannon({
    url,
    connections: amount ? 1 : connections,
    ...(amount ? { amount } : { duration: seconds }),
    timeout: 60,
    sampleInt: 100,
    requests: [
      {
        setupRequest(request) {
          const { method, path, type, body } = next()
          return {
            ...request,
            method,
            path,
            body,
            headers: { 'x-api-key': apiKey, ...(type && { 'content-type': type }) },
          }
        },
      },
    ],
  })
  const started = performance.now()
  let last = started
  run.on('response', (_client, status, _bytes, milliseconds) => {
    last = performance.now()
    if (status >= 200 && status < 300) latencies.push(milliseconds)
    else failed++
  })
  const { errors } = await run
  if (failed || errors || !latencies.length) {
    throw new Error(`${failed} requests were refused and ${errors} failed, of ${latencies.length + failed + errors}`)
  }
  latencies.sort((a, b) => a - b)
  return { perSecond: (latencies.length * 1000) / (last - started), latencies }
}

export const percentile = (sorted, p) => sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))]

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
