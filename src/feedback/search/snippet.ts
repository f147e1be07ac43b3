import { splitSearchWords } from '../../db/sql/search'
import { MAX_SNIPPET_CHARACTERS } from './schema'

const CONTEXT_CHARACTERS_BEFORE = 60
// Maximum characters of a word to fold: NFKD sorts thousands of accents on a letter in quadratic time.
const MAX_FOLDED_CHARACTERS = 64

const foldWord = (word: string) =>
  word
    .slice(0, MAX_FOLDED_CHARACTERS)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')

const HTML_ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function decodeEntity(entity: string, name: string): string {
  if (!name.startsWith('#')) return HTML_ENTITIES[name.toLowerCase()] ?? entity
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : entity
}

const toPlainText = (text: string) =>
  text
    .replace(/<[a-z/!][^<>]*(?:>|$)/gi, ' ')
    .replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,4});/gi, decodeEntity)
    .replace(/\s+/g, ' ')
    .trim()

export function extractSnippet(text: string, q: string): string {
  const words = toPlainText(text)
  if (words.length <= MAX_SNIPPET_CHARACTERS) return words
  const sought = splitSearchWords(q).map(foldWord)
  let at = 0
  for (const { 0: word, index } of words.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const folded = foldWord(word)
    if (!sought.some((one) => folded.startsWith(one))) continue
    at = index
    break
  }
  const from = at <= CONTEXT_CHARACTERS_BEFORE ? 0 : words.indexOf(' ', at - CONTEXT_CHARACTERS_BEFORE) + 1
  // Without a word boundary before the match, the snippet starts at the match.
  const start = from > at || from === 0 ? (at <= CONTEXT_CHARACTERS_BEFORE ? 0 : at) : from
  const end = start + MAX_SNIPPET_CHARACTERS - 2
  return `${start ? '…' : ''}${words.slice(start, end).toWellFormed().trim()}${end < words.length ? '…' : ''}`
}
