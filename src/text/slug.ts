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

/**
 * Letters of scripts besides Latin, Greek and Cyrillic stay; a text without letters becomes hexadecimal code points.
 * @example slugify('Größe & Farbe, v2!') // 'grosse-and-farbe-v2'
 */
export function slugify(text: string): string {
  const letters = Array.from(
    text
      .slice(0, MAX_SLUG_INPUT_LENGTH)
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[\u0300-\u036f]/g, ''),
  )
  const spelled = letters.map((letter) => TRANSLITERATION_BY_CHARACTER.get(letter) ?? letter).join('')
  const words = spelled.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  const slug = Array.from(words.replace(/^-/, '')).slice(0, MAX_SLUG_LENGTH).join('').replace(/-$/, '')
  return (
    slug ||
    Array.from(text.trim(), (sign) => sign.codePointAt(0)?.toString(16))
      .slice(0, 8)
      .join('-')
  )
}
