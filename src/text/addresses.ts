// The parser of addresses reads no longer text.
const MAX_READ_CHARACTERS = 1_000

// Spaces, and characters that a mail program or a table copies along: zero-width characters, marks of direction, joiners.
const INVISIBLE = '[\\s\\p{Cc}\\p{Cf}\\p{Variation_Selector}\\u034f\\u115f\\u1160\\u3164\\uffa0]'
const INVISIBLE_START_PATTERN = new RegExp(`^${INVISIBLE}+`, 'u')
const INVISIBLE_CHARACTER_PATTERN = new RegExp(INVISIBLE, 'u')

/** Removes what nobody sees before and after a text, in linear time. */
function trimInvisible(text: string): string {
  const start = text.replace(INVISIBLE_START_PATTERN, '')
  let end = start.length
  while (end > 0) {
    const size = end > 1 && /[\udc00-\udfff]/.test(start.charAt(end - 1)) ? 2 : 1
    if (!INVISIBLE_CHARACTER_PATTERN.test(start.slice(end - size, end))) break
    end -= size
  }
  return start.slice(0, end)
}

export const ASCII_PATTERN = /^[\x00-\x7f]*$/
// A URL would also read escapes, ports and paths.
const DOMAIN_TEXT_PATTERN = /^(?:[\p{L}\p{M}\p{N}.。．｡-]|\u200c|\u200d)+$/u

/** @example toAsciiDomain('bücher.example') // 'xn--bcher-kva.example' */
export function toAsciiDomain(given: string): string {
  if (given.length > MAX_READ_CHARACTERS) return given
  const domain = trimInvisible(given)
  if (ASCII_PATTERN.test(domain) || !DOMAIN_TEXT_PATTERN.test(domain)) return domain
  const url = `http://${domain}`
  return URL.canParse(url) ? new URL(url).hostname : domain
}

/** An address as mail servers read it, or the text, if the text is no address. */
export function toAsciiAddress(given: string): string {
  if (given.length > MAX_READ_CHARACTERS) return given
  const text = trimInvisible(given)
  // Keyboards of Japanese and Chinese write a wide sign.
  const at = Math.max(text.lastIndexOf('@'), text.lastIndexOf('＠'))
  return at < 0 ? text : `${text.slice(0, at)}@${toAsciiDomain(text.slice(at + 1))}`
}

/** An address of at most 254 characters. The last part of a domain can be an encoded one, such as `xn--p1ai`. */
export const EMAIL_PATTERN =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+(?:[A-Za-z]{2,}|[Xx][Nn]--[A-Za-z0-9-]*[A-Za-z0-9])$/
