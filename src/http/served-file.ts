import { INLINE_IMAGE_TYPES, isSvgLogo } from '../text/images'

/** What a record says about the bytes of a file. The bytes may be something else. */
export interface ServedFile {
  name: string
  mime: string
  /** True for a logo of the portal, which may be an SVG. */
  isLogo?: boolean
  /** True for a file of a public portal, whose pictures other sites, mails and feeds show. */
  isPublic?: boolean
}

const PICTURE_TYPES: ReadonlySet<string> = new Set(INLINE_IMAGE_TYPES)

/** Types that no browser runs as a script or shows as a page. The list is exact, so a parameter or a capital is unknown. */
const PLAYED_TYPES: ReadonlySet<string> = new Set([
  'application/pdf',
  ...['aac', 'aiff', 'amr', 'flac', 'midi', 'mp4', 'mpeg', 'ogg', 'wav', 'x-m4a'].map((name) => `audio/${name}`),
  ...['3gpp', '3gpp2', 'matroska', 'mp2t', 'mp4', 'mpeg', 'ogg', 'quicktime', 'vnd.avi', 'webm', 'x-m4v'].map(
    (name) => `video/${name}`,
  ),
])

const UNKNOWN_TYPE = 'application/octet-stream'

function pictureTypeOf({ mime, name, isLogo = false }: ServedFile): string | undefined {
  if (PICTURE_TYPES.has(mime)) return mime
  return isLogo && isSvgLogo({ mime, name }) ? 'image/svg+xml' : undefined
}

/** Headers of answers that carry the bytes of a file, or a part of them, or say that the browser has them. */
export function makeFileHeaders(file: ServedFile): Record<string, string> {
  const picture = pictureTypeOf(file)
  const { name, mime, isPublic = false } = file
  return {
    'Content-Type': picture ?? (PLAYED_TYPES.has(mime) ? mime : UNKNOWN_TYPE),
    'Content-Disposition': formatContentDisposition(picture ? 'inline' : 'attachment', name),
    ...makeFileGuards(picture !== undefined && isPublic),
  }
}

/** Keep a browser from running the bytes, whatever they are. */
const makeFileGuards = (isShownElsewhere: boolean) => ({
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': isShownElsewhere ? 'cross-origin' : 'same-origin',
  'Content-Security-Policy': "default-src 'none'; sandbox",
})

/** Headers of an answer about a file without its bytes. */
export const FILE_GUARDS: Readonly<Record<string, string>> = makeFileGuards(false)

/** RFC 6266: a plain name for old clients, and the exact name in `filename*`. */
export function formatContentDisposition(type: 'attachment' | 'inline', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${type}; filename="${plain}"; filename*=UTF-8''${exact}`
}
