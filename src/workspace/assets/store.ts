import type { IncomingFile } from '../../http/multipart'
import { objectWriter } from '../../http/object'
import { invalid } from '../../text/errors'
import { mimeReader } from './mime'
import { safeName } from './name'
import type { StoredFile } from './queries'

/** Streams a file into R2. An aborted upload leaves no object. */
export async function storeFile(files: R2Bucket, objectKey: string, file: IncomingFile): Promise<StoredFile> {
  const mime = await mimeReader(file.type)
  const object = objectWriter(files, objectKey)
  try {
    for await (const chunk of file.chunks) {
      mime.read(chunk)
      await object.write(chunk)
    }
    const { sha256, size } = await file.digest()
    if (!size) throw invalid('/file', 'The file is empty. Send one with content.', 'file_required')
    await object.end(sha256)
    return { objectKey, name: safeName(file.name), size, mime: await mime.found(), sha256 }
  } catch (cause) {
    await object.abort()
    throw cause
  }
}
