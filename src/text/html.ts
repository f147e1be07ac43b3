import { invalid } from './errors'
import { isSimple } from './simple'

// parse5 and its companions are 67 kB that only writes with markup need.
const library = () => import('./sanitizer')

/** Of HTML as it is stored, in UTF-8: closing tags and entities make it longer than what was sent. A row of D1 holds 2 MB. */
const MAX_BYTES = 524_288

// What begins a tag, a comment or an entity. The parser also makes line feeds of carriage returns.
const MARKUP = /<[a-z/!?]|&[a-z\d#]|\r/i

/**
 * HTML without anything that runs: the allowlist is in `sanitizer.ts`. Text without markup stays as it is, and one with
 * stray signs (`a < b & c`) gets them as entities, as the parser would write it; simple markup needs no parser either.
 * `path` is the field's JSON pointer, for the error when the markup nests too deep or comes to too much.
 */
export const sanitize = async (html: string, path: string): Promise<string> =>
  unparsed(html, path) ?? (await sanitizer())(html, path)

/** The body with the HTML in one of its members as it may be stored. */
export async function sanitized<const N extends string, B extends { readonly [M in N]?: string | null | undefined }>(
  body: B,
  name: N,
): Promise<B> {
  const html = body[name]
  return html ? { ...body, [name]: await sanitize(html, `/${name}`) } : body
}

/** What sanitises many texts, one after the other. */
export async function sanitizer(): Promise<(html: string, path: string) => string> {
  const { sanitizeHtml } = await library()
  return (html, path) =>
    unparsed(html, path) ??
    storable(
      readable(path, () => sanitizeHtml(html, path)),
      path,
    )
}

/** The result where no parser is needed for it. */
function unparsed(html: string, path: string): string | undefined {
  if (!/[<>&]/.test(html)) return storable(html, path)
  if (!MARKUP.test(html)) return storable(html.replaceAll('&', '&#x26;').replaceAll('<', '&#x3C;'), path)
  return isSimple(html) ? storable(html, path) : undefined
}

/** A mail's HTML without anything that runs, and the text part made from it. */
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
