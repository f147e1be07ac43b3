import { isKnownItemType, parseItemType } from '../../feedback/imports/values'
import { normalizeEmail } from '../../http/schemas'
import { toAddressId } from '../../text/address-id'
import { MAX_ATTRIBUTE_TEXT, toOneLine } from '../../text/attributes'
import { adfToHtml, isAdf } from '../../text/html/adf'
import { markdownToHtml } from '../../text/html/markdown'
import { toParagraphs } from '../../text/html/paragraphs'
import { parseIsoMoment } from '../../text/moments'
import { findProgress } from '../imports/foreign-names'
import { findValueAtPath } from './path'
import { PROVIDER_PROFILES, type WebhookProvider } from './providers'

export type PayloadValueKind =
  | 'text'
  | 'html'
  | 'line'
  | 'progress'
  | 'texts'
  | 'tags'
  | 'urls'
  | 'number'
  | 'attribute'
  | 'parent'
  | 'addresses'
  | 'address'
  | 'ideaType'
  | 'flag'
  | 'moment'
  | 'any'

const MAX_LINE_LENGTH = 500

const isTextLike = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Names of a list of texts or of objects with a name or a title, or of one of them. */
export function collectNames(value: unknown): string[] {
  const items = Array.isArray(value) ? value : [value]
  return items.flatMap((item) => {
    const named =
      item !== null && typeof item === 'object'
        ? (findValueAtPath(item, '$.name') ?? findValueAtPath(item, '$.title'))
        : item
    return isTextLike(named) && String(named).trim() ? [String(named).trim()] : []
  })
}

// An issue of GitLab has up to 200 assignees.
const MAX_ASSIGNEES = 200

/** Addresses of people, each a text or an object. Senders hide addresses, hence people without an address. */
function collectAddresses(value: unknown): string[] {
  const people = Array.isArray(value) ? value : [value]
  const addresses = people.flatMap((person) => {
    const address =
      person !== null && typeof person === 'object'
        ? (findValueAtPath(person, '$.emailAddress') ?? findValueAtPath(person, '$.email'))
        : person
    return (typeof address === 'string' && normalizeEmail(address)) || []
  })
  return [...new Set(addresses)].slice(0, MAX_ASSIGNEES)
}

/** The API of GitHub names the parent, and the address on the site identifies an issue. */
const toParentId = (text: string): string => {
  const address = text
    .replace(/^https:\/\/api\.github\.com\/repos\//, 'https://github.com/')
    .replace(/\/api\/v3\/repos\//, '/')
  return toAddressId(address) ?? text
}

const OFF_WORDS = new Set(['', '0', 'false', 'no', 'off', 'null'])

/** An object, like a restriction of readers, says yes too. */
const readFlag = (value: unknown): boolean =>
  isTextLike(value) ? !OFF_WORDS.has(String(value).trim().toLowerCase()) : Object.keys(Object(value)).length > 0

// Unix times in seconds have ten digits until the year 2286.
const MAX_UNIX_SECONDS = 9_999_999_999

/** Milliseconds of an ISO 8601 text, a text like `2013-12-03 17:15:43 UTC`, or a Unix time in seconds or milliseconds. */
export function parsePayloadMoment(value: unknown): number | undefined {
  if (typeof value !== 'number') return parseIsoMoment(String(value).trim().replace(/ UTC$/, 'Z'))
  return parseIsoMoment(toIsoOrEmpty(Math.abs(value) > MAX_UNIX_SECONDS ? value : value * 1_000))
}

const toIsoOrEmpty = (at: number): string => (Number.isNaN(new Date(at).getTime()) ? '' : new Date(at).toISOString())

/** An unknown type of issue says nothing about the idea. A wrong word of a generic sender is refused. */
function readIdeaType(word: string, provider: WebhookProvider): string | undefined {
  if (word === PROVIDER_PROFILES[provider].plainIssueType) return undefined
  if (isKnownItemType(word)) return parseItemType(word)
  return provider === 'generic' ? word : undefined
}

export function convertPayloadValue(kind: PayloadValueKind, value: unknown, provider: WebhookProvider): unknown {
  if (value === undefined || value === null || value === '') return undefined
  if (kind === 'any') return value
  if (kind === 'texts') return collectNames(value)
  if (kind === 'tags') return JSON.stringify(collectNames(value))
  if (kind === 'urls') return collectNames(value).map((url) => ({ url }))
  if (kind === 'addresses') return collectAddresses(value)
  if (kind === 'address') return collectAddresses(value)[0]
  if (kind === 'flag') return readFlag(value)
  if (kind === 'attribute' && typeof value !== 'string') return isTextLike(value) ? value : undefined
  if (kind === 'html' && isAdf(value)) return adfToHtml(value)
  if (!isTextLike(value)) return undefined
  const text = String(value)
  if (kind === 'parent') return toParentId(text)
  if (kind === 'number') return Number(text)
  if (kind === 'moment') return parsePayloadMoment(value)
  if (kind === 'ideaType') return readIdeaType(text, provider)
  if (kind === 'progress') return findProgress(text)
  if (kind === 'attribute') return toOneLine(text).slice(0, MAX_ATTRIBUTE_TEXT).toWellFormed() || undefined
  if (kind === 'line') return text.replace(/\s+/g, ' ').trim().slice(0, MAX_LINE_LENGTH).toWellFormed()
  // Known providers send no HTML.
  if (kind !== 'html' || provider === 'generic') return text
  return PROVIDER_PROFILES[provider].writesMarkdown ? markdownToHtml(text) : toParagraphs(text)
}
