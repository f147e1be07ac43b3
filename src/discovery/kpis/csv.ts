/** How a file is cut into rows and fields. */
export interface Cut {
  delimiter: ',' | ';' | '\t'
  newline: '\n' | '\r' | '\r\n'
}

export interface Row {
  fields: string[]
  /** A quoted field is not closed, or goes on behind its closing quote. */
  broken: boolean
  /** Where the next row begins. */
  end: number
}

/** The line break with which a text's first row ends. */
export function lineBreak(text: string): Cut['newline'] {
  const found = /\r\n|\r|\n/.exec(text.replace(/"[^"]*"/g, ''))?.[0]
  return found === '\r\n' || found === '\r' ? found : '\n'
}

/**
 * Gives the row of a text that begins at a place, place after place (RFC 4180; spaces behind a closing quote are left out).
 * Undefined when the text may go on and the row with it: only in the `last` part of a file its end ends a row.
 * Linear in the text, whatever the quotes.
 */
export function rowsOf(text: string, { delimiter, newline }: Cut, last: boolean): (from: number) => Row | undefined {
  const nextDelimiter = finder(text, delimiter)
  const nextNewline = finder(text, newline)

  const behindSpaces = (from: number): number => {
    let at = from
    while (at < text.length && !text.startsWith(delimiter, at) && !text.startsWith(newline, at)) {
      if (text.charAt(at).trim() !== '') break
      at++
    }
    return at
  }

  return (from) => {
    const fields: string[] = []
    let broken = false
    for (let at = from; ; ) {
      let end = text.length
      if (text[at] !== '"') {
        end = Math.min(nextDelimiter(at), nextNewline(at))
        fields.push(text.slice(at, end))
      } else {
        let quote = text.indexOf('"', at + 1)
        while (quote >= 0) {
          if (text[quote + 1] === '"') {
            quote = text.indexOf('"', quote + 2)
            continue
          }
          end = behindSpaces(quote + 1)
          if (end === text.length || text.startsWith(delimiter, end) || text.startsWith(newline, end)) break
          broken = true
          quote = text.indexOf('"', end)
        }
        if (quote < 0) {
          broken = true
          quote = end = text.length
        }
        fields.push(text.slice(at + 1, quote).replaceAll('""', '"'))
      }
      if (end === text.length) return last ? { fields, broken, end } : undefined
      if (text.startsWith(newline, end)) return { fields, broken, end: end + newline.length }
      at = end + delimiter.length
    }
  }
}

/** Where something is found next; each of its places is looked for once. */
function finder(text: string, what: string): (from: number) => number {
  let found = -1
  return (from) => {
    if (found < from) {
      const next = text.indexOf(what, from)
      found = next < 0 ? text.length : next
    }
    return found
  }
}
