import { normalizeEmail } from '../../http/schemas'
import { toAddressId } from '../../text/address-id'
import { adfToHtml, isAdf } from '../../text/adf'
import { MAX_ATTRIBUTE_TEXT, toOneLine } from '../../text/attributes'
import { escapeHtml } from '../../text/escape'
import { markdownToHtml } from '../../text/markdown'
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
  | 'any'

const MAX_LINE_LENGTH = 500

const isTextLike = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

function collectNames(value: unknown): string[] {
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

function toHtmlParagraphs(text: string): string {
  return escapeHtml(text)
    .split(/\r?\n\s*\r?\n/)
    .map((part) => `<p>${part.trim().replace(/\r?\n/g, '<br>')}</p>`)
    .join('')
}

export function convertPayloadValue(kind: PayloadValueKind, value: unknown, provider: WebhookProvider): unknown {
  if (value === undefined || value === null || value === '') return undefined
  if (kind === 'any') return value
  if (kind === 'texts') return collectNames(value)
  if (kind === 'tags') return JSON.stringify(collectNames(value))
  if (kind === 'urls') return collectNames(value).map((url) => ({ url }))
  if (kind === 'addresses') return collectAddresses(value)
  if (kind === 'attribute' && typeof value !== 'string') return isTextLike(value) ? value : undefined
  if (kind === 'html' && isAdf(value)) return adfToHtml(value)
  if (!isTextLike(value)) return undefined
  const text = String(value)
  if (kind === 'parent') return toParentId(text)
  if (kind === 'number') return Number(text)
  if (kind === 'progress') return findProgress(text)
  if (kind === 'attribute') return toOneLine(text).slice(0, MAX_ATTRIBUTE_TEXT).toWellFormed() || undefined
  if (kind === 'line') return text.replace(/\s+/g, ' ').trim().slice(0, MAX_LINE_LENGTH).toWellFormed()
  // Known providers send no HTML.
  if (kind !== 'html' || provider === 'generic') return text
  return PROVIDER_PROFILES[provider].writesMarkdown ? markdownToHtml(text) : toHtmlParagraphs(text)
}
