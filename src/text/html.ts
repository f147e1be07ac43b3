import { invalid } from './errors'
import { isSimple } from './simple'

// Only writes with markup load parse5 and its companions, which weigh 67 kB.
const library = () => import('./sanitizer')

/**
 * Limit in UTF-8 bytes after sanitizing, because closing tags and entities make HTML longer. A row of D1 holds 2 MB.
 */
const MAX_BYTES = 524_288

// The beginning of a tag, a comment or an entity. The parser also turns carriage returns into line feeds.
const MARKUP = /<[a-z/!?]|&[a-z\d#]|\r/i

/**
 * Removes everything executable from HTML; `sanitizer.ts` holds the allowlist. Text without markup stays unchanged,
 * stray signs (`a < b & c`) become entities as the parser would write them, and simple markup skips the parser.
 * `path` is the field's JSON pointer, for errors about too deep or too large markup.
 */
export const sanitize = async (html: string, path: string): Promise<string> =>
  unparsed(html, path) ?? (await sanitizer())(html, path)

export async function sanitized<const N extends string, B extends { readonly [M in N]?: string | null | undefined }>(
  body: B,
  name: N,
): Promise<B> {
  const html = body[name]
  return html ? { ...body, [name]: await sanitize(html, `/${name}`) } : body
}

/** Returns a synchronous sanitizer, for loops over many texts. */
export async function sanitizer(): Promise<(html: string, path: string) => string> {
  const { sanitizeHtml } = await library()
  return (html, path) =>
    unparsed(html, path) ??
    storable(
      readable(path, () => sanitizeHtml(html, path)),
      path,
    )
}

/** Returns sanitized HTML if the parser is unnecessary, otherwise undefined. */
function unparsed(html: string, path: string): string | undefined {
  if (!/[<>&]/.test(html)) return storable(html, path)
  if (!MARKUP.test(html)) return storable(html.replaceAll('&', '&#x26;').replaceAll('<', '&#x3C;'), path)
  return isSimple(html) ? storable(html, path) : undefined
}

/** Removes everything executable from a mail's HTML and derives the plain-text part. */
export async function mailBody(html: string, path: string): Promise<{ html: string; text: string }> {
  const { sanitizeMail } = await library()
  const body = readable(path, () => sanitizeMail(html, path))
  storable(body.html, path)
  return body
}

function storable(html: string, path: string): string {
  const fits = html.length <= MAX_BYTES && new TextEncoder().encode(html).length <= MAX_BYTES
  if (fits) return html
  throw invalid(path, `The HTML is longer than ${MAX_BYTES / 1024} KiB once it is sanitised. Shorten it.`)
}

function readable<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof RangeError) throw invalid(path, 'The HTML nests too deep. Send flatter HTML.')
    throw cause
  }
}
