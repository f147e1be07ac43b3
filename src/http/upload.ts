import { sha256 } from '../text/sha256'
import { type Gate, limited, mediaType, type ReadBody, requireUncoded, tooLarge, unsupported } from './body'
import { type IncomingFile, incomingFile, readForm } from './multipart'

export const MAX_FILE_BYTES = 25 * 1024 * 1024
// Upper bound of memory per byte of a small file: bytes, text, parsed values.
const HELD_BY_BYTE = 4
// Room for the parts besides the file.
const AROUND = 1024 * 1024

/** Result of a form: the received file, and the further parts, each once. */
export interface Upload<R = unknown> {
  file: R
  fields: Record<string, string>
}

interface Receiver<R> {
  part: string
  maxBytes?: number
  json?: unknown
  holds: number
  digests?: boolean
  receive(file: IncomingFile): Promise<R>
  discard(received: R): Promise<unknown>
}

/** Reads a body with a file, in a form or as the whole body, received while arriving. */
export async function readUpload<R>(request: Request, receiver: Receiver<R>, gate: Gate): Promise<ReadBody<Upload<R>>> {
  const type = mediaType(request)
  requireUncoded(request)
  if (type === 'application/json' && receiver.json) return readAlone(request, receiver, gate)
  if (type !== 'multipart/form-data') {
    throw unsupported(receiver.json ? 'multipart/form-data or application/json' : 'multipart/form-data', type)
  }
  return readInForm(request, receiver, gate)
}

async function readAlone<R>(
  request: Request,
  { maxBytes = MAX_FILE_BYTES, holds, digests, receive, discard }: Receiver<R>,
  gate: Gate,
): Promise<ReadBody<Upload<R>>> {
  const body = taking(limited(request, maxBytes, gate.admit), holds, gate)
  const file = incomingFile(body, { name: '', type: 'application/json', digested: isDigested(request, digests) })
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

async function readInForm<R>(
  request: Request,
  { part, maxBytes = MAX_FILE_BYTES, holds, digests, receive, discard }: Receiver<R>,
  gate: Gate,
): Promise<ReadBody<Upload<R>>> {
  const kept: R[] = []
  try {
    const { body, contentType } = await bounded(
      request,
      taking(limited(request, maxBytes + AROUND, gate.admit), holds, gate),
    )
    const { received, file, fields, ...content } = await readForm(body, contentType, {
      part,
      maxFileBytes: maxBytes,
      digested: isDigested(request, digests),
      tooLarge: () => tooLarge(maxBytes),
      receive: async (file) => {
        const received = await receive(file)
        kept.push(received)
        return received
      },
    })
    const sent = JSON.stringify([file.name, file.type, fields, content.sha256])
    return { value: { file: received, fields }, digest: () => sha256(new TextEncoder().encode(sent)) }
  } catch (cause) {
    for (const received of kept) await discard(received)
    throw cause
  }
}

/** An Idempotency-Key needs the digest of the sent bytes. */
const isDigested = (request: Request, digests = true) => digests || request.headers.has('idempotency-key')

/** Counts memory for the part of the body held while arriving. */
async function* taking(body: AsyncIterable<Uint8Array>, holds: number, { take }: Gate): AsyncGenerator<Uint8Array> {
  let size = 0
  let taken = 0
  for await (const chunk of body) {
    size += chunk.length
    const held = Math.min(holds, size * HELD_BY_BYTE)
    take(held - taken)
    taken = held
    yield chunk
  }
}

// Longest line with a boundary.
const FIRST_LINE = 2 + 70 + 2

/** Some clients send the bare media type, as documented; the boundary is in the first line of the body. */
async function bounded(request: Request, body: AsyncGenerator<Uint8Array>) {
  const contentType = request.headers.get('content-type') ?? ''
  if (/boundary=/i.test(contentType)) return { body, contentType }
  const begun: Uint8Array[] = []
  let start = ''
  while (start.length < FIRST_LINE && !start.includes('\n')) {
    const { value, done } = await body.next()
    if (done) break
    begun.push(value)
    start += new TextDecoder('latin1').decode(value.subarray(0, FIRST_LINE))
  }
  const boundary = /^--([^\r\n]{1,70})\r?\n/.exec(start)?.[1] ?? 'none'
  async function* whole() {
    yield* begun
    yield* body
  }
  return { body: whole(), contentType: `${contentType}; boundary="${boundary.replace(/["\\]/g, '\\$&')}"` }
}
