import { ApiError } from '../text/errors'
import { joinBytes } from './body'

export interface FormPart {
  name: string
  fileName: string | undefined
  type: string
  charset: string
  chunks: AsyncGenerator<Uint8Array>
}

// RFC 2046.
const MAX_BOUNDARY_LENGTH = 70
const MAX_PART_HEAD_BYTES = 16 * 1024

export const unreadableFormError = () =>
  new ApiError('validation_failed', 'The body is not a readable multipart form. Send it as multipart/form-data.')

/**
 * Read each part to the end before the next; undefined is a part without form data. Unread bytes of the body would be
 * missing in the request digest.
 */
export async function* readFormParts(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<FormPart | undefined, void> {
  const boundary = parseHeaderParameters(contentType).get('boundary') ?? ''
  if (boundary === '' || boundary.length > MAX_BOUNDARY_LENGTH) throw unreadableFormError()
  const delimiter = encodeLatin1(`\r\n--${boundary}`)
  const source = body[Symbol.asyncIterator]()
  const reader = new DelimiterReader(source)
  try {
    for await (const _ of reader.readUntil(delimiter));
    while (!(await reader.startsWith('--'))) {
      const content = reader.readUntil(delimiter)
      yield await readFormPart(content)
      for await (const _ of content);
    }
    while (!(await source.next()).done);
  } finally {
    await source.return?.()
  }
}

export function decodePartText(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: false, ignoreBOM: true }).decode(bytes)
  } catch {
    return new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes)
  }
}

class DelimiterReader {
  readonly #source: AsyncIterator<Uint8Array>
  // A line break precedes each delimiter; this is the line break for a delimiter at the start of the body.
  #held: Uint8Array = encodeLatin1('\r\n')

  constructor(source: AsyncIterator<Uint8Array>) {
    this.#source = source
  }

  async *readUntil(delimiter: Uint8Array): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const at = indexOfDelimiter(this.#held, delimiter)
      const before = this.#take(at < 0 ? countCertainBytes(this.#held, delimiter) : at)
      if (at >= 0) this.#take(delimiter.length)
      if (before.length) yield before
      if (at >= 0) return
      await this.#more()
    }
  }

  async startsWith(sign: string): Promise<boolean> {
    while (this.#held.length < sign.length) await this.#more()
    return encodeLatin1(sign).every((byte, at) => this.#held[at] === byte)
  }

  #take(length: number): Uint8Array {
    const taken = this.#held.subarray(0, length)
    this.#held = this.#held.subarray(length)
    return taken
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#source.next()
    if (done) throw unreadableFormError()
    this.#held = this.#held.length ? joinBytes([this.#held, value]) : value
  }
}

// Searches for carriage returns, because both delimiters start with a carriage return and hardly contain another.
function indexOfDelimiter(bytes: Uint8Array, delimiter: Uint8Array, most = Number.POSITIVE_INFINITY): number {
  const last = Math.min(most, bytes.length - delimiter.length)
  for (let at = 0; ; at++) {
    at = bytes.indexOf(13, at)
    if (at < 0 || at > last) return -1
    if (startsWithDelimiter(bytes, at, delimiter)) return at
  }
}

function countCertainBytes(bytes: Uint8Array, delimiter: Uint8Array): number {
  const at = bytes.lastIndexOf(13)
  const begun = at >= 0 && bytes.length - at < delimiter.length && startsWithDelimiter(bytes, at, delimiter)
  return begun ? at : bytes.length
}

function startsWithDelimiter(bytes: Uint8Array, at: number, delimiter: Uint8Array): boolean {
  const end = Math.min(delimiter.length, bytes.length - at)
  for (let next = 1; next < end; next++) if (bytes[at + next] !== delimiter[next]) return false
  return true
}

const EMPTY_LINE_BYTES = encodeLatin1('\r\n\r\n')

async function readFormPart(content: AsyncGenerator<Uint8Array>): Promise<FormPart | undefined> {
  let held = new Uint8Array(0)
  for (;;) {
    const { done, value } = await content.next()
    if (done) return undefined
    held = joinBytes([held, value])
    const end = indexOfDelimiter(held, EMPTY_LINE_BYTES, MAX_PART_HEAD_BYTES)
    if (end >= 0)
      return makeFormPart(held.subarray(0, end), prependChunk(held.subarray(end + EMPTY_LINE_BYTES.length), content))
    if (held.length > MAX_PART_HEAD_BYTES) throw unreadableFormError()
  }
}

async function* prependChunk(first: Uint8Array, others: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  if (first.length) yield first
  yield* others
}

function makeFormPart(head: Uint8Array, chunks: AsyncGenerator<Uint8Array>): FormPart | undefined {
  const headers = parsePartHeaders(new TextDecoder().decode(head))
  const disposition = headers.get('content-disposition') ?? ''
  const about = parseHeaderParameters(disposition)
  const [name = '', fileName] = [about.get('name'), about.get('filename')]
  if (firstHeaderValue(disposition) !== 'form-data' || /[\r\n]/.test(name + (fileName ?? ''))) return undefined
  const contentType = headers.get('content-type') ?? ''
  const charset = parseHeaderParameters(contentType).get('charset') ?? 'utf-8'
  return { name, fileName, type: firstHeaderValue(contentType) || 'text/plain', charset, chunks }
}

/** Headers by lower-case name. The first of equal names counts, and parsing stops at an invalid line. */
function parsePartHeaders(head: string): Map<string, string> {
  const headers = new Map<string, string>()
  // A line starting with whitespace continues the previous line. The first line is the rest of the delimiter's line.
  for (const line of head
    .replace(/\r\n(?=[ \t])/g, '')
    .split('\r\n')
    .slice(1)) {
    const [, name, value = ''] = /^([^:\r\n]+):([^\r\n]*)$/.exec(line) ?? []
    if (name === undefined) break
    if (!headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value)
  }
  return headers
}

const firstHeaderValue = (header: string) => (header.split(';', 1)[0] ?? '').trim().toLowerCase()

const HEADER_PARAMETER_PATTERN = /;\s*([^\s;=*]+)(\*?)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)/gs

function parseHeaderParameters(header: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [, name = '', extended, value = ''] of header.matchAll(HEADER_PARAMETER_PATTERN)) {
    parameters.set(
      name.toLowerCase(),
      extended ? decodeExtendedParameter(value.trim()) : unquoteParameter(value.trim()),
    )
  }
  return parameters
}

// Some senders put a Windows path without escapes: a backslash is an escape only before a quote or a backslash.
const unquoteParameter = (value: string) =>
  value.startsWith('"') ? value.replace(/^"|"$/g, '').replace(/\\(["\\])/g, '$1') : value

/** RFC 5987: `UTF-8''%e2%82%ac.csv`. */
function decodeExtendedParameter(value: string): string {
  const [, charset = '', escaped = ''] = /^([^']*)'[^']*'(.*)$/.exec(value) ?? []
  const text = escaped.replace(/%([\da-f]{2})/gi, (_, byte) => String.fromCharCode(Number.parseInt(byte, 16)))
  return decodePartText(encodeLatin1(text), charset)
}

function encodeLatin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0))
}
