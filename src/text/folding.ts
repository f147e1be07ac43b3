// The triggers of migrations/0060_search_words.sql fold a text for the search index in the same way.

/** Letters that Unicode does not decompose, and those that the tokenizer of the index keeps apart. */
export const FOLDED_LETTERS: readonly (readonly [letter: string, folded: string])[] =
  `ß ss,ẞ ss,æ ae,Æ ae,ǽ ae,Ǽ ae,œ oe,Œ oe,ø o,Ø o,ǿ o,Ǿ o,đ d,Đ d,ð d,Ð d,þ th,Þ th,ł l,Ł l,ħ h,Ħ h,ı i,ŋ n,Ŋ n,ŧ t,Ŧ t,ƒ f,ĳ ij,Ĳ ij,ə e,Ə e,ﬁ fi,ﬂ fl,
ά α,Ά α,έ ε,Έ ε,ή η,Ή η,ί ι,Ί ι,ϊ ι,Ϊ ι,ΐ ι,ό ο,Ό ο,ύ υ,Ύ υ,ϋ υ,Ϋ υ,ΰ υ,ώ ω,Ώ ω,ς σ,
ё е,Ё е,й и,Й и,ї і,Ї і,ў у,Ў у,ґ г,Ґ г,
أ ا,إ ا,آ ا,ٱ ا,ى ي,ی ي,ک ك,ة ه,\u0640 ,\u064b ,\u064c ,\u064d ,\u064e ,\u064f ,\u0650 ,\u0651 ,\u0652 ,\u0670 ,\u05b0 ,\u05b1 ,\u05b2 ,\u05b3 ,\u05b4 ,\u05b5 ,\u05b6 ,\u05b7 ,\u05b8 ,\u05b9 ,\u05bb ,\u05bc ,\u05c1 ,\u05c2 `
    .split(/,\n?/)
    .map((pair) => [pair.slice(0, 1), pair.slice(2).trim()])

const FOLDED_BY_LETTER = new Map(FOLDED_LETTERS)
const FOLDED_PATTERN = new RegExp(`[${FOLDED_LETTERS.map(([letter]) => letter).join('')}]`, 'gu')

/** Scripts whose words stand without spaces between them, and syllables of Korean. */
const UNSPACED = String.raw`\u{e00}-\u{fff}\u{1000}-\u{109f}\u{1100}-\u{11ff}\u{1780}-\u{17ff}\u{1950}-\u{19df}\u{1a20}-\u{1aaf}\u{1b00}-\u{1b7f}\u{2e80}-\u{2fdf}\u{3005}-\u{3007}\u{3021}-\u{3029}\u{3031}-\u{3035}\u{3041}-\u{31bf}\u{31f0}-\u{31ff}\u{3400}-\u{4dbf}\u{4e00}-\u{a4cf}\u{a960}-\u{a9df}\u{a9e0}-\u{a9ff}\u{aa60}-\u{aa7f}\u{ac00}-\u{d7ff}\u{f900}-\u{faff}\u{ff66}-\u{ffdc}\u{20000}-\u{3ffff}`
/** Emoji, currencies, operators and other pictures. */
const SYMBOLS = String.raw`\u{a9}\u{ae}\u{b1}\u{203c}\u{2049}\u{20a0}-\u{20c0}\u{2116}\u{2117}\u{2120}\u{2122}\u{2139}\u{2190}-\u{23ff}\u{24b6}-\u{24e9}\u{2500}-\u{27bf}\u{2900}-\u{297f}\u{2b00}-\u{2bff}\u{3030}\u{303d}\u{3297}\u{3299}\u{1f000}-\u{1faff}`

// Marks that join or color the pictures of an emoji.
const SYMBOL_TERM = String.raw`[${SYMBOLS}][${SYMBOLS}\ufe0e\ufe0f\u200d]*`
const WORD_TERM = String.raw`(?:(?<=^|[\s("])\.)?(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}])+[+#]*`
const TERM_PATTERN = new RegExp(`${SYMBOL_TERM}|[${UNSPACED}]+|${WORD_TERM}`, 'gu')
const SINGLE_PATTERN = new RegExp(`[${UNSPACED}]`, 'gu')
const SYMBOL_PATTERN = new RegExp(`[${SYMBOLS}]`, 'gu')

// Private characters, which the tokenizer keeps.
const PRIVATE_BY_SIGN = new Map([
  ['+', '\ue02b'],
  ['#', '\ue023'],
  ['.', '\ue02e'],
])
const PRIVATE_SYMBOL_OFFSET = 0xf0000

const narrow = (text: string): string =>
  text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))

export const foldLetters = (text: string): string =>
  text.replace(FOLDED_PATTERN, (letter) => FOLDED_BY_LETTER.get(letter) ?? '')

/** Words, runs of a script without spaces, and emoji. C++, C# and .NET keep their signs. */
export const matchSearchTerms = (text: string): IterableIterator<RegExpExecArray> => text.matchAll(TERM_PATTERN)

export const listSearchTerms = (text: string): string[] =>
  Array.from(matchSearchTerms(narrow(text.normalize('NFC'))), ([term]) => term)

/** Tokens of a term in the index, separated by spaces. */
export const toIndexedTerm = (term: string): string =>
  foldLetters(
    term
      .replace(
        SYMBOL_PATTERN,
        (sign) => ` ${String.fromCodePoint((sign.codePointAt(0) ?? 0) + PRIVATE_SYMBOL_OFFSET)} `,
      )
      .replace(/[+#.]/g, (sign) => ` ${PRIVATE_BY_SIGN.get(sign)} `)
      .replace(SINGLE_PATTERN, ' $& '),
  )
    .replace(/[\ufe0e\ufe0f\u200d]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()

const UNSPACED_START_PATTERN = new RegExp(`^[${UNSPACED}]`, 'u')
export const isUnspaced = (term: string): boolean => UNSPACED_START_PATTERN.test(term)
