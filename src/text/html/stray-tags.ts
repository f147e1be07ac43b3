const ELEMENT_NAMES =
  'a abbr acronym address article aside audio b base bdi bdo big blockquote body br button canvas caption center cite code col colgroup dd del details dfn dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label legend li link main map mark math menu meta meter nav noscript object ol optgroup option output p param picture pre progress q rp rt ruby s samp script section select small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr'
const WORD_ATTRIBUTES = 'allowfullscreen checked controls disabled hidden multiple nowrap open reversed'

const alternatives = (words: string) => words.split(' ').join('|')

// The rest of a tag ends at the next angle bracket, and no repetition follows another that takes the same signs, so the
// search stays linear.
const STRAY_SIGN_PATTERN = new RegExp(
  `<(?!!--|/(?:${alternatives(ELEMENT_NAMES)})\\s*>|(?:${alternatives(ELEMENT_NAMES)})(?:\\s[^<>=]*=[^<>]*|\\s+(?:${alternatives(WORD_ATTRIBUTES)})\\b[^<>]*|\\s*)/?>)`,
  'gi',
)

/**
 * Text of a file with `<` as an entity, unless `<` begins a tag of HTML. The files of other products hold plain text,
 * Markdown or HTML: `Map<String>`, `a<b` and `<ada@example.com>` are text, and the parser would drop them as tags.
 */
export const escapeStraySigns = (text: string): string => text.replace(STRAY_SIGN_PATTERN, '&lt;')
