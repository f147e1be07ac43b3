/**
 * Papaparse trims the text up to the next delimiter for every quote that neither opens nor closes a field. 25 million
 * characters take 14 ms (60 ms for non-Latin text); a crafted 256 KiB has 8,600 million.
 */
const MAX_TRIMMED_CHARACTERS = 25_000_000

export interface CsvFormat {
  delimiter: string
  newline: '\n' | '\r' | '\r\n'
}

/** Returns whether a text would keep Papaparse busy for seconds. Linear in the text. */
export function isCraftedCsv(text: string, cut: CsvFormat): boolean {
  const quotes = countOccurrences(text, '"')
  const maxRun = Math.floor(MAX_TRIMMED_CHARACTERS / quotes)
  const run = maxRun < text.length ? measureLongestSpaceRun(text, maxRun + 1) : 0
  return run > 0 && countStrayQuotes(text, cut) * run > MAX_TRIMMED_CHARACTERS
}

export function countOccurrences(text: string, what: string): number {
  let found = 0
  for (let at = text.indexOf(what); at >= 0; at = text.indexOf(what, at + 1)) found++
  return found
}

const isWhiteSpaceAt = (text: string, at: number) => at < text.length && text.charAt(at).trim() === ''

/** Returns 0 below `least`. Probes every `least` characters, because a long enough run covers a probe. */
function measureLongestSpaceRun(text: string, least: number): number {
  let longest = 0
  for (let probe = least - 1; probe < text.length; probe += least) {
    if (!isWhiteSpaceAt(text, probe)) continue
    let from = probe
    while (from > 0 && isWhiteSpaceAt(text, from - 1)) from--
    let to = probe + 1
    while (isWhiteSpaceAt(text, to)) to++
    if (to - from >= least) longest = Math.max(longest, to - from)
    probe += Math.floor((to - 1 - probe) / least) * least
  }
  return longest
}

function countStrayQuotes(text: string, { delimiter, newline }: CsvFormat): number {
  const ends = (at: number) => at >= text.length || text.startsWith(delimiter, at) || text.startsWith(newline, at)
  let stray = 0
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    const opens =
      at === 0 || text.startsWith(delimiter, at - delimiter.length) || text.startsWith(newline, at - newline.length)
    if (!opens) continue
    for (at = text.indexOf('"', at + 1); at >= 0; at = text.indexOf('"', at + 1)) {
      if (text[at + 1] === '"') {
        at++
        continue
      }
      let end = at + 1
      while (!ends(end) && isWhiteSpaceAt(text, end)) end++
      if (ends(end)) break
      stray++
    }
    if (at < 0) break
  }
  return stray
}
