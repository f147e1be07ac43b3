import * as z from 'zod'
import { EMAIL_PATTERN, toAsciiAddress } from '../text/addresses'
import { toHundredths } from '../text/decimals'
import { isValidJsonText } from '../text/json'
import { parseIsoMoment } from '../text/moments'

export const PRODUCT_KEY_PATTERN = /^[A-Z]{2,4}-[A-Z0-9]{1,12}$/

/** Text of up to `max` characters. A longer text skips further checks, because later checks rely on the length. */
export const text = (max: number) => z.string().max(max, { abort: true })

export const line = (max: number) => z.string().trim().max(max, { abort: true }).min(1, 'Must not be empty')

/** JSON inside a text, kept as sent. The limits of a JSON body apply, to close a way around the limits. */
export const jsonText = (max: number, is: (value: unknown) => boolean, error: string) =>
  text(max).refine((value) => isValidJsonText(value, is), error)

export const ProductParams = z.object({
  product_external_key: text(20)
    .min(1)
    .meta({ pattern: PRODUCT_KEY_PATTERN.source, description: "The product's external key.", example: 'GW-DEMO' }),
})

export const numberedKeyPattern = (prefix: string) => new RegExp(`^${prefix}-[1-9]\\d{0,14}$`)

/** A numbered key in a path. The pattern is only documented: a key of another form is an ordinary 404. */
export const externalKey = (prefix: string, description: string) =>
  text(30)
    .min(1)
    .meta({ pattern: numberedKeyPattern(prefix).source, description, example: `${prefix}-1` })

// Plain digits only, because 0x1, 01 and 1e0 would be further URLs of record 1.
const INTEGER_PATTERN = /^(?:0|-?[1-9]\d{0,15})$/

export const integer = ({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = {}) =>
  z.preprocess(
    (text) => (typeof text === 'string' && INTEGER_PATTERN.test(text) ? Number(text) : text),
    z
      .int({ error: 'Must be a whole number in plain digits, like 7' })
      .min(min, `Must be ${min} or more`)
      .max(max, `Must be ${max} or less`),
  )

// A search for more values is a list without a filter.
const MAX_FILTER_VALUES = 20

/** Values of a filter separated by commas: a record with any of the values matches. */
export const severalOf = <V extends z.ZodType<string>>(value: V) =>
  z.preprocess(
    (sent) => (typeof sent === 'string' ? [...new Set(sent.split(',').map((one) => one.trim()))] : sent),
    z.array(value).min(1).max(MAX_FILTER_VALUES),
  )

/** Like `severalOf`, for texts that can have commas: the whole text is a further value. */
export const severalTexts = (max: number) =>
  z.preprocess(
    (sent) => {
      if (typeof sent !== 'string' || !sent.includes(',')) return sent === undefined ? sent : [sent]
      const parts = new Set(sent.split(',').map((one) => one.trim()))
      parts.delete('')
      return [...parts, ...(sent.length <= max && parts.size < MAX_FILTER_VALUES ? [sent] : [])]
    },
    z.array(text(max).min(1)).min(1).max(MAX_FILTER_VALUES),
  )

const LINK_PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])

/** A link target, read like a browser reads a URL (ignoring line breaks, for example). */
export const webAddress = () =>
  line(2_048)
    .refine(
      (url) => URL.canParse(url) && LINK_PROTOCOLS.has(new URL(url).protocol),
      'Must be an http, https or mailto address',
    )
    .meta({ format: 'uri' })

/** Characters of sanitized HTML, which may be longer than the HTML that a client sends. */
export const MAX_STORED_HTML_CHARACTERS = 524_288

export const html = () =>
  text(262_144).meta({
    description: 'HTML. The stored HTML is sanitized, with at most 512 KiB and 128 nested elements.',
  })

const MAX_MOMENT_LENGTH = 100

export const moment = () =>
  z
    .union(
      [z.iso.datetime({ offset: true, local: true }).max(MAX_MOMENT_LENGTH), z.iso.date().max(MAX_MOMENT_LENGTH)],
      {
        error: 'Must be an ISO 8601 timestamp, like 2026-01-31T09:00:00.000Z',
      },
    )
    .transform((value, context) => {
      const at = parseIsoMoment(value)
      if (at !== undefined) return at
      context.addIssue({ code: 'custom', message: 'Must lie in the years 0000 to 9999 in UTC' })
      return z.NEVER
    })

type DatesOf<S extends string, E extends string> = { [N in S | E]?: number | null | undefined }

/** A write compares a single date with the stored date. */
export const datesInOrder = <S extends string, E extends string>(
  start: S,
  end: E,
  startName: string = start,
): [(dates: DatesOf<S, E>) => boolean, { path: string[]; error: string }] => [
  ({ [start]: from, [end]: to }) => from == null || to == null || from <= to,
  { path: [end], error: `Must not be before ${startName}` },
]

/** A text of a closed set in a response. The row type of the database is a text. */
export const storedValue = (values: readonly string[]) => z.string().meta({ enum: [...values] })

export const Timestamp = z.string().meta({ format: 'date-time', examples: ['2026-01-31T09:00:00.000Z'] })

const MAX_EMAIL_LENGTH = 254

const EMAIL_MESSAGE = 'Must be an e-mail address, like ada@example.com'

export const EmailAddress = z
  .string()
  .overwrite(toAsciiAddress)
  .max(MAX_EMAIL_LENGTH, { abort: true })
  .pipe(z.email({ pattern: EMAIL_PATTERN, error: EMAIL_MESSAGE }).toLowerCase())

/** Fast version of `EmailAddress` for thousands of addresses in a request; undefined for an invalid address. */
export function normalizeEmail(text: string): string | undefined {
  const address = toAsciiAddress(text)
  return address.length <= MAX_EMAIL_LENGTH && EMAIL_PATTERN.test(address) ? address.toLowerCase() : undefined
}

export const decimal = () =>
  z.union([text(50), z.number()]).transform((value, context) => {
    const hundredths = toHundredths(value)
    if (hundredths !== undefined) return hundredths
    context.addIssue({ code: 'custom', message: 'Must be a decimal number within ±90071992547409.91, like "12.50"' })
    return z.NEVER
  })

/** Scheme, host and port, as browsers send an origin. */
export const BrowserOrigin = text(300).refine(
  (origin) => URL.canParse(origin) && /^https?:$/.test(new URL(origin).protocol) && new URL(origin).origin === origin,
  {
    error: 'Must be an origin such as https://app.example.com: scheme, host and port, in lower case, without a path.',
  },
)
