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
  if (kind === 'attribute' && typeof value !== 'string') return isTextLike(value) ? value : undefined
  if (kind === 'html' && isAdf(value)) return adfToHtml(value)
  if (!isTextLike(value)) return undefined
  const text = String(value)
  if (kind === 'number') return Number(text)
  if (kind === 'progress') return findProgress(text)
  if (kind === 'attribute') return toOneLine(text).slice(0, MAX_ATTRIBUTE_TEXT).toWellFormed() || undefined
  if (kind === 'line') return text.replace(/\s+/g, ' ').trim().slice(0, MAX_LINE_LENGTH).toWellFormed()
  // Known providers send no HTML.
  if (kind !== 'html' || provider === 'generic') return text
  return PROVIDER_PROFILES[provider].writesMarkdown ? markdownToHtml(text) : toHtmlParagraphs(text)
}
