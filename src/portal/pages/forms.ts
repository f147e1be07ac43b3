import { escapeHtml } from '../../text/escape'

/**
 * Path inside the portal that a form names for afterwards; `base` for another site, another portal or nonsense. Browsers
 * read a backslash as a slash, and ignore line breaks. Dot segments can leave two slashes in front, which name a host.
 */
export function readReturnPath(base: string, given: string | null | undefined): string {
  if (!given || /[\\\p{Cc}]/u.test(given)) return base
  const url = URL.parse(given, 'https://portal.invalid')
  if (url?.origin !== 'https://portal.invalid' || !given.startsWith('/')) return base
  if (given.startsWith('//') || url.pathname.startsWith('//')) return base
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

const ENTITY_PATTERN = /&(?:amp|lt|gt|quot|#39|#x([\da-f]{1,6}));/gi
const MAX_CODE_POINT = 0x10ffff
const SIGN_BY_ENTITY: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** The text of paragraphs, for a form; null if the HTML holds more than paragraphs and line breaks. */
export function fromParagraphs(html: string): string | null {
  const text = html
    .replaceAll(/<\/p>\s*<p>/g, '\n\n')
    .replaceAll(/<br>/g, '\n')
    .replace(/^\s*<p>/, '')
    .replace(/<\/p>\s*$/, '')
  if (text.includes('<')) return null
  return text.replaceAll(ENTITY_PATTERN, (entity, code?: string) => {
    if (code === undefined) return SIGN_BY_ENTITY[entity.toLowerCase()] ?? entity
    const point = Number.parseInt(code, 16)
    return point > MAX_CODE_POINT ? entity : String.fromCodePoint(point).toWellFormed()
  })
}
