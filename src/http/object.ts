import { logWarning } from '../text/log'
import { joinBytes } from './body'

// Part size of a multipart upload. R2 requires at least 5 MiB for all parts but the last.
const UPLOAD_PART_BYTES = 5 * 1024 * 1024

export const MEMORY_PER_OBJECT_WRITE = 2 * UPLOAD_PART_BYTES

/** Nothing is visible before `end`. */
export function makeObjectWriter(files: R2Bucket, objectKey: string) {
  let pieces: Uint8Array[] = []
  let filled = 0
  let upload: R2MultipartUpload | undefined
  const parts: R2UploadedPart[] = []
  return {
    async write(chunk: Uint8Array): Promise<void> {
      pieces.push(chunk)
      filled += chunk.length
      // Keep a byte back, because the last part must not be empty.
      while (filled > UPLOAD_PART_BYTES) {
        const held = joinBytes(pieces)
        upload ??= await files.createMultipartUpload(objectKey)
        parts.push(await upload.uploadPart(parts.length + 1, held.subarray(0, UPLOAD_PART_BYTES)))
        pieces = [held.slice(UPLOAD_PART_BYTES)]
        filled -= UPLOAD_PART_BYTES
      }
    },
    /** R2 checks `sha256` only for an object put in a single request. */
    async end(sha256: string): Promise<void> {
      const rest = joinBytes(pieces)
      if (upload) await upload.complete([...parts, await upload.uploadPart(parts.length + 1, rest)])
      else await files.put(objectKey, rest, { sha256 })
    },
    async abort(): Promise<void> {
      pieces = []
      await upload?.abort()
    },
  }
}

export const discardObject = (files: R2Bucket, objectKey: string): Promise<void> =>
  files
    .delete(objectKey)
    .catch((cause) =>
      logWarning('An object without a record stays in R2; the cron will delete the object.', { objectKey }, cause),
    )
