import { invalidValueError } from '../errors'
import { isSimpleHtml } from './simple'

// Only writes with markup load parse5 and its companions, which weigh 67 kB.
const loadSanitizer = () => import('./sanitizer')

/** Limit after sanitizing, because closing tags and entities make HTML longer. A row of D1 holds 2 MB. */
const MAX_SANITIZED_HTML_BYTES = 524_288

// The beginning of a tag, a comment or an entity. The parser also turns carriage returns into line feeds.
const MARKUP_START_PATTERN = /<[a-z/!?]|&[a-z\d#]|\r/i

/**
 * Text without markup stays unchanged, and stray signs (`a < b & c`) become entities as the parser would write them.
 * `path` is the field's JSON pointer, for errors about too deep or too large markup.
 */
export const sanitizeRichText = async (html: string, path: string): Promise<string> =>
  sanitizeWithoutParser(html, path) ?? (await createSanitizer())(html, path)

export async function sanitizeProperty<
  const N extends string,
  B extends { readonly [M in N]?: string | null | undefined },
>(body: B, name: N): Promise<B> {
  const html = body[name]
  return html ? { ...body, [name]: await sanitizeRichText(html, `/${name}`) } : body
}

export async function createSanitizer(): Promise<(html: string, path: string) => string> {
  const { sanitizeHtml } = await loadSanitizer()
  return (html, path) =>
    sanitizeWithoutParser(html, path) ??
    checkHtmlSize(
      refuseTooDeepHtml(path, () => sanitizeHtml(html, path)),
      path,
    )
}

function sanitizeWithoutParser(html: string, path: string): string | undefined {
  if (!/[<>&]/.test(html)) return checkHtmlSize(html, path)
  if (!MARKUP_START_PATTERN.test(html))
    return checkHtmlSize(html.replaceAll('&', '&#x26;').replaceAll('<', '&#x3C;'), path)
  return isSimpleHtml(html) ? checkHtmlSize(html, path) : undefined
}

export async function sanitizeMailBody(html: string, path: string): Promise<{ html: string; text: string }> {
  const { sanitizeMail } = await loadSanitizer()
  const body = refuseTooDeepHtml(path, () => sanitizeMail(html, path))
  checkHtmlSize(body.html, path)
  return body
}

function checkHtmlSize(html: string, path: string): string {
  const fits =
    html.length <= MAX_SANITIZED_HTML_BYTES && new TextEncoder().encode(html).length <= MAX_SANITIZED_HTML_BYTES
  if (fits) return html
  throw invalidValueError(
    path,
    `The sanitized HTML is longer than ${MAX_SANITIZED_HTML_BYTES / 1024} KiB. Shorten the HTML.`,
  )
}

function refuseTooDeepHtml<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof RangeError) throw invalidValueError(path, 'The HTML nests too deep. Send flatter HTML.')
    throw cause
  }
}
