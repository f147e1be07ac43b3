import {
  BACKSLASH_CODE,
  CLOSE_BRACE_CODE,
  CLOSE_BRACKET_CODE,
  COLON_CODE,
  COMMA_CODE,
  OPEN_BRACE_CODE,
  OPEN_BRACKET_CODE,
  QUOTE_CODE,
} from '../text/json'

const STRUCTURAL_CODE_FLAGS = new Uint8Array(128)
for (const sign of [
  QUOTE_CODE,
  COMMA_CODE,
  COLON_CODE,
  OPEN_BRACE_CODE,
  OPEN_BRACKET_CODE,
  CLOSE_BRACE_CODE,
  CLOSE_BRACKET_CODE,
])
  STRUCTURAL_CODE_FLAGS[sign] = 1

/** Fast path: most characters outside of strings are digits and spaces. */
export function isStructuralCode(sign: number): boolean {
  return sign < 128 && STRUCTURAL_CODE_FLAGS[sign] === 1
}

export function findClosingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let slash = at
    while (text.charCodeAt(slash - 1) === BACKSLASH_CODE) slash--
    if ((at - slash) % 2 === 0) return at
  }
  return text.length
}
