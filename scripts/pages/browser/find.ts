// Finds pages by words. The build and the browser share this file.

export interface SearchIndex {
  entries: [href: string, title: string, note: string][]
  /** For each word: number of an entry, weight, number of the next entry, weight, … */
  words: Record<string, number[]>
}

export interface Found {
  href: string
  title: string
  note: string
}

/** `members` → `member` */
const singularOf = (word: string) =>
  word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word

const splitWords = (text: string) => text.match(/[\p{L}\p{N}_]+/gu) ?? []

/** Words in lower case, also in the singular. `createEpic` and `create_epic` are also the words of the name. */
export function findWords(text: string): string[] {
  return splitWords(text).flatMap((name) => {
    const parts = name.split(/_|(?<=[a-z])(?=[A-Z])/).filter(Boolean)
    const words = [...parts, name].map((word) => word.toLowerCase())
    return [...new Set([...words, ...words.map(singularOf)])]
  })
}

/** True if one insertion, removal, replacement or exchange of neighbors makes one word of the other. */
function areNeighbors(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  const rest = (word: string, skipped: number) => word.slice(start + skipped)
  const swapped = (one[start + 1] ?? '') + (one[start] ?? '') + rest(one, 2)
  return (
    rest(one, 1) === rest(other, 1) ||
    rest(one, 1) === rest(other, 0) ||
    rest(one, 0) === rest(other, 1) ||
    swapped === rest(other, 0)
  )
}

const SINGULAR_SHARE = 0.9
const PREFIX_SHARE = 0.4
const TYPO_SHARE = 0.2

/** Words of the index for a word of the query, with the share of their weight. A typing error counts if nothing else is found. */
function matchWords(word: string, words: readonly string[]): [word: string, share: number][] {
  const found = words.flatMap((known): [string, number][] => {
    if (known === word) return [[known, 1]]
    if (known === singularOf(word)) return [[known, SINGULAR_SHARE]]
    return known.startsWith(word) ? [[known, PREFIX_SHARE]] : []
  })
  if (found.length || word.length < 4) return found
  return words.filter((known) => areNeighbors(word, known)).map((known) => [known, TYPO_SHARE])
}

/** The best entries first. An entry must have every word of the query. */
export function findEntries({ entries, words }: SearchIndex, query: string, limit: number): Found[] {
  const known = Object.keys(words)
  const wanted = [...new Set(splitWords(query).map((word) => word.toLowerCase()))]
  const scores = wanted.map((word) => {
    const score = new Map<number, number>()
    for (const [match, share] of matchWords(word, known)) {
      const postings = words[match] ?? []
      const rarity = Math.log(1 + (2 * entries.length) / postings.length)
      for (let n = 0; n < postings.length; n += 2) {
        const entry = postings[n] ?? 0
        score.set(entry, Math.max(score.get(entry) ?? 0, (postings[n + 1] ?? 0) * share * rarity))
      }
    }
    return score
  })
  const [first = new Map<number, number>(), ...others] = scores
  return [...first]
    .flatMap(([entry, score]): [number, number][] => {
      const more = others.map((other) => other.get(entry))
      return more.every((one) => one !== undefined)
        ? [[entry, more.reduce((sum: number, one) => sum + (one ?? 0), score)]]
        : []
    })
    .toSorted(([one, a], [other, b]) => b - a || one - other)
    .slice(0, limit)
    .flatMap(([entry]) => {
      const [href, title, note] = entries[entry] ?? []
      return href && title ? [{ href, title, note: note ?? '' }] : []
    })
}
