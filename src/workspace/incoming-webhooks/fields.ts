import type { AttributeValue } from '../../text/attributes'
import { findValueAtPath } from './path'
import { PROVIDER_PROFILES, type WebhookProvider } from './providers'
import { convertPayloadValue, type PayloadValueKind } from './values'

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
  /** Accounts of the sender whose events are left out. */
  exceptAuthors: readonly string[]
}

const COMMENT_FIELDS = {
  'comment.id': 'text',
  'comment.text': 'html',
  'comment.author': 'address',
  'comment.authorName': 'line',
  'comment.isPrivate': 'flag',
  'comment.parent': 'text',
  'comment.createdAt': 'moment',
  'comment.changedAt': 'moment',
  'comment.removed': 'flag',
} as const

/** Fields of the record's history in the other system. */
const HISTORY_FIELDS = { changedAt: 'moment', removed: 'flag', author: 'text' } as const

export const FIELDS_BY_WEBHOOK_ACTION: Record<WebhookAction, Readonly<Record<string, PayloadValueKind>>> = {
  upsert_work_item: {
    externalId: 'text',
    summary: 'line',
    description: 'html',
    type: 'line',
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
    parent: 'parent',
    assignees: 'addresses',
    ...HISTORY_FIELDS,
    ...COMMENT_FIELDS,
  },
  create_feedback: {
    externalId: 'text',
    title: 'line',
    type: 'ideaType',
    long_description: 'html',
    target_audience: 'text',
    value_proposition: 'text',
    tags: 'texts',
    email: 'text',
    name: 'text',
    ...HISTORY_FIELDS,
    ...COMMENT_FIELDS,
  },
  insert_kpi_records: { value: 'any', createdAt: 'any', records: 'any', author: 'text' },
}

export const readPayloadField = (payload: unknown, from: string) =>
  from.startsWith('=') ? from.slice(1) : findValueAtPath(payload, from)

/** Of GitLab, an event of a comment has the comment in place of the issue, and the issue beside it. */
const readsIssueBesideComment = (from: string) => from.replace(/^\$\.object_attributes(?=[.[]|$)/, '$.issue')

function mergePayloadMapping({ provider, action, mapping }: PayloadPlanInput, isOfComment: boolean): PayloadMapping {
  const sender = PROVIDER_PROFILES[provider]
  const known: PayloadMapping = {
    upsert_work_item: sender.workItemMapping,
    create_feedback: sender.ideaMapping,
    insert_kpi_records: {},
  }[action]
  // A title from elsewhere, like a comment of the issue, is another idea than the issue.
  const { externalId, ...withoutId } = known
  const isOtherIdea = action === 'create_feedback' && (mapping.title ?? known.title) !== known.title
  const merged: PayloadMapping = { ...(isOtherIdea ? withoutId : known), ...mapping }
  if (!isOfComment || !sender.commentReplacesIssue) return merged
  const moved = Object.entries(merged).map(([field, from]) => [
    field,
    isCommentField(field) ? from : readsIssueBesideComment(from),
  ])
  return Object.fromEntries(moved) as PayloadMapping
}

export const isCommentField = (field: string): boolean => field.startsWith('comment.')

const ATTRIBUTE_PREFIX = 'attributes.'

/** Name of the attribute that a field like `attributes.priority` maps; undefined for other fields. */
export const findMappedAttribute = (action: WebhookAction, field: string): string | undefined =>
  action === 'upsert_work_item' && field.startsWith(ATTRIBUTE_PREFIX) ? field.slice(ATTRIBUTE_PREFIX.length) : undefined

export interface PayloadFields {
  fields: Readonly<Record<string, unknown>>
  attributes: Readonly<Record<string, AttributeValue>>
}

/** `isOfComment`: the payload is about a comment that becomes a comment. */
export function readFields(doing: PayloadPlanInput, payload: unknown, isOfComment: boolean): PayloadFields {
  const fields: Record<string, unknown> = {}
  const attributes: Record<string, AttributeValue> = {}
  for (const [name, from] of Object.entries(mergePayloadMapping(doing, isOfComment))) {
    const attribute = findMappedAttribute(doing.action, name)
    const kind = attribute === undefined ? FIELDS_BY_WEBHOOK_ACTION[doing.action][name] : 'attribute'
    const value = kind && convertPayloadValue(kind, readPayloadField(payload, from), doing.provider)
    if (value === undefined) continue
    if (attribute === undefined) fields[name] = value
    else attributes[attribute] = value as AttributeValue
  }
  return { fields, attributes }
}

export const sourceOfIds = ({ provider, target }: Pick<PayloadPlanInput, 'provider' | 'target'>): string =>
  target.source ?? (provider === 'generic' ? 'webhook' : provider)
