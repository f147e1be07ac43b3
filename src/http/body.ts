import { ApiError } from '../text/errors'
import { parseJson } from '../text/json'
import { sha256 } from '../text/sha256'

const MIB = 1024 * 1024

/** 10 MiB: the largest documented JSON body, 10,000 segment users, is about 1 MiB. */
export const MAX_JSON_BYTES = 10 * MIB
// The bytes, their text and the values parsed from it.
const HELD_BY_JSON = 4

export function tooLarge(limit: number): ApiError {
  const most = limit < MIB ? `${limit.toLocaleString('en-US')} bytes` : `${Math.floor(limit / MIB)} MiB`
  return new ApiError('payload_too_large', `The body is larger than ${most}. Send less at once.`)
}

export interface Gate {
  /** Throws where the key must not cause what comes next. */
  admit(): Promise<void>
  /** Throws where the isolate has no room for so many bytes more; gives them back when the request is over. */
  take(bytes: number): void
}

/** A body of more is not read for a key that is refused, at the price of a round trip. */
const MAX_UNASKED_BYTES = 256 * 1024

// Most bodies are far smaller; hundreds that wait for their ends, of more, are what an isolate has.
const MAX_UNCOUNTED_BYTES = 16 * 1024

const announcedBytes = (request: Request) => Number(request.headers.get('content-length') ?? Number.NaN)

// Who sends nothing for so long, in milliseconds, holds room that others need.
const MAX_PAUSE = 30_000

const halted = () => new ApiError('request_timeout', 'The body came to a halt before its end. Send the request again.')

const tooSlow = () => new ApiError('request_timeout', 'The body took too long to arrive. Send it again, faster.')

/** The work's outcome, unless the body halts, or is not whole at the deadline (in milliseconds since the epoch). */
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

// By itself the runtime gives 4 KiB at a time, and each takes its way through all who read.
const PIECE = 65_536

async function* arriving({ body }: Request, deadline?: number): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader({ mode: 'byob' })
  if (!reader) return
  let room = new Uint8Array(PIECE)
  try {
    for (;;) {
      const { done, value } = await soon(reader.read(room), deadline)
      if (done) return
      // A copy, so that a few bytes hold no more than themselves.
      yield value.slice()
      room = new Uint8Array(value.buffer)
    }
  } finally {
    // What is left is not read, whatever became of it.
    reader.cancel().catch(() => {})
  }
}

/** The body as it arrives, counted: one without a length is cut off at the limit too. */
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
  // The usual body arrives in one piece, and is what it says that it is.
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

// Milliseconds that the whole body of a hook may take: senders of hooks are servers, and a body is 1 MiB at most.
const MAX_HOOK_TIME = 30_000

/** The whole body of a hook, which anybody may send: every byte is counted, and the time is bounded. */
export async function readHook(request: Request, limit: number, take: Gate['take']): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  // A body that never comes holds the room that it would be read into.
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

/** Refuses a body that is compressed: neither the edge nor the runtime unpacks what comes in. */
export function requireUncoded(request: Request): void {
  const coding = (request.headers.get('content-encoding') ?? '').trim().toLowerCase()
  if (coding === '' || coding === 'identity') return
  const message = `The body is encoded (${coding.slice(0, 50)}), which no operation takes. Send it plain, without Content-Encoding.`
  throw new ApiError('unsupported_media_type', message)
}

export interface ReadBody<T> {
  value: T
  /** SHA-256 of what was sent, in hex: what an Idempotency-Key stands for. */
  digest(): Promise<string>
}

/** A JSON body. An empty one is `undefined` where the operation can do without. */
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
