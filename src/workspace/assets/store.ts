import type { IncomingFile } from '../../http/multipart'
import { makeObjectWriter } from '../../http/object'
import { invalidValueError } from '../../text/errors'
import type { StoredFile } from './fields'
import { createMimeDetector } from './mime'
import { makeSafeFileName } from './name'

export async function storeFile(files: R2Bucket, objectKey: string, file: IncomingFile): Promise<StoredFile> {
  const mime = await createMimeDetector(file.type)
  const object = makeObjectWriter(files, objectKey)
  try {
    for await (const chunk of file.chunks) {
      mime.read(chunk)
      await object.write(chunk)
    }
    const { sha256, size } = await file.digest()
    if (!size) throw invalidValueError('/file', 'The file is empty. Send a file with content.', 'file_required')
    await object.end(sha256)
    return { objectKey, name: makeSafeFileName(file.name), size, mime: await mime.detect(), sha256 }
  } catch (cause) {
    await object.abort()
    throw cause
  }
}
