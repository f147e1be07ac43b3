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

/** A positive integer, or null. */
export function readId(given: string | null | undefined): number | null {
  return given && /^[1-9]\d{0,14}$/.test(given) ? Number(given) : null
}
