import type { IncomingFile } from '../../http/multipart'
import { makeObjectWriter } from '../../http/object'
import { invalidValueError } from '../../text/errors'

/** Bytes of a file. Cloudflare limits a request body to 100 MB. */
export const MAX_RESTORE_BYTES = 95_000_000

// Each ZIP file with an entry begins with these bytes.
const ZIP_START = [0x50, 0x4b, 0x03, 0x04]

/** Stores the file for the queue. */
export async function storeExportFile(files: R2Bucket, objectKey: string, file: IncomingFile) {
  const object = makeObjectWriter(files, objectKey)
  const start: number[] = []
  try {
    for await (const chunk of file.chunks) {
      start.push(...chunk.subarray(0, ZIP_START.length - start.length))
      if (!start.every((byte, n) => byte === ZIP_START[n])) throw notAZipError()
      await object.write(chunk)
    }
    if (start.length < ZIP_START.length) throw notAZipError()
    await object.end((await file.digest()).sha256)
    return { objectKey }
  } catch (cause) {
    await object.abort()
    throw cause
  }
}

const notAZipError = () =>
  invalidValueError(
    '/file',
    'The file is not a ZIP file. Send the file of an export as you downloaded it.',
    'invalid_file',
  )
