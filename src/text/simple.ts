const INLINE = new Set(['strong', 'em', 'b', 'i', 'u', 's', 'code'])
const BLOCK = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li'])
const LIST = new Set(['ul', 'ol'])

const TAG = /<(\/?)([a-z][a-z0-9]*)>/y
// Characters that a parser or a serializer could change.
const PARSER_SENSITIVE = /[&>\r\0]/

function isAllowedIn(tag: string, open: string | undefined): boolean {
  if (tag === 'br' || INLINE.has(tag)) return open === undefined || BLOCK.has(open) || INLINE.has(open)
  if (tag === 'li') return open !== undefined && LIST.has(open)
  return open === undefined && (BLOCK.has(tag) || LIST.has(tag))
}

/** True for HTML that a sanitizer would return unchanged: closed tags without attributes, flat lists. Linear. */
export function isSimpleHtml(html: string): boolean {
  const open: string[] = []
  for (let at = 0; at < html.length; ) {
    const next = html.indexOf('<', at)
    const words = html.slice(at, next < 0 ? html.length : next)
    if (PARSER_SENSITIVE.test(words)) return false
    // A parser moves text between list items elsewhere, except white space.
    if (LIST.has(open.at(-1) ?? '') && words.trim()) return false
    if (next < 0) break
    TAG.lastIndex = next
    const [whole = '', closing, tag = ''] = TAG.exec(html) ?? []
    if (!whole) return false
    if (closing) {
      if (tag === 'br' || open.pop() !== tag) return false
    } else {
      if (!isAllowedIn(tag, open.at(-1)) || open.includes(tag)) return false
      if (tag !== 'br') open.push(tag)
    }
    at = next + whole.length
  }
  return open.length === 0
}
