import { joined } from '../../http/body'
import type { IncomingFile } from '../../http/multipart'
import { invalid } from '../../text/errors'
import { mimeReader } from './mime'
import { safeName } from './name'
import type { StoredFile } from './queries'

// Of a multipart upload all parts but the last have this size, which R2 wants to be 5 MiB at least.
const PART = 5 * 1024 * 1024

/** What `storeFile` holds: a part in pieces, and in one. */
export const HELD_BY_STORING = 2 * PART

/** Puts a file into R2 while it arrives, in one piece where it is small. Where it breaks off, nothing of it stays. */
export async function storeFile(files: R2Bucket, objectKey: string, file: IncomingFile): Promise<StoredFile> {
  const mime = await mimeReader(file.type)
  let pieces: Uint8Array[] = []
  let filled = 0
  let upload: R2MultipartUpload | undefined
  const parts: R2UploadedPart[] = []
  try {
    for await (const chunk of file.chunks) {
      mime.read(chunk)
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
    }
    const { sha256, size } = await file.digest()
    if (!size) throw invalid('/file', 'file: The file is empty. Send one with content.', 'file_required')
    const rest = joined(pieces)
    if (upload) await upload.complete([...parts, await upload.uploadPart(parts.length + 1, rest)])
    else await files.put(objectKey, rest, { sha256 })
    return { objectKey, name: safeName(file.name), size, mime: await mime.found(), sha256 }
  } catch (cause) {
    await upload?.abort()
    throw cause
  }
}

export const discardObject = (files: R2Bucket, objectKey: string): Promise<void> =>
  files.delete(objectKey).catch((cause) => console.warn('Orphaned object', objectKey, cause))
