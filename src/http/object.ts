import { joined } from './body'

// Of a multipart upload all parts but the last have this size, which R2 wants to be 5 MiB at least.
const PART = 5 * 1024 * 1024

/** What writing an object holds: a part in pieces, and in one. */
export const HELD_BY_WRITING = 2 * PART

/** Puts what comes in pieces into R2, in one piece where it is small. Nothing is there before `end`. */
export function objectWriter(files: R2Bucket, objectKey: string) {
  let pieces: Uint8Array[] = []
  let filled = 0
  let upload: R2MultipartUpload | undefined
  const parts: R2UploadedPart[] = []
  return {
    async write(chunk: Uint8Array): Promise<void> {
      pieces.push(chunk)
      filled += chunk.length
      // One byte stays: the last part is not empty.
      while (filled > PART) {
        const held = joined(pieces)
        upload ??= await files.createMultipartUpload(objectKey)
        parts.push(await upload.uploadPart(parts.length + 1, held.subarray(0, PART)))
        pieces = [held.slice(PART)]
        filled -= PART
      }
    },
    /** `sha256` is checked where the object is put in one piece. */
    async end(sha256: string): Promise<void> {
      const rest = joined(pieces)
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
  files.delete(objectKey).catch((cause) => console.warn('Orphaned object', objectKey, cause))
