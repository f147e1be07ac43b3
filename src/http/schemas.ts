import * as z from 'zod'

/** A path under a product. */
export const ProductParams = z.object({
  product_external_key: z
    .string()
    .min(1)
    .max(20)
    .meta({ description: "The product's external key.", example: 'GW-DEMO' }),
})

// Plain digits alone: 0x1, 01 and 1e0 would be further addresses of record 1.
const INTEGER = /^(?:0|-?[1-9]\d{0,15})$/

/** A whole number in a path or a query. */
export const integer = ({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = {}) =>
  z.preprocess(
    (text) => (typeof text === 'string' && INTEGER.test(text) ? Number(text) : text),
    z.int({ error: 'Must be a whole number in plain digits, like 7' }).min(min).max(max),
  )

/** One line of text, trimmed. */
export const line = (max: number) => z.string().trim().min(1, 'Must not be empty').max(max)

/** Text of up to `max` characters. */
export const text = (max: number) => z.string().max(max)

/** HTML, sanitised on write: 262,144 characters, and what `text/html.ts` allows once that is done. */
export const html = () =>
  z.string().max(262_144).meta({ description: 'HTML; sanitised when it is stored, and at most 512 KiB then.' })

// Years that four digits write: ISO 8601 has no others unless both sides agree.
const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

/** A moment in a request: any ISO 8601 date or timestamp. Milliseconds inside. */
export const moment = () =>
  z
    .union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
      error: 'Must be an ISO 8601 timestamp, like 2026-01-31T09:00:00.000Z',
    })
    .transform((value, context) => {
      const at = Date.parse(/[Zz]|[+-]\d\d:?\d\d$|^\d{4}-\d\d-\d\d$/.test(value) ? value : `${value}Z`)
      if (at >= FIRST_MOMENT && at <= LAST_MOMENT) return at
      context.addIssue({ code: 'custom', message: 'Must lie in the years 0000 to 9999 in UTC' })
      return z.NEVER
    })

/** ISO 8601, UTC, with milliseconds. */
export const Timestamp = z.string().meta({ format: 'date-time', examples: ['2026-01-31T09:00:00.000Z'] })

const DAY = 86_400_000
const TWO_DIGITS = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'))

// Lists and records share their days: a remembered one costs a tenth of what Date asks for a moment.
const dates = new Map<number, string>()
const MAX_DATES = 10_000

/** `2026-01-31T` for days since 1970. */
function dateOf(day: number): string {
  let date = dates.get(day)
  if (date === undefined) {
    if (dates.size >= MAX_DATES) dates.clear()
    date = new Date(day * DAY).toISOString().slice(0, -13)
    dates.set(day, date)
  }
  return date
}

/** Milliseconds → ISO 8601. */
export function iso(at: number): string
export function iso(at: number | null): string | null
export function iso(at: number | null): string | null {
  if (at === null) return null
  const day = Math.floor(at / DAY)
  const ms = at - day * DAY
  const hours = TWO_DIGITS[Math.floor(ms / 3_600_000)]
  const minutes = TWO_DIGITS[Math.floor(ms / 60_000) % 60]
  const seconds = TWO_DIGITS[Math.floor(ms / 1_000) % 60]
  return `${dateOf(day)}${hours}:${minutes}:${seconds}.${String(ms % 1_000).padStart(3, '0')}Z`
}

const MAX_EMAIL = 254

/** An e-mail address, trimmed and lower-cased. */
export const Email = z
  .string()
  .trim()
  .max(MAX_EMAIL)
  .pipe(z.email({ error: 'Must be an e-mail address, like ada@example.com' }).toLowerCase())

/** What `Email` makes of a text, or undefined where it refuses: for thousands of addresses in one request. */
export function normalEmail(text: string): string | undefined {
  const address = text.trim()
  return address.length <= MAX_EMAIL && z.regexes.email.test(address) ? address.toLowerCase() : undefined
}

/** Integer hundredths → decimal text with two places: -1205 → "-12.05". Exact. */
export function decimalText(hundredths: number): string {
  const amount = Math.abs(hundredths)
  const cents = amount % 100
  return `${hundredths < 0 ? '-' : ''}${(amount - cents) / 100}.${TWO_DIGITS[cents]}`
}

const MAX_HUNDREDTHS = 9_007_199_254_740_991n

/**
 * Decimal text or a number → integer hundredths, rounded half away from zero; undefined when it is not a finite decimal
 * within ±90,071,992,547,409.91.
 */
export function toHundredths(value: string | number): number | undefined {
  const text = String(value)
  return plainHundredths(text) ?? anyHundredths(text.trim())
}

// Hundredths of up to 13 digits before the point stay exact in a number.
const PLAIN_DIGITS = 13

/** The common form, digits with a point among them, without a regular expression: files bring 100,000 of them. */
function plainHundredths(text: string): number | undefined {
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
  if (at === first || at - first > PLAIN_DIGITS) return undefined
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

// A number has at most 17 digits that count; more than this is an attack on the arithmetic.
const MAX_DIGITS = 400
/** A longer text is no decimal, and is not searched for one. Characters. */
export const MAX_DECIMAL_TEXT = 1_000

function anyHundredths(text: string): number | undefined {
  if (text.length > MAX_DECIMAL_TEXT) return undefined
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text)
  if (!match || !(match[2] || match[3])) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = (whole + fraction).replace(/^0+(?=\d)/, '')
  if (digits.length > MAX_DIGITS) return undefined
  if (digits === '0') return 0
  // How many of the digits stand before the place of the hundredths.
  const kept = digits.length - fraction.length + Number(exponent) + 2
  if (kept > 18) return undefined
  if (kept < 0) return 0
  const integral = BigInt(digits.slice(0, kept).padEnd(kept, '0') || '0')
  const rounded = integral + (Number(digits[kept] ?? 0) >= 5 ? 1n : 0n)
  if (rounded > MAX_HUNDREDTHS) return undefined
  return Number(sign === '-' ? -rounded : rounded)
}

/** A decimal in a request, as text or a number. Integer hundredths inside. */
export const decimal = () =>
  z.union([z.string().max(50), z.number()]).transform((value, context) => {
    const hundredths = toHundredths(value)
    if (hundredths !== undefined) return hundredths
    context.addIssue({ code: 'custom', message: 'Must be a decimal number within ±90071992547409.91, like "12.50"' })
    return z.NEVER
  })
