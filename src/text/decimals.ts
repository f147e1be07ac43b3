const TWO_DIGIT_TEXTS = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'))

/** Converts integer hundredths to decimal text with two places, exactly: -1205 → "-12.05". */
export function toDecimalText(hundredths: number): string {
  const amount = Math.abs(hundredths)
  const cents = amount % 100
  return `${hundredths < 0 ? '-' : ''}${(amount - cents) / 100}.${TWO_DIGIT_TEXTS[cents]}`
}

const MAX_HUNDREDTHS = 9_007_199_254_740_991n

/** Rounds half away from zero. Undefined for anything but a finite decimal within ±90,071,992,547,409.91. */
export function toHundredths(value: string | number): number | undefined {
  const text = String(value)
  return parsePlainHundredths(text) ?? parseAnyHundredths(text.trim())
}

// Hundredths of up to 13 digits before the point stay exact in a number.
const MAX_PLAIN_DIGITS = 13

/** Avoids regular expressions, because files hold 100,000 decimals. */
function parsePlainHundredths(text: string): number | undefined {
  const { length } = text
  const negative = text.charCodeAt(0) === 45
  let at = negative ? 1 : 0
  const first = at
  let sum = 0
  for (; at < length; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) break
    sum = sum * 10 + digit
  }
  if (at === first || at - first > MAX_PLAIN_DIGITS) return undefined
  sum *= 100
  if (at < length) {
    if (text.charCodeAt(at) !== 46) return undefined
    for (let place = 1; ++at < length; place++) {
      const digit = text.charCodeAt(at) - 48
      if (!(digit >= 0 && digit <= 9)) return undefined
      if (place === 1) sum += digit * 10
      else if (place === 2) sum += digit
      else if (place === 3 && digit >= 5) sum += 1
    }
  }
  return negative && sum ? -sum : sum
}

// A number has at most 17 significant digits; a longer text is an attack on the arithmetic.
const MAX_DECIMAL_DIGITS = 400
export const MAX_DECIMAL_TEXT_LENGTH = 1_000

function parseAnyHundredths(text: string): number | undefined {
  if (text.length > MAX_DECIMAL_TEXT_LENGTH) return undefined
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text)
  if (!match || !(match[2] || match[3])) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = (whole + fraction).replace(/^0+(?=\d)/, '')
  if (digits.length > MAX_DECIMAL_DIGITS) return undefined
  if (digits === '0') return 0
  const integerDigits = digits.length - fraction.length + Number(exponent) + 2
  if (integerDigits > 18) return undefined
  if (integerDigits < 0) return 0
  const integral = BigInt(digits.slice(0, integerDigits).padEnd(integerDigits, '0') || '0')
  const rounded = integral + (Number(digits[integerDigits] ?? 0) >= 5 ? 1n : 0n)
  if (rounded > MAX_HUNDREDTHS) return undefined
  return Number(sign === '-' ? -rounded : rounded)
}
