import { ApiError } from '../text/errors'
import { fileEtag, matchesEtag } from './etag'
import { parseRange } from './ranges'
import { FILE_GUARDS, makeFileHeaders, type ServedFile } from './served-file'

interface StoredFileReply {
  files: Pick<R2Bucket, 'get'>
  objectKey: string
  size: number
  /** Text of the ETag. Different bytes need a different tag. */
  tag: string
  file: ServedFile
  header(name: string): string | undefined
}

/** The object, or the range of the request. Null if the object is missing. */
export async function replyWithStoredFile(reply: StoredFileReply): Promise<Response | null> {
  const { files, objectKey, size, tag, file, header } = reply
  const etag = fileEtag(tag)
  const headers = new Headers({ ...makeFileHeaders(file), 'Accept-Ranges': 'bytes', ETag: etag })
  if (matchesEtag(header('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  const asked = header('if-range') ?? etag
  const range = asked === etag ? parseRange(header('range'), size) : undefined
  if (range === 'unsatisfiable') {
    throw new ApiError('range_not_satisfiable', `The file has ${size} bytes. Request a range within the file.`, {
      headers: { ...FILE_GUARDS, 'Content-Range': `bytes */${size}` },
    })
  }
  const object = await files.get(objectKey, range ? { range } : {})
  if (!object) return null
  headers.set('Content-Length', String(range ? range.length : size))
  if (range) headers.set('Content-Range', `bytes ${range.offset}-${range.offset + range.length - 1}/${size}`)
  return new Response(object.body, { status: range ? 206 : 200, headers })
}
