import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { app } from '../../src/app'
import { joinBytes, readJsonBody, readLimitedBody } from '../../src/http/body'
import { BodyMemory } from '../../src/http/memory'
import type { IncomingFile } from '../../src/http/multipart'
import { readUpload } from '../../src/http/upload'
import { createWorkspace } from '../factories'
import { pollUntil } from '../poll'

const MIB = 1024 * 1024

const createReservation = (subscription: number) => new BodyMemory(subscription, () => {})

test('a large body is refused while the memory is full, unless it is the only one', () => {
  const [alone, next, third] = [createReservation(1), createReservation(2), createReservation(3)]
  alone.reserve(200 * MIB)
  expect(() => next.reserve(1)).toThrow('Too many large bodies')
  alone.reserve(50 * MIB)
  alone.release()
  next.reserve(40 * MIB)
  third.reserve(40 * MIB)
  expect(() => third.reserve(1)).toThrow('Too many large bodies')
  next.release()
  third.reserve(30 * MIB)
  third.release()
  third.release()
  alone.reserve(300 * MIB)
  alone.release()
})

test('a workspace leaves memory for other workspaces', () => {
  const own = Array.from({ length: 9 }, () => createReservation(1))
  for (const one of own.slice(0, 8)) one.reserve(5 * MIB)
  expect(() => own[8]?.reserve(5 * MIB)).toThrow('Too many large bodies')
  const other = createReservation(2)
  other.reserve(40 * MIB)
  own[0]?.release()
  expect(() => own[8]?.reserve(5 * MIB)).not.toThrow()
  for (const one of [...own, other]) one.release()
})

// The runtime ends a request whose client disconnects, without `finally`, unless the context waits for a promise.
test('a request runs until it has released its memory', async () => {
  const here = await createWorkspace()
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
  await pollUntil('The promise that holds the request', () => waited.length === 1)
  await writer.abort(new Error('The caller has hung up.'))
  await Promise.allSettled([response, ...waited])
  expect((await response).status).toBe(408)
})

test('a body that stops arriving is refused after thirty seconds', async () => {
  vi.useFakeTimers()
  try {
    const { readable, writable } = new IdentityTransformStream()
    const writer = writable.getWriter()
    const request = new Request('https://groundwork.test/', { method: 'POST', body: readable })
    const body = readLimitedBody(request, MIB, async () => {})
    writer.write(new Uint8Array([1])).catch(() => {})
    expect((await body.next()).value).toEqual(new Uint8Array([1]))
    const next = expect(body.next()).rejects.toThrow('stopped before its end')
    await vi.advanceTimersByTimeAsync(30_000)
    await next
  } finally {
    vi.useRealTimers()
  }
})

test.each([
  [10_000, []],
  [200_000, [800_000]],
])('a body of %d bytes reserves memory only when it is large, and times out', async (length, counted) => {
  vi.useFakeTimers()
  try {
    const headers = { 'content-type': 'application/json', 'content-length': String(length) }
    const body = new TransformStream<Uint8Array, Uint8Array>().readable
    const request = new Request('https://groundwork.test/', { method: 'POST', headers, body })
    const taken: number[] = []
    const gate = { authorize: async () => {}, reserve: (bytes: number) => taken.push(bytes) }
    const read = expect(readJsonBody(request, { optional: false, gate })).rejects.toThrow('stopped before its end')
    await vi.advanceTimersByTimeAsync(30_000)
    await read
    expect(taken).toEqual(counted)
  } finally {
    vi.useRealTimers()
  }
})

test('the reader joins small chunks of a body into larger pieces', async () => {
  const { readable, writable } = new IdentityTransformStream()
  const bytes = Uint8Array.from({ length: MIB }, (_, n) => n * 7)
  const writer = writable.getWriter()
  writer.write(bytes).then(() => writer.close())
  const pieces: Uint8Array[] = []
  const body = readLimitedBody(
    new Request('https://groundwork.test/', { method: 'POST', body: readable }),
    MIB,
    async () => {},
  )
  for await (const piece of body) pieces.push(piece)
  expect(pieces.length).toBeLessThanOrEqual(20)
  expect(joinBytes(pieces)).toEqual(bytes)
})

test('a form without a boundary in its header is read at any chunk borders', async () => {
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
    const gate = { authorize: async () => {}, reserve() {} }
    const read = readUpload(request, { part: 'file', maxHeldBytes: 0, receive, discard: async () => {} }, gate)
    const writer = writable.getWriter()
    for (let at = 0; at < bytes.length; at += length) await writer.write(bytes.slice(at, at + length))
    await writer.close()
    expect([length, (await read).value.file]).toEqual([length, 'whole'])
  }
})
