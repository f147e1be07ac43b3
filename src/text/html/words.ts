const SIGN_BY_ENTITY: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' },
}
const ENTITY_PATTERN = /&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,4});/gi

function decodeEntity(entity: string, name: string): string {
  if (!name.startsWith('#')) return SIGN_BY_ENTITY[name.toLowerCase()] ?? entity
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : entity
}

const TAG_START_PATTERN = /[a-z/!?]/i
const QUOTED_VALUE_PATTERN = /=\s*(?:"[^"]*("|$)|'[^']*('|$))/y

/** Position behind the tag that begins at `from`, as the tokenizer of HTML ends tags. A cut tag ends with the text. */
function findTagEnd(html: string, from: number): number {
  if (html.startsWith('<!--', from)) {
    const end = html.indexOf('-->', from + 2)
    return end < 0 ? html.length : end + 3
  }
  for (let at = from + 1; at < html.length; at++) {
    const sign = html[at]
    if (sign === '>') return at + 1
    if (sign !== '=') continue
    QUOTED_VALUE_PATTERN.lastIndex = at
    if (QUOTED_VALUE_PATTERN.test(html)) at = QUOTED_VALUE_PATTERN.lastIndex - 1
  }
  return html.length
}

/**
 * The words of HTML in one line, without a tree. A tag is a space, and a sign that begins no tag stays, so that plain text
 * is read too. The HTML can be cut anywhere. For words that nobody reads as HTML again. Linear.
 */
export function extractWords(html: string): string {
  let words = ''
  for (let at = 0; at < html.length; ) {
    const next = html.indexOf('<', at)
    words += html.slice(at, next < 0 ? html.length : next)
    if (next < 0) break
    const isTag = TAG_START_PATTERN.test(html.charAt(next + 1))
    words += isTag ? ' ' : '<'
    at = isTag ? findTagEnd(html, next) : next + 1
  }
  return words.replace(ENTITY_PATTERN, decodeEntity).replace(/\s+/g, ' ').trim()
}
