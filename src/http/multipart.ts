import { ApiError, invalidValueError } from '../text/errors'
import { findTextProblem } from '../text/json'
import { toHex } from '../text/sha256'
import { joinBytes } from './body'
import { decodePartText, type FormPart, readFormParts } from './parts'

const MAX_FORM_PARTS = 20
const MAX_FORM_FIELD_BYTES = 256 * 1024

/** An arriving file. The bytes can be read once. */
export interface IncomingFile {
  name: string
  type: string
  chunks: AsyncIterable<Uint8Array>
  /** SHA-256 in hex and length of the bytes read, if digesting was requested. */
  digest(): Promise<{ sha256: string; size: number }>
}

interface UploadForm<T> {
  received: T
  file: Pick<IncomingFile, 'name' | 'type'>
  fields: Record<string, string>
  sha256: string | undefined
}

interface UploadFormOptions<T> {
  part: string
  maxFileBytes: number
  tooLarge: () => ApiError
  isDigested?: boolean
  receive: (file: IncomingFile) => Promise<T>
}

interface FormReader {
  part: string
  /** Receives the text fields. */
  fields: Map<string, string>
  readFile(part: FormPart, refuse: (error: ApiError) => void): Promise<void>
}

/** Reads all parts in their order, and then throws the first problem. */
async function readParts(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  { part: wanted, fields, readFile }: FormReader,
): Promise<void> {
  let problem: ApiError | undefined
  const refuse = (error: ApiError) => {
    problem ??= error
  }

  const readField = async ({ name, charset, chunks }: FormPart): Promise<void> => {
    const bytes = await readBeginning(chunks, MAX_FORM_FIELD_BYTES + 1)
    const value = decodePartText(bytes, charset)
    const unsafe = findTextProblem(name) ?? findTextProblem(value)
    if (unsafe) refuse(invalidValueError(`/${name}`, `The part ${unsafe}`, 'invalid_text'))
    else if (name === wanted) refuse(fileRequiredError(wanted))
    else if (bytes.length > MAX_FORM_FIELD_BYTES) {
      refuse(invalidValueError(`/${name}`, `The part is longer than ${MAX_FORM_FIELD_BYTES / 1024} KiB.`))
    } else fields.set(name, value)
  }

  let parts = 0
  for await (const part of readFormParts(body, contentType)) {
    if (++parts > MAX_FORM_PARTS) throw tooManyPartsError()
    if (part && !isFilePart(part)) await readField(part)
    else if (part?.name === wanted) await readFile(part, refuse)
  }
  if (problem) throw problem
}

const unsafeNameError = (part: string, unsafe: string) =>
  invalidValueError(`/${part}`, `The file name ${unsafe}`, 'invalid_text')

/** The file goes to `receive` while the form arrives, and is not buffered. */
export async function readUploadForm<T>(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  { part, maxFileBytes, tooLarge, isDigested = true, receive }: UploadFormOptions<T>,
): Promise<UploadForm<T>> {
  const fields = new Map<string, string>()
  let first: { file: IncomingFile; received: T } | undefined
  await readParts(body, contentType, {
    ...{ part, fields },
    async readFile({ fileName = '', type, chunks }, refuse) {
      const unsafe = findTextProblem(fileName)
      if (first) return refuse(fileRequiredError(part))
      if (unsafe) return refuse(unsafeNameError(part, unsafe))
      const file = makeIncomingFile(limitBytes(chunks, maxFileBytes, tooLarge), { name: fileName, type, isDigested })
      first = { file, received: await receive(file) }
      // Read the rest too, because unread bytes belong to the digest.
      for await (const _ of file.chunks);
    },
  })
  if (!first) throw fileRequiredError(part)
  const { file, received } = first
  return {
    received,
    file: { name: file.name, type: file.type },
    fields: Object.fromEntries(fields),
    sha256: isDigested ? (await file.digest()).sha256 : undefined,
  }
}

interface FilesFormOptions extends Pick<FormReader, 'part' | 'fields'> {
  maxFiles: number
  maxFileBytes: number
  tooLarge: () => ApiError
  receive: (file: IncomingFile) => Promise<void>
}

/**
 * A form of a page with any number of files. A browser sends an empty part without a name for no file. After a refused
 * file the fields are read too, so that the page can show the fields again.
 */
export async function readFilesForm(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  { part, fields, maxFiles, maxFileBytes, tooLarge, receive }: FilesFormOptions,
): Promise<void> {
  let files = 0
  await readParts(body, contentType, {
    ...{ part, fields },
    async readFile({ fileName = '', type, chunks }, refuse) {
      if (fileName === '') return
      if (++files > maxFiles) return refuse(invalidValueError(`/${part}`, `Send at most ${maxFiles} files.`))
      const unsafe = findTextProblem(fileName)
      if (unsafe) return refuse(unsafeNameError(part, unsafe))
      try {
        const limited = limitBytes(makeResumable(chunks), maxFileBytes, tooLarge)
        await receive(makeIncomingFile(limited, { name: fileName, type, isDigested: true }))
      } catch (cause) {
        if (!(cause instanceof ApiError) || cause.status >= 500) throw cause
        refuse(cause)
      }
    },
  })
}

const isFilePart = ({ fileName, type }: FormPart) => fileName !== undefined || type === 'application/octet-stream'

async function* limitBytes(chunks: AsyncIterable<Uint8Array>, maxBytes: number, tooLarge: () => ApiError) {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge()
    yield chunk
  }
}

async function readBeginning(chunks: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const kept: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    const some = chunk.subarray(0, most - size)
    if (some.length) kept.push(some)
    size += some.length
  }
  return joinBytes(kept)
}

interface IncomingFileOptions extends Pick<IncomingFile, 'name' | 'type'> {
  isDigested: boolean
}

export function makeIncomingFile(
  source: AsyncIterable<Uint8Array>,
  { name, type, isDigested }: IncomingFileOptions,
): IncomingFile {
  const hashed = isDigested ? new crypto.DigestStream('SHA-256') : undefined
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
  return {
    name,
    type,
    chunks: makeResumable(chunks()),
    async digest() {
      if (!hashed) throw new Error('The file is not digested')
      return { sha256: toHex(await hashed.digest), size }
    },
  }
}

/** An iterator without `return`, because a reader stopping early must leave the rest readable. */
const makeResumable = (chunks: AsyncGenerator<Uint8Array>): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => ({ next: () => chunks.next() }),
})

const tooManyPartsError = () =>
  new ApiError('validation_failed', `The form has more than ${MAX_FORM_PARTS} parts. Send fewer.`)

const fileRequiredError = (part: string) =>
  invalidValueError(`/${part}`, `Send exactly one file in the part "${part}" of the form.`, 'file_required')
