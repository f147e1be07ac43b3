import { ApiError } from '../text/errors'
import { fileEtag, matchesEtag } from './etag'
import { parseRange } from './ranges'

interface StoredFileReply {
  files: Pick<R2Bucket, 'get'>
  objectKey: string
  size: number
  /** Text of the ETag. Different bytes need a different tag. */
  tag: string
  headers: Record<string, string>
  header(name: string): string | undefined
}

/** The object, or the range of the request. Null if the object is missing. */
export async function replyWithStoredFile(reply: StoredFileReply): Promise<Response | null> {
  const { files, objectKey, size, tag, header } = reply
  const etag = fileEtag(tag)
  if (matchesEtag(header('if-none-match'), etag)) return new Response(null, { status: 304, headers: { ETag: etag } })
  const asked = header('if-range') ?? etag
  const range = asked === etag ? parseRange(header('range'), size) : undefined
  if (range === 'unsatisfiable') {
    throw new ApiError('range_not_satisfiable', `The file has ${size} bytes. Request a range within the file.`, {
      headers: { 'Content-Range': `bytes */${size}` },
    })
  }
  const object = await files.get(objectKey, range ? { range } : {})
  if (!object) return null
  const headers = new Headers({
    ...reply.headers,
    'Content-Length': String(range ? range.length : size),
    'Accept-Ranges': 'bytes',
    // A browser that shows the file runs nothing in it.
    'Content-Security-Policy': "default-src 'none'; sandbox",
    ETag: etag,
  })
  if (range) headers.set('Content-Range', `bytes ${range.offset}-${range.offset + range.length - 1}/${size}`)
  return new Response(object.body, { status: range ? 206 : 200, headers })
}
