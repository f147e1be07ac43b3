const MAX_SLUG_LENGTH = 80
// Reads no more characters of a text, because normalizing thousands of accents on a letter takes quadratic time.
const MAX_SLUG_INPUT_LENGTH = 1_000

// Libraries for slugs weigh 8 to 219 kB, spell Cyrillic differently, or romanize every script.
/** Letters that Unicode does not decompose, and signs that distinguish names (C, C++, C#). */
const TRANSLITERATION_BY_CHARACTER = new Map(
  `ß ss,æ ae,œ oe,ø o,đ d,ð d,þ th,ł l,ħ h,ı i,ŋ n,& -and-,+ -plus-,# -sharp-,@ -at-,% -percent-,
α a,β v,γ g,δ d,ε e,ζ z,η i,θ th,ι i,κ k,λ l,μ m,ν n,ξ x,ο o,π p,ρ r,σ s,ς s,τ t,υ y,φ f,χ ch,ψ ps,ω o,
а a,б b,в v,г g,ґ g,д d,е e,є ie,ж zh,з z,и i,і i,к k,л l,м m,н n,о o,п p,р r,с s,т t,у u,ф f,х kh,ц ts,ч ch,ш sh,
щ shch,ъ ,ы y,ь ,э e,ю iu,я ia`
    .split(/,\s*/)
    .map((pair): [string, string] => [pair.slice(0, 1), pair.slice(2)]),
)

// Variation selectors choose the picture of a sign, and joiners its neighbors. Neither is seen by itself.
const INVISIBLE_PATTERN = /[\p{Variation_Selector}\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu
const SEPARATORS_PATTERN = /[^\p{L}\p{M}\p{N}]+/gu
// A mark belongs to the letter or digit before it.
const LONE_MARK_PATTERN = /(?<![\p{L}\p{M}\p{N}])\p{M}+/gu

function transliterate(text: string): string {
  const letters = Array.from(
    text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[\u0300-\u036f]/g, ''),
  )
  return letters.map((letter) => TRANSLITERATION_BY_CHARACTER.get(letter) ?? letter).join('')
}

const trimSlug = (slug: string, length: number) =>
  Array.from(slug.replace(/^-/, '')).slice(0, length).join('').replace(/-$/, '')

const joinWords = (spelled: string): string =>
  spelled.normalize('NFC').replace(LONE_MARK_PATTERN, '-').replace(SEPARATORS_PATTERN, '-')

const toHexadecimal = (sign: string) => sign.codePointAt(0)?.toString(16) ?? ''

/**
 * A slug for an address. Letters of scripts besides Latin, Greek and Cyrillic stay; a text without letters becomes
 * hexadecimal code points.
 * @example slugify('Größe & Farbe, v2!') // 'grosse-and-farbe-v2'
 */
export function slugify(text: string): string {
  const visible = text.slice(0, MAX_SLUG_INPUT_LENGTH).replace(INVISIBLE_PATTERN, '')
  return (
    trimSlug(joinWords(transliterate(visible)), MAX_SLUG_LENGTH) ||
    Array.from((visible.trim() || text.trim()).slice(0, MAX_SLUG_INPUT_LENGTH), toHexadecimal)
      .slice(0, 8)
      .join('-')
  )
}

const WORD_BY_SIGN = new Map(
  '* star,$ dollar,= equals,< less,> greater,~ tilde,^ caret,| pipe,` tick'
    .split(',')
    .map((pair): [string, string] => [pair.slice(0, 1), `-${pair.slice(2)}-`]),
)
// Signs that are part of a name only before the first letter or after the last one: .NET, !important, -1, A-.
const LEADING_SIGN_PATTERN = /(?<=^|\s)([.!]|-(?=\p{N}))(?=[\p{L}\p{N}])/gu
const TRAILING_MINUS_PATTERN = /(?<=[\p{L}\p{N}])-+$/u
const LEADING_WORD_BY_SIGN = new Map([
  ['.', 'dot-'],
  ['!', 'not-'],
  ['-', 'minus-'],
])
const SIGN_PATTERN = /[*$=<>~^|`]|[^\x00-\x7f\p{L}\p{M}\p{N}\p{P}\p{Z}\p{Cc}]|[§¶†‡‰‱※•]|\p{No}/gu

const spellSigns = (name: string): string =>
  name
    .replace(LEADING_SIGN_PATTERN, (sign) => LEADING_WORD_BY_SIGN.get(sign) ?? '')
    .replace(TRAILING_MINUS_PATTERN, (signs) => '-minus'.repeat(Math.min(signs.length, 4)))
    .replace(SIGN_PATTERN, (sign) => WORD_BY_SIGN.get(sign) ?? `-${toHexadecimal(sign)}-`)

// Accents are no names of their own in Latin and Greek, and the stress in Cyrillic. Й is another letter than И.
const ACCENT_PATTERN =
  /(?<=[\p{Script=Latin}\p{Script=Greek}][\u0300-\u036f]*)[\u0300-\u036f]|(?<=\p{Script=Cyrillic})\u0301/gu
const OTHER_LETTER_PATTERN = /[\p{Script=Greek}\p{Script=Cyrillic}]/u

/** Letters of other scripts stay, because two of them can be spelled alike in Latin: мать and мат. */
function foldName(name: string): string {
  const letters = Array.from(name.normalize('NFKD').toLowerCase().replace(ACCENT_PATTERN, ''))
  return letters
    .map((letter) =>
      OTHER_LETTER_PATTERN.test(letter) ? letter : (TRANSLITERATION_BY_CHARACTER.get(letter) ?? letter),
    )
    .join('')
    .replaceAll('ς', 'σ')
}

/** FNV-1a, which is enough to number names of one beginning. */
function numberOf(text: string): string {
  let hash = 0x811c9dc5
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193) >>> 0
  return hash.toString()
}

/**
 * A slug by which a tag, a category or a status is found. Case, accents, spaces and punctuation make no difference; signs
 * do, and so do letters of other scripts and the end of a long name, which becomes a number.
 * @example slugifyName('⚠️ .NET') // '26a0-dot-net'
 */
export function slugifyName(name: string): string {
  const visible = name.replace(INVISIBLE_PATTERN, '').trim()
  const read = visible.slice(0, MAX_SLUG_INPUT_LENGTH)
  const slug = trimSlug(joinWords(foldName(spellSigns(read))), Number.POSITIVE_INFINITY)
  const whole = slug || Array.from(read || name.trim().slice(0, MAX_SLUG_INPUT_LENGTH), toHexadecimal).join('-')
  if (read.length === visible.length && Array.from(whole).length <= MAX_SLUG_LENGTH) return whole
  const number = numberOf(whole + visible.slice(MAX_SLUG_INPUT_LENGTH))
  return `${trimSlug(whole, MAX_SLUG_LENGTH - number.length - 1)}-${number}`
}
