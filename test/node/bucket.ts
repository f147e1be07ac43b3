// R2 on Node: objects in memory.
import { createHash } from 'node:crypto'
import { readClock } from '../clock'
import { createUniqueId } from '../unique'

type Content = ReadableStream | ArrayBuffer | ArrayBufferView | string | null | Blob

const MAX_KEYS = 1_000
const MIN_PART_BYTES = 5 * 1024 * 1024

const readContent = async (content: Content): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(content as BodyInit | null).arrayBuffer())

const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex')

const hexOf = (given: ArrayBuffer | ArrayBufferView | string): string =>
  typeof given === 'string'
    ? given
    : Buffer.from(
        ArrayBuffer.isView(given)
          ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
          : new Uint8Array(given),
      ).toString('hex')

interface Stored {
  key: string
  bytes: Uint8Array<ArrayBuffer>
  uploaded: Date
  etag: string
  version: string
  httpMetadata: R2HTTPMetadata
  customMetadata: Record<string, string>
}

const NO_CHECKSUMS: R2Checksums = { toJSON: () => ({}) }

function describeObject({ bytes, ...stored }: Stored): R2Object {
  return {
    ...stored,
    size: bytes.length,
    httpEtag: `"${stored.etag}"`,
    checksums: NO_CHECKSUMS,
    storageClass: 'Standard',
    writeHttpMetadata: (headers) => {
      if (stored.httpMetadata.contentType) headers.set('content-type', stored.httpMetadata.contentType)
    },
  }
}

function cutRange(bytes: Uint8Array<ArrayBuffer>, range: R2GetOptions['range']): Uint8Array<ArrayBuffer> {
  if (!range || range instanceof Headers) return bytes
  if ('suffix' in range) return bytes.subarray(Math.max(0, bytes.length - range.suffix))
  const start = range.offset ?? 0
  return bytes.subarray(start, range.length === undefined ? undefined : start + range.length)
}

function describeBody(stored: Stored, range: R2GetOptions['range']): R2ObjectBody {
  const bytes = cutRange(stored.bytes, range)
  const response = new Response(bytes.slice())
  const object = describeObject(stored)
  return {
    ...object,
    writeHttpMetadata: (headers) => object.writeHttpMetadata(headers),
    get body() {
      return response.body as ReadableStream
    },
    get bodyUsed() {
      return response.bodyUsed
    },
    arrayBuffer: () => response.arrayBuffer(),
    bytes: () => response.bytes(),
    text: () => response.text(),
    json: <T>() => response.json() as Promise<T>,
    blob: () => response.blob() as Promise<Blob>,
  }
}

export class NodeBucket implements R2Bucket {
  readonly #objects = new Map<string, Stored>()
  readonly #uploads = new Map<string, Map<number, Uint8Array<ArrayBuffer>>>()

  clear(): void {
    this.#objects.clear()
    this.#uploads.clear()
  }

  async head(key: string): Promise<R2Object | null> {
    const stored = this.#objects.get(key)
    return stored ? describeObject(stored) : null
  }

  get(key: string, options: R2GetOptions & { onlyIf: R2Conditional | Headers }): Promise<R2ObjectBody | R2Object | null>
  get(key: string, options?: R2GetOptions): Promise<R2ObjectBody | null>
  async get(key: string, { range }: R2GetOptions = {}): Promise<R2ObjectBody | null> {
    const stored = this.#objects.get(key)
    return stored ? describeBody(stored, range) : null
  }

  put(
    key: string,
    value: Content,
    options?: R2PutOptions & { onlyIf: R2Conditional | Headers },
  ): Promise<R2Object | null>
  put(key: string, value: Content, options?: R2PutOptions): Promise<R2Object>
  async put(key: string, value: Content, options: R2PutOptions = {}): Promise<R2Object> {
    const bytes = await readContent(value)
    if (options.sha256 !== undefined) {
      const actual = createHash('sha256').update(bytes).digest('hex')
      if (actual !== hexOf(options.sha256))
        throw new Error('put: The SHA-256 checksum you specified did not match what we received. (10037)')
    }
    return this.#store(key, bytes, md5Of(bytes), options)
  }

  #store(
    key: string,
    bytes: Uint8Array<ArrayBuffer>,
    etag: string,
    { httpMetadata, customMetadata }: R2PutOptions,
  ): R2Object {
    const stored: Stored = {
      key,
      bytes,
      uploaded: new Date(readClock()),
      etag,
      version: createUniqueId(),
      httpMetadata: httpMetadata instanceof Headers ? {} : (httpMetadata ?? {}),
      customMetadata: customMetadata ?? {},
    }
    this.#objects.set(key, stored)
    return describeObject(stored)
  }

  async delete(keys: string | string[]): Promise<void> {
    const all = [keys].flat()
    if (all.length > MAX_KEYS) throw new Error(`delete: at most ${MAX_KEYS} keys`)
    for (const key of all) this.#objects.delete(key)
  }

  async list({ prefix = '', startAfter, cursor, limit = MAX_KEYS }: R2ListOptions = {}): Promise<R2Objects> {
    const after = cursor ?? startAfter ?? ''
    const keys = [...this.#objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
    const page = keys.slice(0, Math.min(limit, MAX_KEYS))
    const objects = page.flatMap((key) => {
      const stored = this.#objects.get(key)
      return stored ? [describeObject(stored)] : []
    })
    const last = page.at(-1)
    return keys.length > page.length && last !== undefined
      ? { objects, delimitedPrefixes: [], truncated: true, cursor: last }
      : { objects, delimitedPrefixes: [], truncated: false }
  }

  async createMultipartUpload(key: string, options: R2MultipartOptions = {}): Promise<R2MultipartUpload> {
    const uploadId = createUniqueId()
    this.#uploads.set(uploadId, new Map())
    return this.#openUpload(key, uploadId, options)
  }

  resumeMultipartUpload(key: string, uploadId: string): R2MultipartUpload {
    return this.#openUpload(key, uploadId, {})
  }

  #openUpload(key: string, uploadId: string, options: R2MultipartOptions): R2MultipartUpload {
    const findParts = () => {
      const parts = this.#uploads.get(uploadId)
      if (!parts) throw new Error('The specified multipart upload does not exist. (10024)')
      return parts
    }
    return {
      key,
      uploadId,
      uploadPart: async (partNumber, value) => {
        const bytes = await readContent(value)
        findParts().set(partNumber, bytes)
        return { partNumber, etag: md5Of(bytes) }
      },
      abort: async () => {
        this.#uploads.delete(uploadId)
      },
      complete: async (parts) => {
        const stored = findParts()
        const bytes = parts.map(({ partNumber, etag }) => {
          const part = stored.get(partNumber)
          if (!part || md5Of(part) !== etag)
            throw new Error('One or more of the specified parts could not be found. (10025)')
          return part
        })
        if (bytes.slice(0, -1).some((part) => part.length < MIN_PART_BYTES)) {
          throw new Error('Your proposed upload is smaller than the minimum allowed object size. (10011)')
        }
        this.#uploads.delete(uploadId)
        return this.#store(key, new Uint8Array(Buffer.concat(bytes)), `${uploadId}-${parts.length}`, options)
      },
    }
  }
}
