import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { app } from '../../src/app'
import { limited, readJson } from '../../src/http/body'
import { Held } from '../../src/http/memory'
import { workspace } from '../factories'

const MIB = 1024 * 1024

const held = (subscription: number) => new Held(subscription, () => {})

test('bodies beyond what an isolate holds are sent away until there is room; one that is alone is not', () => {
  const [alone, next, third] = [held(1), held(2), held(3)]
  alone.take(200 * MIB)
  expect(() => next.take(1)).toThrow('Too many large bodies')
  alone.take(50 * MIB)
  alone.release()
  next.take(40 * MIB)
  third.take(40 * MIB)
  expect(() => third.take(1)).toThrow('Too many large bodies')
  next.release()
  third.take(30 * MIB)
  third.release()
  third.release()
  alone.take(300 * MIB)
  alone.release()
})

test('a subscription leaves room for others', () => {
  const own = Array.from({ length: 9 }, () => held(1))
  for (const one of own.slice(0, 8)) one.take(5 * MIB)
  expect(() => own[8]?.take(5 * MIB)).toThrow('Too many large bodies')
  const other = held(2)
  other.take(40 * MIB)
  own[0]?.release()
  expect(() => own[8]?.take(5 * MIB)).not.toThrow()
  for (const one of [...own, other]) one.release()
})

// The runtime ends a request whose caller hangs up, `finally` and all, unless something is waited for.
test('a request lives until it has given back what it holds', async () => {
  const here = await workspace()
  const waited: Promise<unknown>[] = []
  const context = { waitUntil: (work: Promise<unknown>) => waited.push(work), passThroughOnException() {}, props: {} }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const request = new Request(`https://groundwork.test/api/initiatives/${here.product.externalKey}/assets`, {
    method: 'POST',
    headers: { 'x-api-key': await here.key(), 'content-type': 'multipart/form-data; boundary=b' },
    body: readable,
  })
  const response = Promise.resolve(app.fetch(request, env, context as never))
  await writer.write(
    new TextEncoder().encode('--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbegun'),
  )
  await vi.waitFor(() => expect(waited.length).toBe(1))
  await writer.abort(new Error('The caller has hung up.'))
  await Promise.allSettled([response, ...waited])
  expect((await response).status).toBe(408)
})

test('a body that comes to a halt is given up', async () => {
  vi.useFakeTimers()
  try {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const request = new Request('https://groundwork.test/', { method: 'POST', body: readable })
    const body = limited(request, MIB, async () => {})
    writer.write(new Uint8Array([1])).catch(() => {})
    expect((await body.next()).value).toEqual(new Uint8Array([1]))
    const next = expect(body.next()).rejects.toThrow('came to a halt')
    await vi.advanceTimersByTimeAsync(30_000)
    await next
  } finally {
    vi.useRealTimers()
  }
})

test.each([
  [10_000, []],
  [200_000, [800_000]],
])(
  'a body of %d bytes that is read in one piece is counted where it is large, and given up like any',
  async (length, counted) => {
    vi.useFakeTimers()
    try {
      const headers = { 'content-type': 'application/json', 'content-length': String(length) }
      const body = new TransformStream<Uint8Array, Uint8Array>().readable
      const request = new Request('https://groundwork.test/', { method: 'POST', headers, body })
      const taken: number[] = []
      const gate = { admit: async () => {}, take: (bytes: number) => taken.push(bytes) }
      const read = expect(readJson(request, { optional: false, gate })).rejects.toThrow('came to a halt')
      await vi.advanceTimersByTimeAsync(30_000)
      await read
      expect(taken).toEqual(counted)
    } finally {
      vi.useRealTimers()
    }
  },
)
