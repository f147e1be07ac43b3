import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { send } from '../client'
import { readClock } from '../clock'
import {
  countEvents,
  createScenario,
  eachOperation,
  isWrite,
  type Scenario,
  UNLIMITED,
  validPath,
  validRequest,
} from './table'

// The most bytes that the service reads of a body with a refused key.
const MAX_READ_BYTES = 256 * 1024
const CHUNK_BYTES = 64 * 1024
const MAX_BODY_BYTES = 10 * 1024 * 1024

const { here, records } = await createScenario()

/** Records every call to a binding besides the request's batch. */
function watchBindings() {
  const caused: string[] = []
  const watch = <T extends object>(of: T, name: string, calls: string[]): T =>
    new Proxy(of, {
      get(target, property) {
        const value = Reflect.get(target, property)
        if (calls.includes(String(property))) caused.push(`${name}.${String(property)}`)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  const bindings = {
    ...UNLIMITED,
    FILES: watch(env.FILES, 'FILES', ['put', 'createMultipartUpload', 'delete']),
    QUEUE: watch({ ...env.QUEUE, ...UNLIMITED.QUEUE }, 'QUEUE', ['send', 'sendBatch']),
  }
  return { caused, env: bindings }
}

/** A body of the largest size that counts the bytes read. */
function createLargestBody(start: string) {
  const read = { bytes: 0 }
  const text = new TextEncoder()
  const stream = new ReadableStream(
    {
      type: 'bytes',
      pull(controller) {
        const chunk = text.encode(read.bytes === 0 ? start : ' '.repeat(CHUNK_BYTES))
        read.bytes += chunk.length
        if (read.bytes > MAX_BODY_BYTES) controller.close()
        else controller.enqueue(chunk)
      },
    },
    { highWaterMark: 0 },
  )
  return { read, stream }
}

type Row = ReturnType<typeof eachOperation>[number][1]

const refusedKeys: Record<string, (of: Scenario['here']) => Promise<string>> = {
  revoked: ({ key }) => key({}, { stored: false }),
  expired: ({ key }) => key({ issuedAt: readClock() - 10_000, expiresAt: readClock() - 5_000 }),
}

for (const [kind, make] of Object.entries(refusedKeys)) {
  test.each(eachOperation())(
    `%s writes nothing and calls no binding with a key that is ${kind}`,
    async (_, op: Row) => {
      const path = await validPath(op, records)
      const meant = await validRequest(op, records)
      const before = await countEvents(here)
      const { caused, env } = watchBindings()
      const ask = async (options: object, key?: string) => {
        const apiKey = key ?? (await make(here))
        const { response, cost } = await send(op.method.toUpperCase(), path, { apiKey, env, ...options })
        expect({ status: response.status, rowsWritten: cost.rowsWritten }).toEqual({ status: 401, rowsWritten: 0 })
        return cost
      }
      if (op.body || op.upload) {
        const start = op.upload ? '--b\r\ncontent-disposition: form-data; name="x"\r\n\r\n' : '{"padding":"'
        const type = op.upload ? 'multipart/form-data; boundary=b' : 'application/json'
        const { read, stream } = createLargestBody(start)
        await ask({ raw: stream, headers: { 'content-type': type } })
        expect(read.bytes).toBeLessThanOrEqual(kind === 'expired' ? 0 : MAX_READ_BYTES + 2 * CHUNK_BYTES)
        const announced = createLargestBody(start)
        await ask({
          raw: announced.stream,
          headers: { 'content-type': type, 'content-length': String(MAX_BODY_BYTES) },
        })
        expect(announced.read.bytes).toBe(0)
      }
      const known = await make(here)
      await ask(meant, known)
      expect(caused).toEqual([])
      expect(await countEvents(here)).toBe(before)
      // The primary has refused the key for this write, and the worker caches the refusal.
      if (isWrite(op)) expect((await ask(meant, known)).roundTrips).toBe(0)
    },
  )
}
