import { sha256 } from '../text/sha256'
import { type Gate, limited, mediaType, type ReadBody, tooLarge, unsupported } from './body'
import { type IncomingFile, readForm } from './multipart'

/** 25 MiB for a file. */
export const MAX_FILE_BYTES = 25 * 1024 * 1024
// A small file is not held more often than this: its bytes, their text, what is read of it.
const HELD_BY_BYTE = 4
// The parts around it.
const AROUND = 1024 * 1024

/** What a form brought: what its file became, and the other parts, each once. */
export interface Upload<R = unknown> {
  file: R
  fields: Record<string, string>
}

interface Receiver<R> {
  part: string
  maxBytes?: number
  /** How many bytes `receive` holds at most. */
  holds: number
  receive(file: IncomingFile): Promise<R>
  discard(received: R): Promise<unknown>
}

/** A multipart body with one file in a part of its own, which is received as it arrives. */
export async function readUpload<R>(
  request: Request,
  { part, maxBytes = MAX_FILE_BYTES, holds, receive, discard }: Receiver<R>,
  gate: Gate,
): Promise<ReadBody<Upload<R>>> {
  const type = mediaType(request)
  if (type !== 'multipart/form-data') throw unsupported('multipart/form-data', type)
  const kept: R[] = []
  try {
    const { body, contentType } = await bounded(
      request,
      taking(limited(request, maxBytes + AROUND, gate.admit), holds, gate),
    )
    const { received, file, fields, ...content } = await readForm(body, contentType, {
      part,
      maxFileBytes: maxBytes,
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

/** Takes room for what is held of a body as it comes. */
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

/** Some clients set the bare media type, as the interface shows it; the boundary then stands only in the first line. */
async function bounded(request: Request, body: AsyncGenerator<Uint8Array>) {
  const contentType = request.headers.get('content-type') ?? ''
  if (/boundary=/i.test(contentType)) return { body, contentType }
  const first = await body.next()
  const start = new TextDecoder('latin1').decode(first.value?.subarray(0, 80))
  const boundary = /^--([^\r\n]{1,70})\r?\n/.exec(start)?.[1] ?? 'none'
  async function* whole() {
    if (first.value) yield first.value
    yield* body
  }
  return { body: whole(), contentType: `${contentType}; boundary="${boundary.replace(/["\\]/g, '\\$&')}"` }
}
