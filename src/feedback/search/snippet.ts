import { splitSearchWords } from '../../db/sql/search'
import { foldLetters, isUnspaced, matchSearchTerms } from '../../text/folding'
import { extractWords } from '../../text/html/words'
import { MAX_SNIPPET_CHARACTERS } from './schema'

const CONTEXT_CHARACTERS_BEFORE = 60
// Maximum characters of a word to fold: NFKD sorts thousands of accents on a letter in quadratic time.
const MAX_FOLDED_CHARACTERS = 64

const foldWord = (word: string) =>
  foldLetters(word.slice(0, MAX_FOLDED_CHARACTERS).normalize('NFC'))
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')

const MAX_RUN_CHARACTERS = 5_000

/** The place of a sought word: the beginning of a word, or any place in a run of a script without spaces. */
function findPlace(word: string, sought: readonly string[]): number | undefined {
  if (sought.some((one) => foldWord(word).startsWith(one))) return 0
  if (!isUnspaced(word)) return undefined
  const run = word.slice(0, MAX_RUN_CHARACTERS)
  const places = sought.map((one) => run.indexOf(one)).filter((place) => place >= 0)
  return places.length ? Math.min(...places) : undefined
}

export function extractSnippet(text: string, q: string): string {
  const words = extractWords(text)
  if (words.length <= MAX_SNIPPET_CHARACTERS) return words
  const sought = splitSearchWords(q).map(foldWord)
  let at = 0
  for (const { 0: word, index } of matchSearchTerms(words)) {
    const place = findPlace(word, sought)
    if (place === undefined) continue
    at = index + place
    break
  }
  const from = at <= CONTEXT_CHARACTERS_BEFORE ? 0 : words.indexOf(' ', at - CONTEXT_CHARACTERS_BEFORE) + 1
  // Without a word boundary before the match, the snippet starts at the match.
  const start = from > at || from === 0 ? (at <= CONTEXT_CHARACTERS_BEFORE ? 0 : at) : from
  const end = start + MAX_SNIPPET_CHARACTERS - 2
  return `${start ? '…' : ''}${words.slice(start, end).toWellFormed().trim()}${end < words.length ? '…' : ''}`
}
