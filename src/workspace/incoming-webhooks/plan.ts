import { toAddressId } from '../../text/address-id'
import { type AttributeValue, MAX_ATTRIBUTE_TEXT } from '../../text/attributes'
import { findItemType, findProgress, isPlainTypeName } from '../imports/foreign-names'
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
}

/** Records that a delivery looks up: the item, its parent by an external id or a key of Jira, and users by address. */
export interface PlanLookups {
  source: string
  externalId: string
  parent: string | undefined
  assignees: readonly string[]
}

export type PayloadPlan =
  | {
      does: 'request'
      method: 'PUT' | 'POST'
      path: string
      body: Record<string, unknown> | unknown[]
      /** Body for an item that an earlier delivery created with the type `userstory`. */
      bodyOfStory?: Record<string, unknown>
      /** Fields of the body that the user did not map, and that the delivery leaves out if the request refuses them. */
      optional: readonly string[]
      /** Reasons for parts of the payload that the request leaves out. */
      leftOut?: readonly string[]
      /** The id that release 0.2 gave to the item, and the present id. */
      renamedId?: RenamedItemId
      lookups?: PlanLookups
    }
  | { does: 'remove'; record: ForeignRecord; renamedId?: RenamedItemId }
  | { does: 'nothing'; why: string }

export interface ForeignRecord {
  kind: 'work_item' | 'feedback'
  source: string
  externalId: string
}

export interface RenamedItemId {
  source: string
  from: string
  to: string
}

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
    parent: 'parent',
    assignees: 'addresses',
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

const readPayloadField = (payload: unknown, from: string) =>
  from.startsWith('=') ? from.slice(1) : findValueAtPath(payload, from)

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

const ATTRIBUTE_PREFIX = 'attributes.'

/** Name of the attribute that a field like `attributes.priority` maps; undefined for other fields. */
export const findMappedAttribute = (action: WebhookAction, field: string): string | undefined =>
  action === 'upsert_work_item' && field.startsWith(ATTRIBUTE_PREFIX) ? field.slice(ATTRIBUTE_PREFIX.length) : undefined

function readFields(doing: PayloadPlanInput, payload: unknown) {
  const fields: Record<string, unknown> = {}
  const attributes: Record<string, AttributeValue> = {}
  for (const [name, from] of Object.entries(mergePayloadMapping(doing))) {
    const attribute = findMappedAttribute(doing.action, name)
    const kind = attribute === undefined ? FIELDS_BY_WEBHOOK_ACTION[doing.action][name] : 'attribute'
    const value = kind && convertPayloadValue(kind, readPayloadField(payload, from), doing.provider)
    if (value === undefined) continue
    if (attribute === undefined) fields[name] = value
    else attributes[attribute] = value as AttributeValue
  }
  return { fields, attributes }
}

const REQUIRED_FIELDS = new Set(['summary', 'title'])

const listOptionalFields = ({ mapping }: PayloadPlanInput, body: Readonly<Record<string, unknown>>): string[] => {
  const isMapped = (field: string) => Object.keys(mapping).some((name) => name.replace(/\..*/, '') === field)
  return Object.keys(body).filter((field) => !REQUIRED_FIELDS.has(field) && !isMapped(field))
}

/** Whether a delivery leaves out the field at the path of a refusal. */
export const isOptionalPath = ({ optional }: { optional: readonly string[] }, path: string): boolean =>
  optional.includes(path.split('/')[1] ?? '')

