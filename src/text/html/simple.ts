const INLINE_TAGS = new Set(['strong', 'em', 'b', 'i', 'u', 's', 'code'])
const BLOCK_TAGS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li'])
const LIST_TAGS = new Set(['ul', 'ol'])

const TAG_PATTERN = /<(\/?)([a-z][a-z0-9]*)>/y
// Characters that a parser or a serializer could change.
const PARSER_SENSITIVE_PATTERN = /[&>\r\0]/

function isTagAllowedIn(tag: string, open: string | undefined): boolean {
  if (tag === 'br' || INLINE_TAGS.has(tag)) return open === undefined || BLOCK_TAGS.has(open) || INLINE_TAGS.has(open)
  if (tag === 'li') return open !== undefined && LIST_TAGS.has(open)
  return open === undefined && (BLOCK_TAGS.has(tag) || LIST_TAGS.has(tag))
}

/** True for HTML that a sanitizer would return unchanged: closed tags without attributes, flat lists. Linear. */
export function isSimpleHtml(html: string): boolean {
  const open: string[] = []
  for (let at = 0; at < html.length; ) {
    const next = html.indexOf('<', at)
    const words = html.slice(at, next < 0 ? html.length : next)
    if (PARSER_SENSITIVE_PATTERN.test(words)) return false
    // A parser moves text between list items elsewhere, except white space.
    if (LIST_TAGS.has(open.at(-1) ?? '') && words.trim()) return false
    if (next < 0) break
    TAG_PATTERN.lastIndex = next
    const [whole = '', closing, tag = ''] = TAG_PATTERN.exec(html) ?? []
    if (!whole) return false
    if (closing) {
      if (tag === 'br' || open.pop() !== tag) return false
    } else {
      if (!isTagAllowedIn(tag, open.at(-1)) || open.includes(tag)) return false
      if (tag !== 'br') open.push(tag)
    }
    at = next + whole.length
  }
  return open.length === 0
}
