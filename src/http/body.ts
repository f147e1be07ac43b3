import { ApiError, invalid } from '../text/errors'
import { parseJson, unsafeText } from '../text/json'
import { sha256 } from '../text/sha256'

/** 10 MiB: the largest documented JSON body, 10,000 segment users, is about 1 MiB. */
export const MAX_JSON_BYTES = 10 * 1024 * 1024
/** 25 MiB for the file, and room for the parts around it. */
export const MAX_FILE_BYTES = 25 * 1024 * 1024
const MAX_PARTS = 20
const MAX_UPLOAD_BYTES = MAX_FILE_BYTES + 64 * 1024

export interface UploadedFile {
  name: string
  type: string
  bytes: Uint8Array<ArrayBuffer>
}

export interface Upload {
  file: UploadedFile
  /** The other parts of the form, each once. */
  fields: Record<string, string>
}

function tooLarge(limit: number): ApiError {
  return new ApiError('payload_too_large', `The body is larger than ${limit / 1024 / 1024} MiB. Send less at once.`)
}

/** Throws where the key must not cause what comes next. */
export type Admit = () => Promise<void>

/** A body of more is not read for a key that is refused, at the price of a round trip. */
const MAX_UNASKED_BYTES = 256 * 1024

/** The body, counted while it arrives: a body without a length is cut off at the limit too. */
async function readBytes(request: Request, limit: number, admit: Admit): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(request.headers.get('content-length') ?? Number.NaN)
  if (announced > limit) throw tooLarge(Math.floor(limit / 1024 / 1024) * 1024 * 1024)
  if (announced > MAX_UNASKED_BYTES) await admit()
  if (announced >= 0) return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > MAX_UNASKED_BYTES) await admit()
    if (size > limit) throw tooLarge(Math.floor(limit / 1024 / 1024) * 1024 * 1024)
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

function unsupported(expected: string, got: string): ApiError {
  return new ApiError(
    'unsupported_media_type',
    `This operation takes ${expected}${got ? `, not ${got}` : ''}. Set the Content-Type header.`,
  )
}

export interface ReadBody<T> {
  value: T
  /** SHA-256 of what was sent, in hex: what an Idempotency-Key stands for. */
  digest(): Promise<string>
}

/** A JSON body. An empty one is `undefined` where the operation can do without. */
export async function readJson(
  request: Request,
  { optional, admit }: { optional: boolean; admit: Admit },
): Promise<ReadBody<unknown>> {
  const type = mediaType(request)
  if (type !== 'application/json' && !(optional && type === '')) throw unsupported('application/json', type)
  const bytes = await readBytes(request, MAX_JSON_BYTES, admit)
  if (bytes.length === 0 && optional) return { value: undefined, digest: () => sha256(bytes) }
  if (bytes.length === 0) throw new ApiError('malformed_json', 'The body is empty. Send JSON.')
  return { value: parseJson(bytes), digest: () => sha256(bytes) }
}

/** A multipart body with one file in the part `part`. */
export async function readUpload(
  request: Request,
  part: string,
  { admit }: { admit: Admit },
): Promise<ReadBody<Upload>> {
  const type = mediaType(request)
  if (type !== 'multipart/form-data') throw unsupported('multipart/form-data', type)
  const form = await readForm(request, admit)
  if ([...form.keys()].length > MAX_PARTS) {
    throw new ApiError('validation_failed', `The form has more than ${MAX_PARTS} parts. Send fewer.`)
  }
  const found = form.getAll(part)
  const file = found[0]
  if (found.length !== 1 || !(file instanceof File)) {
    throw invalid(`/${part}`, `Send exactly one file in the part "${part}" of the form.`, 'file_required')
  }
  if (file.size > MAX_FILE_BYTES) throw tooLarge(MAX_FILE_BYTES)
  const fields: Record<string, string> = {}
  for (const [name, value] of form) {
    if (name === part || typeof value !== 'string') continue
    const problem = unsafeText(name) ?? unsafeText(value)
    if (problem) throw invalid(`/${name}`, `The part ${problem}`, 'invalid_text')
    fields[name] = value
  }
  const problem = unsafeText(file.name)
  if (problem) throw invalid(`/${part}`, `The file name ${problem}`, 'invalid_text')
  const { name, type: declared } = file
  const content = new Uint8Array(await file.arrayBuffer())
  const digest = async () =>
    sha256(new TextEncoder().encode(JSON.stringify([name, declared, fields, await sha256(content)])))
  return { value: { file: { name, type: declared, bytes: content }, fields }, digest }
}

async function readForm(request: Request, admit: Admit): Promise<FormData> {
  const type = request.headers.get('content-type') ?? ''
  const announced = Number(request.headers.get('content-length') ?? Number.NaN)
  const bounded = /boundary=/i.test(type)
  // A body of known length goes into the form as it arrives: 25 MiB are not held twice.
  if (bounded && announced <= MAX_UPLOAD_BYTES) {
    if (announced > MAX_UNASKED_BYTES) await admit()
    return parseForm(request)
  }
  const bytes = await readBytes(request, MAX_UPLOAD_BYTES, admit)
  const complete = bounded ? type : `${type}; boundary=${boundaryOf(bytes)}`
  return parseForm(new Response(bytes, { headers: { 'content-type': complete } }))
}

async function parseForm(body: Request | Response): Promise<FormData> {
  try {
    return await body.formData()
  } catch {
    throw new ApiError(
      'validation_failed',
      'The body is not a readable multipart form. Send it as multipart/form-data.',
    )
  }
}

/** Some clients set the bare media type, as the interface shows it; the boundary then stands only in the first line. */
function boundaryOf(bytes: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 80))
  return /^--([^\r\n]{1,70})\r?\n/.exec(start)?.[1] ?? 'none'
}
