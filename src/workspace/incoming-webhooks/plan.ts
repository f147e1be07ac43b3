import { MAX_ATTRIBUTE_TEXT } from '../../text/attributes'
import { markdownToHtml } from '../../text/markdown'
import { toAddressId } from '../imports/address-id'
import { findItemType, findProgress, isPlainTypeName } from '../imports/foreign-names'
import { findValueAtPath } from './path'
import { PROVIDER_PROFILES, type WebhookProvider } from './providers'

export const WEBHOOK_ACTIONS = ['upsert_work_item', 'create_feedback', 'insert_kpi_records'] as const
export type WebhookAction = (typeof WEBHOOK_ACTIONS)[number]

/** Field → a path into the payload, or `=` and a constant text. */
export type PayloadMapping = Readonly<Record<string, string>>

export interface WebhookActionTarget {
  type?: 'epic' | 'feature' | 'userstory' | undefined
  source?: string | undefined
  kpi?: string | undefined
}

export interface PayloadPlanInput {
  provider: WebhookProvider
  action: WebhookAction
  product: string
  target: WebhookActionTarget
  mapping: PayloadMapping
}

export type PayloadPlan =
  | {
      does: 'request'
      method: 'PUT' | 'POST'
      path: string
      body: Record<string, unknown> | unknown[]
      /** Body for an item that an earlier delivery created with the type `userstory`. */
      bodyOfStory?: Record<string, unknown>
      /** The id that release 0.2 gave to the item, and the present id. */
      renamedId?: RenamedItemId
    }
  | { does: 'nothing'; why: string }

export interface RenamedItemId {
  source: string
  from: string
  to: string
}

type PayloadValueKind = 'text' | 'html' | 'line' | 'progress' | 'texts' | 'tags' | 'urls' | 'number' | 'any'

export const FIELDS_BY_WEBHOOK_ACTION: Record<WebhookAction, Readonly<Record<string, PayloadValueKind>>> = {
  upsert_work_item: {
    externalId: 'text',
    summary: 'line',
    description: 'html',
    progress: 'progress',
    externalProgress: 'text',
    color: 'text',
    businessGoal: 'text',
    startDate: 'text',
    endDate: 'text',
    tags: 'tags',
    urls: 'urls',
    jiraKey: 'text',
    estimate: 'text',
    businessValue: 'text',
    storyPoint: 'text',
    score: 'number',
  },
  create_feedback: {
    externalId: 'text',
    title: 'line',
    type: 'text',
    long_description: 'html',
    target_audience: 'text',
    value_proposition: 'text',
    tags: 'texts',
    email: 'text',
    name: 'text',
  },
  insert_kpi_records: { value: 'any', createdAt: 'any', records: 'any' },
}

const MAX_LINE_LENGTH = 500

const readPayloadField = (payload: unknown, from: string) =>
  from.startsWith('=') ? from.slice(1) : findValueAtPath(payload, from)

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

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

