import * as z from 'zod'
import { toHundredths } from '../text/decimals'
import { isJson } from '../text/json'
import { readMoment } from '../text/moments'

/** How the key of a product is spelled, which its makers choose. */
export const PRODUCT_KEY = /^[A-Z]{2,4}-[A-Z0-9]{1,12}$/

/** Text of up to `max` characters. In a longer one nothing else is checked: what reads it may count on its length. */
export const text = (max: number) => z.string().max(max, { abort: true })

/** One line of text, trimmed. */
export const line = (max: number) => z.string().trim().max(max, { abort: true }).min(1, 'Must not be empty')

/** JSON in a text, as it was sent; within the caps of a body, so that nothing goes around those in a text. */
export const jsonText = (max: number, is: (value: unknown) => boolean, error: string) =>
  text(max).refine((value) => isJson(value, is), error)

/** A path under a product. */
export const ProductParams = z.object({
  product_external_key: text(20)
    .min(1)
    .meta({ pattern: PRODUCT_KEY.source, description: "The product's external key.", example: 'GW-DEMO' }),
})

/** How a key is spelled that the service counts under a prefix, like EP-1. */
export const countedKey = (prefix: string) => new RegExp(`^${prefix}-[1-9]\\d{0,14}$`)

/** Such a key in a path. The document has its pattern; what is spelled otherwise is nowhere, and so a 404 like any other. */
export const externalKey = (prefix: string, description: string) =>
  text(30)
    .min(1)
    .meta({ pattern: countedKey(prefix).source, description, example: `${prefix}-1` })

// Plain digits alone: 0x1, 01 and 1e0 would be further addresses of record 1.
const INTEGER = /^(?:0|-?[1-9]\d{0,15})$/

/** A whole number in a path or a query. */
export const integer = ({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = {}) =>
  z.preprocess(
    (text) => (typeof text === 'string' && INTEGER.test(text) ? Number(text) : text),
    z
      .int({ error: 'Must be a whole number in plain digits, like 7' })
      .min(min, `Must be ${min} or more`)
      .max(max, `Must be ${max} or less`),
  )

const LINKED = new Set(['http:', 'https:', 'mailto:'])

/** An address that a page may link to: as a browser reads it, which passes over line breaks and the like. */
export const webAddress = () =>
  line(2_048)
    .refine((url) => URL.canParse(url) && LINKED.has(new URL(url).protocol), 'Must be an http, https or mailto address')
    .meta({ format: 'uri' })

/** HTML, sanitised on write: 262,144 characters, and what `text/html.ts` allows once that is done. */
export const html = () =>
  text(262_144).meta({ description: 'HTML; sanitised when it is stored, at most 512 KiB then, and 128 elements deep.' })

// Longer than any way to write a moment in.
const MAX_MOMENT = 100

/** A moment in a request: any ISO 8601 date or timestamp. Milliseconds inside. */
export const moment = () =>
  z
    .union([z.iso.datetime({ offset: true, local: true }).max(MAX_MOMENT), z.iso.date().max(MAX_MOMENT)], {
      error: 'Must be an ISO 8601 timestamp, like 2026-01-31T09:00:00.000Z',
    })
    .transform((value, context) => {
      const at = readMoment(value)
      if (at !== undefined) return at
      context.addIssue({ code: 'custom', message: 'Must lie in the years 0000 to 9999 in UTC' })
      return z.NEVER
    })

/** ISO 8601, UTC, with milliseconds. */
export const Timestamp = z.string().meta({ format: 'date-time', examples: ['2026-01-31T09:00:00.000Z'] })

const MAX_EMAIL = 254

/** An e-mail address, trimmed and lower-cased. */
export const EmailAddress = z
  .string()
  .trim()
  .max(MAX_EMAIL, { abort: true })
  .pipe(z.email({ error: 'Must be an e-mail address, like ada@example.com' }).toLowerCase())

/** What `EmailAddress` makes of a text, or undefined where it refuses: for thousands of addresses in one request. */
export function normalAddress(text: string): string | undefined {
  const address = text.trim()
  return address.length <= MAX_EMAIL && z.regexes.email.test(address) ? address.toLowerCase() : undefined
}

/** A decimal in a request, as text or a number. Integer hundredths inside. */
export const decimal = () =>
  z.union([text(50), z.number()]).transform((value, context) => {
    const hundredths = toHundredths(value)
    if (hundredths !== undefined) return hundredths
    context.addIssue({ code: 'custom', message: 'Must be a decimal number within ±90071992547409.91, like "12.50"' })
    return z.NEVER
  })
