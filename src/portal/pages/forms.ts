import { escapeHtml } from '../../text/escape'

/**
 * Path inside the portal that a form names for afterwards; `base` for another site, another portal or nonsense. Browsers
 * read a backslash as a slash, and ignore line breaks.
 */
export function readReturnPath(base: string, given: string | null | undefined): string {
  if (!given || /[\\\p{Cc}]/u.test(given)) return base
  const url = URL.parse(given, 'https://portal.invalid')
  if (url?.origin !== 'https://portal.invalid' || !given.startsWith('/') || given.startsWith('//')) return base
  const isInside = url.pathname === base || url.pathname.startsWith(`${base}/`)
  return isInside ? url.pathname + url.search : base
}

/** An empty line begins a paragraph. */
export const toParagraphs = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .trim()
    .split(/\n{2,}/)
    .filter(Boolean)
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('')

/** A positive integer, or null. */
export function readId(given: string | null | undefined): number | null {
  return given && /^[1-9]\d{0,14}$/.test(given) ? Number(given) : null
}