function toHtmlParagraphs(text: string): string {
  const escaped = text.replace(/[&<>"]/g, (sign) => HTML_ENTITIES[sign] ?? '')
  return escaped
    .split(/\r?\n\s*\r?\n/)
    .map((part) => `<p>${part.trim().replace(/\r?\n/g, '<br>')}</p>`)
    .join('')
}

function convertPayloadValue(kind: PayloadValueKind, value: unknown, provider: WebhookProvider): unknown {
  if (value === undefined || value === null || value === '') return undefined
  if (kind === 'any') return value
  if (kind === 'texts') return collectNames(value)
  if (kind === 'tags') return JSON.stringify(collectNames(value))
  if (kind === 'urls') return collectNames(value).map((url) => ({ url }))
  if (!isTextLike(value)) return undefined
  const text = String(value)
  if (kind === 'number') return Number(text)
  if (kind === 'progress') return findProgress(text)
  if (kind === 'line') return text.replace(/\s+/g, ' ').trim().slice(0, MAX_LINE_LENGTH).toWellFormed()
  // Known providers send no HTML.
  if (kind !== 'html' || provider === 'generic') return text
  return PROVIDER_PROFILES[provider].writesMarkdown ? markdownToHtml(text) : toHtmlParagraphs(text)
}

function mergePayloadMapping({ provider, action, mapping }: PayloadPlanInput): PayloadMapping {
  const sender = PROVIDER_PROFILES[provider]
  const known: PayloadMapping = {
    upsert_work_item: sender.workItemMapping,
    create_feedback: sender.ideaMapping,
    insert_kpi_records: {},
  }[action]
  // A title from elsewhere, like a comment of the issue, is another idea than the issue.
  const { externalId, ...withoutId } = known
  const isOtherIdea = action === 'create_feedback' && (mapping.title ?? known.title) !== known.title
  return { ...(isOtherIdea ? withoutId : known), ...mapping }
}

export function planRequestForPayload(doing: PayloadPlanInput, payload: unknown): PayloadPlan {
  const { provider, action, product, target } = doing
  const { endEvents } = PROVIDER_PROFILES[provider]
  const end = endEvents && findValueAtPath(payload, endEvents.at)
  if (typeof end === 'string' && endEvents?.as.includes(end))
    return ignorePayload(`The event (${end}) is ignored: the webhook removes nothing.`)
  const fields: Record<string, unknown> = {}
  for (const [name, from] of Object.entries(mergePayloadMapping(doing))) {
    const kind = FIELDS_BY_WEBHOOK_ACTION[action][name]
    const value = kind && convertPayloadValue(kind, readPayloadField(payload, from), provider)
    if (value !== undefined) fields[name] = value
  }
  // People's tags stay, unless a mapping of the user decides about tags.
  const tags = doing.mapping.tags === undefined && fields.tags !== undefined ? 'add' : undefined
  switch (action) {
    case 'upsert_work_item': {
      const { externalId: ownId, progress, ...rest } = fields
      const addressId = readAddressId(doing, payload)
      const externalId = addressId ?? ownId
      if (externalId === undefined) return ignorePayload('The payload has no value for externalId.')
      if (isOnlyDots(externalId)) return ignorePayload('The value for externalId has only dots, and is no id.')
      const source = sourceOfIds(doing)
      const path = `/api/initiatives/${product}/backlog/external/${source}/${encodeURIComponent(String(externalId))}`
      const status = rest.externalProgress
      const known = progress ?? (typeof status === 'string' ? findProgress(status) : undefined)
      const { type, attributes } = readIssueType(doing, payload)
      const body = { ...(known && { progress: known }), ...rest, ...(attributes && { attributes }) }
      return {
        ...{ does: 'request', method: 'PUT', path: path + toQuery({ attributes: attributes && 'merge', tags }) },
        body: { type, ...body },
        ...(type !== (target.type ?? 'userstory') && { bodyOfStory: { type: 'userstory', ...body } }),
        ...(addressId !== undefined &&
          ownId !== undefined && { renamedId: { source, from: String(ownId), to: addressId } }),
      }
    }
    case 'create_feedback': {
      const { externalId: ownId, email, name, ...rest } = fields
      if (!rest.title) return ignorePayload('The payload has no text for title.')
      const user = email === undefined ? {} : { user: { email, ...(name !== undefined && { name }) } }
      const externalId = ownId === undefined ? undefined : (readAddressId(doing, payload) ?? ownId)
      if (externalId !== undefined && !isOnlyDots(externalId)) {
        const path = `/api/feedback-items/external/${sourceOfIds(doing)}/${encodeURIComponent(String(externalId))}${toQuery({ product, tags })}`
        return { does: 'request', method: 'PUT', path, body: { ...rest, ...user } }
      }
      return { does: 'request', method: 'POST', path: '/api/feedback-items', body: { product, ...rest, ...user } }
    }
    case 'insert_kpi_records': {
      const { records, value, createdAt } = fields
      const rows = Array.isArray(records) ? records : value === undefined ? [] : [{ value, createdAt }]
      if (!rows.length) return ignorePayload('The payload has no number for value and no list for records.')
      const path = `/api/initiatives/${product}/kpi/${target.kpi}/insert-kpi-records`
      return { does: 'request', method: 'POST', path, body: rows }
    }
  }
}

// A path drops segments of dots.
const isOnlyDots = (id: unknown): boolean => /^\.{1,2}$/.test(String(id))

const sourceOfIds = ({ provider, target }: PayloadPlanInput): string =>
  target.source ?? (provider === 'generic' ? 'webhook' : provider)

/** A mapping of the user decides about the id. */
function readAddressId({ provider, mapping }: PayloadPlanInput, payload: unknown): string | undefined {
  const { addressAt } = PROVIDER_PROFILES[provider]
  return addressAt === undefined || mapping.externalId !== undefined
    ? undefined
    : toAddressId(findValueAtPath(payload, addressAt))
}

/** The type and the word for it, as an import of a file reads them. */
function readIssueType({ provider, target }: PayloadPlanInput, payload: unknown) {
  const { issueTypeAt } = PROVIDER_PROFILES[provider]
  const name = issueTypeAt && findValueAtPath(payload, issueTypeAt)
  const word = typeof name === 'string' ? name.trim() : ''
  const found = word === '' ? undefined : findItemType(word)
  const type = target.type ?? (found === 'epic' || found === 'feature' ? found : 'userstory')
  const isKept = word !== '' && !isPlainTypeName(word) && word.length <= MAX_ATTRIBUTE_TEXT
  return { type, attributes: isKept ? { issueType: word } : undefined }
}

function toQuery(values: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  return pairs.length ? `?${pairs.join('&')}` : ''
}

const ignorePayload = (why: string): PayloadPlan => ({ does: 'nothing', why })
