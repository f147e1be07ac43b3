import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { app } from '../../src/app'
import { joined, limited, readJson } from '../../src/http/body'
import { Held } from '../../src/http/memory'
import type { IncomingFile } from '../../src/http/multipart'
import { readUpload } from '../../src/http/upload'
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

// The runtime ends a request whose client disconnects, without `finally`, unless the context waits for a promise.
test('a request lives until it has given back what it holds', async () => {
  const here = await workspace()
  const waited: Promise<unknown>[] = []
  const context = { waitUntil: (work: Promise<unknown>) => waited.push(work), passThroughOnException() {}, props: {} }
  const { readable, writable } = new IdentityTransformStream()
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
    const { readable, writable } = new IdentityTransformStream()
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

test('a body that is there comes in pieces that are worth the way', async () => {
  const { readable, writable } = new IdentityTransformStream()
  const bytes = Uint8Array.from({ length: MIB }, (_, n) => n * 7)
  const writer = writable.getWriter()
  writer.write(bytes).then(() => writer.close())
  const pieces: Uint8Array[] = []
  const body = limited(new Request('https://groundwork.test/', { method: 'POST', body: readable }), MIB, async () => {})
  for await (const piece of body) pieces.push(piece)
  expect(pieces.length).toBeLessThanOrEqual(20)
  expect(joined(pieces)).toEqual(bytes)
})

test('a form whose boundary stands in its first line alone is read wherever its pieces end', async () => {
  const boundary = `-"b\\${'0'.repeat(66)}`
  const form = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nwhole\r\n--${boundary}--\r\n`
  const bytes = new TextEncoder().encode(form)
  const receive = async ({ chunks }: IncomingFile) => {
    let text = ''
    for await (const chunk of chunks) text += new TextDecoder().decode(chunk)
    return text
  }
  for (const length of [1, 2, 3, 40, 75, 1_000]) {
    const { readable, writable } = new IdentityTransformStream()
    const headers = { 'content-type': 'multipart/form-data' }
    const request = new Request('https://groundwork.test/', { method: 'POST', headers, body: readable })
    const gate = { admit: async () => {}, take() {} }
    const read = readUpload(request, { part: 'file', holds: 0, receive, discard: async () => {} }, gate)
    const writer = writable.getWriter()
    for (let at = 0; at < bytes.length; at += length) await writer.write(bytes.slice(at, at + length))
    await writer.close()
    expect([length, (await read).value.file]).toEqual([length, 'whole'])
  }
})
