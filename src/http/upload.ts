import { digestSha256 } from '../text/sha256'
import {
  type BodyReadChecks,
  bodyTooLargeError,
  mediaTypeOf,
  type ReadBody,
  readLimitedBody,
  refuseCompressedBody,
  unsupportedTypeError,
} from './body'
import { type IncomingFile, makeIncomingFile, readUploadForm } from './multipart'

export const MAX_FILE_BYTES = 25 * 1024 * 1024
const MEMORY_PER_FILE_BYTE = 4
const FORM_OVERHEAD_BYTES = 1024 * 1024

export interface ReceivedUpload<R = unknown> {
  file: R
  fields: Record<string, string>
}

interface FileReceiver<R> {
  part: string
  maxBytes?: number
  json?: unknown
  maxHeldBytes: number
  needsDigest?: boolean
  receive(file: IncomingFile): Promise<R>
  discard(received: R): Promise<unknown>
}

export async function readUpload<R>(
  request: Request,
  receiver: FileReceiver<R>,
  gate: BodyReadChecks,
): Promise<ReadBody<ReceivedUpload<R>>> {
  const type = mediaTypeOf(request)
  refuseCompressedBody(request)
  if (type === 'application/json' && receiver.json) return readRawFile(request, receiver, gate)
  if (type !== 'multipart/form-data') {
    throw unsupportedTypeError(receiver.json ? 'multipart/form-data or application/json' : 'multipart/form-data', type)
  }
  return readFormFile(request, receiver, gate)
}

async function readRawFile<R>(
  request: Request,
  { maxBytes = MAX_FILE_BYTES, maxHeldBytes, needsDigest, receive, discard }: FileReceiver<R>,
  gate: BodyReadChecks,
): Promise<ReadBody<ReceivedUpload<R>>> {
  const body = reserveWhileReading(readLimitedBody(request, maxBytes, gate.authorize), maxHeldBytes, gate)
  const file = makeIncomingFile(body, {
    name: '',
    type: 'application/json',
    isDigested: needsFileDigest(request, needsDigest),
  })
  const received = await receive(file)
  try {
    // Read the rest too, because unread bytes belong to the digest.
    for await (const _ of file.chunks);
  } catch (cause) {
    await discard(received)
    throw cause
  }
  return { value: { file: received, fields: {} }, digest: async () => (await file.digest()).sha256 }
}

async function readFormFile<R>(
  request: Request,
  { part, maxBytes = MAX_FILE_BYTES, maxHeldBytes, needsDigest, receive, discard }: FileReceiver<R>,
  gate: BodyReadChecks,
): Promise<ReadBody<ReceivedUpload<R>>> {
  const kept: R[] = []
  try {
    const { body, contentType } = await findFormBoundary(
      request,
      readCountedBody(request, { maxBytes, maxHeldBytes }, gate),
    )
    const { received, file, fields, ...content } = await readUploadForm(body, contentType, {
      part,
      maxFileBytes: maxBytes,
      isDigested: needsFileDigest(request, needsDigest),
      tooLarge: () => bodyTooLargeError(maxBytes),
      receive: async (file) => {
        const received = await receive(file)
        kept.push(received)
        return received
      },
    })
    const sent = JSON.stringify([file.name, file.type, fields, content.sha256])
    return { value: { file: received, fields }, digest: () => digestSha256(new TextEncoder().encode(sent)) }
  } catch (cause) {
    for (const received of kept) await discard(received)
    throw cause
  }
}

/** An Idempotency-Key needs the digest of the sent bytes. */
const needsFileDigest = (request: Request, digests = true) => digests || request.headers.has('idempotency-key')

/** The body of a form, of which the isolate counts the bytes that the reader holds. */
export const readCountedBody = (
  request: Request,
  { maxBytes, maxHeldBytes }: { maxBytes: number; maxHeldBytes: number },
  gate: BodyReadChecks,
): AsyncGenerator<Uint8Array> =>
  reserveWhileReading(readLimitedBody(request, maxBytes + FORM_OVERHEAD_BYTES, gate.authorize), maxHeldBytes, gate)

async function* reserveWhileReading(
  body: AsyncIterable<Uint8Array>,
  holds: number,
  { reserve }: BodyReadChecks,
): AsyncGenerator<Uint8Array> {
  let size = 0
  let taken = 0
  for await (const chunk of body) {
    size += chunk.length
    const held = Math.min(holds, size * MEMORY_PER_FILE_BYTE)
    reserve(held - taken)
    taken = held
    yield chunk
  }
}

const MAX_BOUNDARY_LINE_LENGTH = 2 + 70 + 2

/** Some clients send the bare media type, as documented; the boundary is in the first line of the body. */
async function findFormBoundary(request: Request, body: AsyncGenerator<Uint8Array>) {
  const contentType = request.headers.get('content-type') ?? ''
  if (/boundary=/i.test(contentType)) return { body, contentType }
  const begun: Uint8Array[] = []
  let start = ''
  while (start.length < MAX_BOUNDARY_LINE_LENGTH && !start.includes('\n')) {
    const { value, done } = await body.next()
    if (done) break
    begun.push(value)
    start += new TextDecoder('latin1').decode(value.subarray(0, MAX_BOUNDARY_LINE_LENGTH))
  }
  const boundary = /^--([^\r\n]{1,70})\r?\n/.exec(start)?.[1] ?? 'none'
  async function* whole() {
    yield* begun
    yield* body
  }
  return { body: whole(), contentType: `${contentType}; boundary="${boundary.replace(/["\\]/g, '\\$&')}"` }
}
