import { ApiError } from '../text/errors'
import { parseJson } from '../text/json'
import { sha256 } from '../text/sha256'

const MIB = 1024 * 1024

/** 10 MiB; the largest documented JSON body (10,000 segment users) is about 1 MiB. */
export const MAX_JSON_BYTES = 10 * MIB
// Memory per byte of JSON: the bytes, the text and the parsed values.
const HELD_BY_JSON = 4

export function tooLarge(limit: number): ApiError {
  const most = limit < MIB ? `${limit.toLocaleString('en-US')} bytes` : `${Math.floor(limit / MIB)} MiB`
  return new ApiError('payload_too_large', `The body is larger than ${most}. Send less at once.`)
}

export interface Gate {
  /** Throws if the key must not cause further work. */
  admit(): Promise<void>
  /** Throws if the isolate has no memory for more bytes. The bytes are released at the end of the request. */
  take(bytes: number): void
}

/** A larger body is read only after the database accepts the key, at the price of a round trip. */
const MAX_UNASKED_BYTES = 256 * 1024

// Smaller bodies are not counted: most bodies are far smaller, and hundreds of larger waiting bodies would fill an
// isolate.
const MAX_UNCOUNTED_BYTES = 16 * 1024

const announcedBytes = (request: Request) => Number(request.headers.get('content-length') ?? Number.NaN)

// Milliseconds without data before the request ends, because a stalled sender holds memory.
const MAX_PAUSE = 30_000

const halted = () => new ApiError('request_timeout', 'The body came to a halt before its end. Send the request again.')

const tooSlow = () => new ApiError('request_timeout', 'The body took too long to arrive. Send it again, faster.')

/** Waits for the work, unless the body stalls or misses the deadline (milliseconds since the epoch). */
async function soon<T>(work: Promise<T>, deadline = Number.POSITIVE_INFINITY): Promise<T> {
  const late = Promise.withResolvers<never>()
  const left = deadline - Date.now()
  const timer = setTimeout(() => late.reject(), Math.min(MAX_PAUSE, left))
  try {
    return await Promise.race([work, late.promise])
  } catch {
    throw left < MAX_PAUSE ? tooSlow() : halted()
  } finally {
    clearTimeout(timer)
  }
}

// The runtime reads 4 KiB by default; larger pieces pass the chain of readers less often.
const PIECE = 65_536

async function* arriving({ body }: Request, deadline?: number): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader({ mode: 'byob' })
  if (!reader) return
  let room = new Uint8Array(PIECE)
  try {
    for (;;) {
      const { done, value } = await soon(reader.read(room), deadline)
      if (done) return
      // Copy the bytes, because a short view would keep the whole buffer alive.
      yield value.slice()
      room = new Uint8Array(value.buffer)
    }
  } finally {
    // Drop the rest of the body.
    reader.cancel().catch(() => {})
  }
}

/** Yields the arriving body, and cuts off a body without a length at the limit too. */
export async function* limited(
  request: Request,
  limit: number,
  admit: Gate['admit'],
  deadline?: number,
): AsyncGenerator<Uint8Array> {
  const refused = () => tooLarge(limit)
  if (announcedBytes(request) > limit) throw refused()
  if (announcedBytes(request) > MAX_UNASKED_BYTES) await admit()
  let size = 0
  for await (const chunk of arriving(request, deadline)) {
    size += chunk.length
    if (size > limit) throw refused()
    if (size > MAX_UNASKED_BYTES) await admit()
    yield chunk
  }
}

async function readBytes(request: Request, gate: Gate): Promise<Uint8Array<ArrayBuffer>> {
  const announced = announcedBytes(request)
  // A usual body arrives in a single read, and has the announced length.
  if (announced <= MAX_UNASKED_BYTES) {
    if (announced > MAX_UNCOUNTED_BYTES) gate.take(announced * HELD_BY_JSON)
    return new Uint8Array(await soon(request.arrayBuffer()))
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of limited(request, MAX_JSON_BYTES, gate.admit)) {
    gate.take(chunk.length * HELD_BY_JSON)
    chunks.push(chunk)
  }
  return joined(chunks)
}

// Milliseconds for the whole body of a hook: senders are servers, and a body is at most 1 MiB.
const MAX_HOOK_TIME = 30_000

/** Reads the whole body of a hook. Every byte is counted and the time is bounded, because anybody may send a hook. */
export async function readHook(request: Request, limit: number, take: Gate['take']): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  // Count the read buffer first, because a stalled body holds the buffer.
  take(PIECE)
  for await (const chunk of limited(request, limit, async () => {}, Date.now() + MAX_HOOK_TIME)) {
    take(chunk.length * HELD_BY_JSON)
    chunks.push(chunk)
  }
  return joined(chunks)
}

export function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

export function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

export function unsupported(expected: string, got: string): ApiError {
  return new ApiError(
    'unsupported_media_type',
    `This operation takes ${expected}${got ? `, not ${got}` : ''}. Set the Content-Type header.`,
  )
}

/** Refuses a compressed body, because neither the edge nor the runtime decompresses requests. */
export function requireUncoded(request: Request): void {
  const coding = (request.headers.get('content-encoding') ?? '').trim().toLowerCase()
  if (coding === '' || coding === 'identity') return
  const message = `The body is encoded (${coding.slice(0, 50)}), which no operation takes. Send it plain, without Content-Encoding.`
  throw new ApiError('unsupported_media_type', message)
}

export interface ReadBody<T> {
  value: T
  /** SHA-256 of the sent bytes in hex, compared for an Idempotency-Key. */
  digest(): Promise<string>
}

/** Reads a JSON body. An empty body is `undefined` if the operation allows an empty body. */
export async function readJson(
  request: Request,
  { optional, gate }: { optional: boolean; gate: Gate },
): Promise<ReadBody<unknown>> {
  const type = mediaType(request)
  if (type !== 'application/json' && !(optional && type === '')) throw unsupported('application/json', type)
  requireUncoded(request)
  const bytes = await readBytes(request, gate)
  if (bytes.length === 0 && optional) return { value: undefined, digest: () => sha256(bytes) }
  if (bytes.length === 0) throw new ApiError('malformed_json', 'The body is empty. Send JSON.')
  return { value: parseJson(bytes), digest: () => sha256(bytes) }
}
