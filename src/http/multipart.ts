import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy'
import { ApiError, invalid } from '../text/errors'
import { unsafeText } from '../text/json'
import { hex } from '../text/sha256'

const MAX_PARTS = 20
const MAX_FIELD_BYTES = 256 * 1024

/** A file as it arrives. Its bytes are read once, as they come. */
export interface IncomingFile {
  name: string
  /** The media type that its sender says it has. */
  type: string
  chunks: AsyncIterable<Uint8Array>
  /** SHA-256 in hex, and the length, of what was read; for who has asked for it to be digested. */
  digest(): Promise<{ sha256: string; size: number }>
}

interface Form<T> {
  received: T
  file: Pick<IncomingFile, 'name' | 'type'>
  /** The other parts, each once. */
  fields: Record<string, string>
  /** SHA-256 of the file's bytes, in hex; undefined where they are not digested. */
  sha256: string | undefined
}

interface Reading<T> {
  /** Name of the part with the file. */
  part: string
  maxFileBytes: number
  tooLarge: () => ApiError
  digested?: boolean
  receive: (file: IncomingFile) => Promise<T>
}

const unreadable = () =>
  new ApiError('validation_failed', 'The body is not a readable multipart form. Send it as multipart/form-data.')

/** Reads a form as it arrives: its one file goes to `receive` while it does, and is nowhere else. */
export async function readForm<T>(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  { part, maxFileBytes, tooLarge, digested = true, receive }: Reading<T>,
): Promise<Form<T>> {
  const parser = await parserOf(contentType, maxFileBytes)
  const finished = settled<void>()
  const fields = new Map<string, string>()
  let first: { file: IncomingFile; stream: BusboyFileStream; received: Promise<T> } | undefined
  // Told once the form is read to its end.
  let problem: ApiError | undefined
  const refuse = (error: ApiError) => {
    problem ??= error
  }

  parser.on('finish', finished.resolve)
  parser.on('error', () => finished.reject(unreadable()))
  parser.on('partsLimit', () => finished.reject(tooManyParts()))
  // Neither name need be there.
  parser.on('field', (name = '', value, _, truncated) => {
    const unsafe = unsafeText(name) ?? unsafeText(value)
    if (unsafe) refuse(invalid(`/${name}`, `The part ${unsafe}`, 'invalid_text'))
    else if (name === part) refuse(fileRequired(part))
    else if (truncated) refuse(invalid(`/${name}`, `The part is longer than ${MAX_FIELD_BYTES / 1024} KiB.`))
    else fields.set(name, value)
  })
  parser.on('file', (field, stream, name = '', _, type) => {
    // A form that breaks off is told of by the parser.
    stream.on('error', () => {})
    const unsafe = unsafeText(name)
    if (field === part && first) refuse(fileRequired(part))
    else if (field === part && unsafe) refuse(invalid(`/${part}`, `The file name ${unsafe}`, 'invalid_text'))
    if (field !== part || first || unsafe) return void stream.resume()
    const file = incoming(stream, { name, type, digested, tooLarge })
    const received = receive(file).then(async (value) => {
      // What it has no use for belongs to what was sent all the same.
      for await (const _ of file.chunks);
      return value
    })
    received.catch(finished.reject)
    first = { file, stream, received }
  })

  try {
    await feed(parser, body, finished.promise)
    await finished.promise
    if (!first) throw problem ?? fileRequired(part)
    const received = await first.received
    if (problem) throw problem
    const { name, type } = first.file
    return {
      received,
      file: { name, type },
      fields: Object.fromEntries(fields),
      sha256: digested ? (await first.file.digest()).sha256 : undefined,
    }
  } catch (cause) {
    // What receives it sees that it has ended, and clears away what it has begun.
    first?.stream.destroy(unreadable())
    await first?.received.catch(() => {})
    throw cause
  }
}

async function parserOf(contentType: string, fileSize: number): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy')
  const limits = { parts: MAX_PARTS, fieldSize: MAX_FIELD_BYTES, fileSize }
  try {
    return Busboy({ headers: { 'content-type': contentType }, limits, preservePath: true })
  } catch {
    // No boundary, or one that is longer than any may be.
    throw unreadable()
  }
}

// Between two pieces it is seen whether the form is over: one may begin a thousand parts, each costly to make.
const PIECE = 16_384

async function feed(parser: BusboyInstance, body: AsyncIterable<Uint8Array>, over: Promise<void>): Promise<void> {
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += PIECE) {
      const goesOn = parser.write(chunk.subarray(at, at + PIECE))
      const drained = goesOn || new Promise<void>((resolve) => parser.once('drain', () => resolve()))
      await Promise.race([over, drained])
    }
  }
  parser.end()
}

function settled<T>() {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  promise.catch(() => {})
  return { promise, resolve, reject }
}

function incoming(
  stream: BusboyFileStream,
  { tooLarge, ...about }: About & { tooLarge: () => ApiError },
): IncomingFile {
  async function* chunks() {
    try {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) yield chunk
    } catch {
      throw unreadable()
    }
    if (stream.truncated) throw tooLarge()
  }
  return incomingFile(chunks(), about)
}

interface About extends Pick<IncomingFile, 'name' | 'type'> {
  digested: boolean
}

/** A file of bytes as they come. */
export function incomingFile(source: AsyncIterable<Uint8Array>, { name, type, digested }: About): IncomingFile {
  const hashed = digested ? new crypto.DigestStream('SHA-256') : undefined
  const writer = hashed?.getWriter()
  let size = 0
  async function* chunks() {
    for await (const chunk of source) {
      size += chunk.length
      if (writer) await writer.write(chunk)
      yield chunk
    }
    await writer?.close()
  }
  const rest = chunks()
  // Whoever stops reading leaves the rest to be read.
  const resumable = { [Symbol.asyncIterator]: () => ({ next: () => rest.next() }) }
  return {
    name,
    type,
    chunks: resumable,
    async digest() {
      if (!hashed) throw new Error('The file is not digested')
      return { sha256: hex(await hashed.digest), size }
    },
  }
}

const tooManyParts = () => new ApiError('validation_failed', `The form has more than ${MAX_PARTS} parts. Send fewer.`)

const fileRequired = (part: string) =>
  invalid(`/${part}`, `Send exactly one file in the part "${part}" of the form.`, 'file_required')