export function planRequestForPayload(doing: PayloadPlanInput, payload: unknown): PayloadPlan {
  const { action, product, target } = doing
  const { fields, attributes } = readFields(doing, payload)
  const removal = planRemoval(doing, payload, fields.externalId)
  if (removal) return removal
  const comment = findUnreadComment(doing, payload)
  if (comment.replacesIssue) return ignorePayload(COMMENT_REASON)
  // People's tags stay, unless a mapping of the user decides about tags.
  const tags = doing.mapping.tags === undefined && fields.tags !== undefined ? 'add' : undefined
  switch (action) {
    case 'upsert_work_item': {
      const { externalId: ownId, progress, parent, assignees, ...rest } = fields
      const { externalId, renamed } = readItemId(doing, payload, ownId)
      if (externalId === undefined) return ignorePayload(NO_ID_REASON)
      if (isOnlyDots(externalId)) return ignorePayload('The value for externalId has only dots, and is no id.')
      const source = sourceOfIds(doing)
      const path = `/api/initiatives/${product}/backlog/external/${source}/${encodeURIComponent(externalId)}`
      const status = rest.externalProgress
      const known = progress ?? (typeof status === 'string' ? findProgress(status) : undefined)
      const { type, issueType } = readIssueType(doing, payload)
      const merged = { ...(issueType !== undefined && { issueType }), ...attributes }
      const hasAttributes = Object.keys(merged).length > 0
      const body = { ...(known && { progress: known }), ...rest, ...(hasAttributes && { attributes: merged }) }
      const lookups = { source, externalId, parent, assignees: assignees ?? [] } as PlanLookups
      const query = { attributes: hasAttributes || parent !== undefined ? 'merge' : undefined, tags }
      return {
        ...{ does: 'request', method: 'PUT', path: path + toQuery(query) },
        body: { type, ...body },
        optional: listOptionalFields(doing, body),
        ...((parent !== undefined || lookups.assignees.length > 0) && { lookups }),
        ...(type !== (target.type ?? 'userstory') && { bodyOfStory: { type: 'userstory', ...body } }),
        ...renamed,
        leftOut: comment.leftOut,
      }
    }
    case 'create_feedback': {
      const { externalId: ownId, email, name, ...rest } = fields
      if (!rest.title) return ignorePayload('The payload has no text for title.')
      const user = email === undefined ? {} : { user: { email, ...(name !== undefined && { name }) } }
      const externalId = ownId === undefined ? undefined : (readAddressId(doing, payload) ?? ownId)
      if (externalId !== undefined && !isOnlyDots(externalId)) {
        const path = `/api/feedback-items/external/${sourceOfIds(doing)}/${encodeURIComponent(String(externalId))}${toQuery({ product, tags })}`
        return {
          ...{ does: 'request', method: 'PUT', path, leftOut: comment.leftOut },
          body: { ...rest, ...user },
          optional: listOptionalFields(doing, rest),
        }
      }
      return {
        does: 'request',
        method: 'POST',
        path: '/api/feedback-items',
        body: { product, ...rest, ...user },
        optional: listOptionalFields(doing, rest),
      }
    }
    case 'insert_kpi_records': {
      const { records, value, createdAt } = fields
      const rows = Array.isArray(records) ? records : value === undefined ? [] : [{ value, createdAt }]
      if (!rows.length) return ignorePayload('The payload has no number for value and no list for records.')
      const path = `/api/initiatives/${product}/kpi/${target.kpi}/insert-kpi-records`
      return { does: 'request', method: 'POST', path, body: rows, optional: [] }
    }
  }
}

const COMMENT_REASON = 'comment: The default mapping reads no comments.'

/** A comment that no field of the mapping reads. */
function findUnreadComment({ provider, mapping }: PayloadPlanInput, payload: unknown) {
  const { commentAt = '', commentReplacesIssue = false } = PROVIDER_PROFILES[provider]
  const isAboutComment = commentAt !== '' && findValueAtPath(payload, commentAt) !== undefined
  const isInComment = (from: string) => from.startsWith(`${commentAt}.`) || from.startsWith(`${commentAt}[`)
  const sources = Object.values(mapping)
  const isRead = commentReplacesIssue ? sources.length > 0 : sources.some(isInComment)
  const isUnread = isAboutComment && !isRead
  return { replacesIssue: isUnread && commentReplacesIssue, leftOut: isUnread ? [COMMENT_REASON] : [] }
}

const NO_ID_REASON = 'The payload has no value for externalId.'

/** The id of a work item, and the id that release 0.2 gave to the item. */
function readItemId(doing: PayloadPlanInput, payload: unknown, ownId: unknown) {
  const addressId = readAddressId(doing, payload)
  const externalId = addressId ?? (ownId === undefined ? undefined : String(ownId))
  const source = sourceOfIds(doing)
  const isRenamed = addressId !== undefined && ownId !== undefined
  return { externalId, renamed: isRenamed ? { renamedId: { source, from: String(ownId), to: addressId } } : {} }
}

/** The plan for an event that ends an issue; undefined for other events. */
function planRemoval(doing: PayloadPlanInput, payload: unknown, ownId: unknown): PayloadPlan | undefined {
  const { endEvents } = PROVIDER_PROFILES[doing.provider]
  const event = endEvents && findValueAtPath(payload, endEvents.at)
  const isDeletion = event === endEvents?.deleted
  if (typeof event !== 'string' || !(isDeletion || endEvents?.ignored?.includes(event))) return undefined
  const { members } = endEvents ?? {}
  const isWhole = !members || Object.keys(Object(payload)).every((name) => members.includes(name))
  if (!isDeletion || !isWhole || doing.action === 'insert_kpi_records')
    return ignorePayload(`The event (${event}) is ignored: it removes no issue.`)
  const { externalId, renamed } = readItemId(doing, payload, ownId)
  if (ownId === undefined || externalId === undefined) return ignorePayload(NO_ID_REASON)
  const kind = doing.action === 'create_feedback' ? 'feedback' : 'work_item'
  return {
    does: 'remove',
    record: { kind, source: sourceOfIds(doing), externalId },
    ...(kind === 'work_item' && renamed),
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
  const { issueTypeAt, plainIssueType } = PROVIDER_PROFILES[provider]
  const name = issueTypeAt && findValueAtPath(payload, issueTypeAt)
  const word = typeof name === 'string' && name !== plainIssueType ? name.trim() : ''
  const found = word === '' ? undefined : findItemType(word)
  const type = target.type ?? (found === 'epic' || found === 'feature' ? found : 'userstory')
  const isKept = word !== '' && !isPlainTypeName(word) && word.length <= MAX_ATTRIBUTE_TEXT
  return { type, issueType: isKept ? word : undefined }
}

function toQuery(values: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  return pairs.length ? `?${pairs.join('&')}` : ''
}

const ignorePayload = (why: string): PayloadPlan => ({ does: 'nothing', why })
