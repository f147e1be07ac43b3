import { ApiError } from '../text/errors'
import { parseJsonBytes } from '../text/json'
import { digestSha256 } from '../text/sha256'

const BYTES_PER_MIB = 1024 * 1024

/** 10 MiB; the largest documented JSON body (10,000 segment users) is about 1 MiB. */
export const MAX_JSON_BODY_BYTES = 10 * BYTES_PER_MIB
const MEMORY_PER_JSON_BYTE = 4

export function bodyTooLargeError(limit: number): ApiError {
  const most =
    limit < BYTES_PER_MIB ? `${limit.toLocaleString('en-US')} bytes` : `${Math.floor(limit / BYTES_PER_MIB)} MiB`
  return new ApiError('payload_too_large', `The body is larger than ${most}. Send less at once.`)
}

export interface BodyReadChecks {
  authorize(): Promise<void>
  /** The bytes are released at the end of the request. */
  reserve(bytes: number): void
}

/** A larger body is read only after the database accepts the key, at the price of a round trip. */
const MAX_UNAUTHORIZED_BYTES = 256 * 1024

// A body of an announced size up to this does not count against the memory that the requests of an isolate share.
const MAX_UNCOUNTED_BYTES = 16 * 1024

const readAnnouncedBytes = (request: Request) => Number(request.headers.get('content-length') ?? Number.NaN)

// Milliseconds without data before the request ends, because a stalled sender holds memory.
const MAX_BODY_PAUSE_MS = 30_000

const stalledError = () => new ApiError('request_timeout', 'The body stopped before its end. Send the request again.')

const tooSlowError = () =>
  new ApiError('request_timeout', 'The body took too long to arrive. Send the request again, faster.')

async function waitWithDeadline<T>(work: Promise<T>, deadline = Number.POSITIVE_INFINITY): Promise<T> {
  const late = Promise.withResolvers<never>()
  const left = deadline - Date.now()
  const timer = setTimeout(() => late.reject(), Math.min(MAX_BODY_PAUSE_MS, left))
  try {
    return await Promise.race([work, late.promise])
  } catch {
    throw left < MAX_BODY_PAUSE_MS ? tooSlowError() : stalledError()
  } finally {
    clearTimeout(timer)
  }
}

// The runtime reads 4 KiB by default; larger pieces pass the chain of readers less often.
const READ_BUFFER_BYTES = 65_536

async function* readBodyChunks({ body }: Request, deadline?: number): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader({ mode: 'byob' })
  if (!reader) return
  let buffer = new Uint8Array(READ_BUFFER_BYTES)
  try {
    for (;;) {
      const { done, value } = await waitWithDeadline(reader.read(buffer), deadline)
      if (done) return
      // Copy the bytes, because a short view would keep the whole buffer alive.
      yield value.slice()
      buffer = new Uint8Array(value.buffer)
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

export async function* readLimitedBody(
  request: Request,
  limit: number,
  admit: BodyReadChecks['authorize'],
  deadline?: number,
): AsyncGenerator<Uint8Array> {
  const refused = () => bodyTooLargeError(limit)
  if (readAnnouncedBytes(request) > limit) throw refused()
  if (readAnnouncedBytes(request) > MAX_UNAUTHORIZED_BYTES) await admit()
  let size = 0
  for await (const chunk of readBodyChunks(request, deadline)) {
    size += chunk.length
    if (size > limit) throw refused()
    if (size > MAX_UNAUTHORIZED_BYTES) await admit()
    yield chunk
  }
}

async function readJsonBytes(request: Request, gate: BodyReadChecks): Promise<Uint8Array<ArrayBuffer>> {
  const announced = readAnnouncedBytes(request)
  if (announced <= MAX_UNAUTHORIZED_BYTES) {
    if (announced > MAX_UNCOUNTED_BYTES) gate.reserve(announced * MEMORY_PER_JSON_BYTE)
    return new Uint8Array(await waitWithDeadline(request.arrayBuffer()))
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of readLimitedBody(request, MAX_JSON_BODY_BYTES, gate.authorize)) {
    gate.reserve(chunk.length * MEMORY_PER_JSON_BYTE)
    chunks.push(chunk)
  }
  return joinBytes(chunks)
}

// Milliseconds for the whole body of a hook: senders are servers, and a body is at most 1 MiB.
const MAX_HOOK_BODY_MS = 30_000

/** Reads the whole body of a hook. Every byte is counted and the time is bounded, because anybody may send a hook. */
export async function readHookBody(
  request: Request,
  limit: number,
  take: BodyReadChecks['reserve'],
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  // Count the read buffer first, because a stalled body holds the buffer.
  take(READ_BUFFER_BYTES)
  for await (const chunk of readLimitedBody(request, limit, async () => {}, Date.now() + MAX_HOOK_BODY_MS)) {
    take(chunk.length * MEMORY_PER_JSON_BYTE)
    chunks.push(chunk)
  }
  return joinBytes(chunks)
}

export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

export function mediaTypeOf(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

export function unsupportedTypeError(expected: string, got: string): ApiError {
  return new ApiError(
    'unsupported_media_type',
    `This operation takes ${expected}${got ? `, not ${got}` : ''}. Set the Content-Type header.`,
  )
}

/** Refuses a compressed body, because neither the edge nor the runtime decompresses requests. */
export function refuseCompressedBody(request: Request): void {
  const coding = (request.headers.get('content-encoding') ?? '').trim().toLowerCase()
  if (coding === '' || coding === 'identity') return
  const message = `The body is encoded (${coding.slice(0, 50)}), and no operation accepts an encoded body. Send the body without Content-Encoding.`
  throw new ApiError('unsupported_media_type', message)
}

export interface ReadBody<T> {
  value: T
  digest(): Promise<string>
}

interface JsonBodyOptions {
  optional: boolean
  /** The operation accepts only `{}`. */
  takesNone?: boolean
  gate: BodyReadChecks
}

const bodyNotTakenError = (type: string) =>
  new ApiError(
    'unsupported_media_type',
    `This operation takes no body, and no ${type.slice(0, 100)}. Leave the body and the Content-Type header out, or send {} as application/json.`,
  )

export async function readJsonBody(
  request: Request,
  { optional, takesNone = false, gate }: JsonBodyOptions,
): Promise<ReadBody<unknown>> {
  const type = mediaTypeOf(request)
  if (type !== 'application/json' && !(optional && type === ''))
    throw takesNone ? bodyNotTakenError(type) : unsupportedTypeError('application/json', type)
  refuseCompressedBody(request)
  const bytes = await readJsonBytes(request, gate)
  if (bytes.length === 0 && optional) return { value: undefined, digest: () => digestSha256(bytes) }
  if (bytes.length === 0) throw new ApiError('malformed_json', 'The body is empty. Send JSON.')
  return { value: parseJsonBytes(bytes), digest: () => digestSha256(bytes) }
}
