import { valueAt } from './path'
import { type Provider, SENDERS } from './providers'

export const ACTIONS = ['upsert_work_item', 'create_feedback', 'insert_kpi_records'] as const
export type Action = (typeof ACTIONS)[number]

/** Field → a path into the payload, or `=` and a constant text. */
export type Mapping = Readonly<Record<string, string>>

export interface Target {
  type?: 'epic' | 'feature' | 'userstory' | undefined
  source?: string | undefined
  kpi?: string | undefined
}

export interface Doing {
  provider: Provider
  action: Action
  product: string
  target: Target
  mapping: Mapping
}

/** Either the request to send with the webhook's API key, or the reason for sending nothing. */
export type Plan =
  | { does: 'request'; method: 'PUT' | 'POST'; path: string; body: Record<string, unknown> | unknown[] }
  | { does: 'nothing'; why: string }

type Kind = 'text' | 'html' | 'line' | 'progress' | 'texts' | 'tags' | 'urls' | 'number' | 'any'

export const FIELDS: Record<Action, Readonly<Record<string, Kind>>> = {
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

const MAX_LINE = 500
const WORDS: Readonly<Record<string, string>> = {
  ...{ open: 'to-do', opened: 'to-do', reopened: 'to-do', new: 'to-do', todo: 'to-do', 'to do': 'to-do' },
  ...{ 'to-do': 'to-do', backlog: 'to-do', doing: 'in-progress', started: 'in-progress' },
  ...{ 'in-progress': 'in-progress', 'in progress': 'in-progress', indeterminate: 'in-progress' },
  ...{ done: 'done', closed: 'done', resolved: 'done', completed: 'done', complete: 'done' },
}

const said = (payload: unknown, from: string) => (from.startsWith('=') ? from.slice(1) : valueAt(payload, from))

const isText = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Collects the names in a list of texts or of objects with a name. */
function textsIn(value: unknown): string[] {
  const items = Array.isArray(value) ? value : [value]
  return items.flatMap((item) => {
    const named =
      item !== null && typeof item === 'object' ? (valueAt(item, '$.name') ?? valueAt(item, '$.title')) : item
    return isText(named) && String(named).trim() ? [String(named).trim()] : []
  })
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function htmlOf(text: string): string {
  const escaped = text.replace(/[&<>"]/g, (sign) => ESCAPED[sign] ?? '')
  return escaped
    .split(/\r?\n\s*\r?\n/)
    .map((part) => `<p>${part.trim().replace(/\r?\n/g, '<br>')}</p>`)
    .join('')
}

function taken(kind: Kind, value: unknown, provider: Provider): unknown {
  if (value === undefined || value === null || value === '') return undefined
  if (kind === 'any') return value
  if (kind === 'texts') return textsIn(value)
  if (kind === 'tags') return JSON.stringify(textsIn(value))
  if (kind === 'urls') return textsIn(value).map((url) => ({ url }))
  if (!isText(value)) return undefined
  const text = String(value)
  if (kind === 'number') return Number(text)
  if (kind === 'progress') return Object.hasOwn(WORDS, text.toLowerCase()) ? WORDS[text.toLowerCase()] : undefined
  if (kind === 'line') return text.replace(/\s+/g, ' ').trim().slice(0, MAX_LINE).toWellFormed()
  // Known providers send no HTML.
  return kind === 'html' && provider !== 'generic' ? htmlOf(text) : text
}

/** Merges the provider's default mapping with the webhook's mapping. */
function whole({ provider, action, mapping }: Doing): Mapping {
  const sender = SENDERS[provider]
  const known = { upsert_work_item: sender.item, create_feedback: sender.feedback, insert_kpi_records: {} }[action]
  return { ...known, ...mapping }
}

/** Plans the request for a payload, in time linear in the length of the payload. */
export function plan(doing: Doing, payload: unknown): Plan {
  const { provider, action, product, target } = doing
  const { ends } = SENDERS[provider]
  const end = ends && valueAt(payload, ends.at)
  if (typeof end === 'string' && ends?.as.includes(end))
    return nothing(`It tells of an end (${end}), and nothing ends here.`)
  const fields: Record<string, unknown> = {}
  for (const [name, from] of Object.entries(whole(doing))) {
    const kind = FIELDS[action][name]
    const value = kind && taken(kind, said(payload, from), provider)
    if (value !== undefined) fields[name] = value
  }
  switch (action) {
    case 'upsert_work_item': {
      const { externalId, ...rest } = fields
      if (externalId === undefined) return nothing('It names no item: there is nothing where externalId should be.')
      if (/^\.{1,2}$/.test(String(externalId))) return nothing('It names no item: dots alone are no id.')
      const source = target.source ?? (provider === 'generic' ? 'webhook' : provider)
      const path = `/api/initiatives/${product}/backlog/external/${source}/${encodeURIComponent(String(externalId))}`
      return { does: 'request', method: 'PUT', path, body: { type: target.type ?? 'userstory', ...rest } }
    }
    case 'create_feedback': {
      const { email, name, ...rest } = fields
      if (!rest.title) return nothing('It has no text where title should be.')
      const user = email === undefined ? {} : { user: { email, ...(name !== undefined && { name }) } }
      return { does: 'request', method: 'POST', path: '/api/feedback-items', body: { product, ...rest, ...user } }
    }
    case 'insert_kpi_records': {
      const { records, value, createdAt } = fields
      const rows = Array.isArray(records) ? records : value === undefined ? [] : [{ value, createdAt }]
      if (!rows.length) return nothing('It has no number where value should be, and no list where records should be.')
      const path = `/api/initiatives/${product}/kpi/${target.kpi}/insert-kpi-records`
      return { does: 'request', method: 'POST', path, body: rows }
    }
  }
}

const nothing = (why: string): Plan => ({ does: 'nothing', why })
