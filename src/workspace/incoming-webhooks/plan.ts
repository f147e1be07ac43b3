import { toAddressId } from '../../text/address-id'
import { MAX_ATTRIBUTE_TEXT } from '../../text/attributes'
import { findItemType, findProgress, isPlainTypeName } from '../imports/foreign-names'
import { findAuthorToIgnore } from './authors'
import { findCommentRole, findIssueIdOfComment, type PlannedComment, planComment } from './comment'
import { type PayloadFields, type PayloadPlanInput, readFields, sourceOfIds } from './fields'
import { namesOf } from './names'
import { findValueAtPath } from './path'
import { PROVIDER_PROFILES, type Transfer } from './providers'
import { type ItemChange, readItemChange } from './sync/change'
import { collectNames } from './values'

/** Records that a delivery looks up: the item, its parent by an external id or a key of Jira, and users by address. */
export interface PlanLookups {
  parent: string | undefined
  assignees: readonly string[]
}

export interface ForeignRecord {
  kind: 'work_item' | 'feedback'
  source: string
  externalId: string
}

interface RecordChange {
  record: ForeignRecord
  /** Time of the change in the other system, in milliseconds. */
  changedAt: number | undefined
  /** Other ids of the record, best first: the address before a transfer of the issue, and the number that release 0.2 took. */
  formerIds: readonly string[]
}

export interface PlannedRequest {
  method: 'PUT' | 'POST'
  path: string
  body: Record<string, unknown> | unknown[]
  /** Body for an item that an earlier delivery created with the type `userstory`. */
  bodyOfStory?: Record<string, unknown>
  /** Fields of the body that the user did not map, and that the delivery leaves out if the request refuses them. */
  optional: readonly string[]
  lookups?: PlanLookups
  /** Present unless the tags of the body replace all tags. */
  labels?: PlannedLabels
}

/** Names of labels in lowercase: those of the issue, and known ones that it had before. */
export interface PlannedLabels {
  present: readonly string[]
  former: readonly string[]
}

interface Change {
  /** The event changes a known record, and creates none. */
  isOfKnown?: true
  /** Undefined for a change of a comment alone. */
  request: PlannedRequest | undefined
  comment: PlannedComment | undefined
  /** Reasons for parts of the payload that the request leaves out. */
  leftOut: readonly string[]
}

export type PayloadPlan =
  | ({ does: 'change' } & RecordChange & Change)
  /** Without an id in the other system, each delivery is a record of its own. */
  | { does: 'request'; request: PlannedRequest }
  | ({ does: 'remove' } & RecordChange)
  /** A change of an item that another workspace of this service keeps, too. */
  | { does: 'merge'; change: ItemChange }
  | { does: 'nothing'; why: string }

const REQUIRED_FIELDS = new Set(['summary', 'title'])

const listOptionalFields = ({ mapping }: PayloadPlanInput, body: Readonly<Record<string, unknown>>): string[] => {
  const isMapped = (field: string) => Object.keys(mapping).some((name) => name.replace(/\..*/, '') === field)
  return Object.keys(body).filter((field) => !REQUIRED_FIELDS.has(field) && !isMapped(field))
}

/** Whether a delivery leaves out the field at the path of a refusal. */
export const isOptionalPath = ({ optional }: { optional: readonly string[] }, path: string): boolean =>
  optional.includes(path.split('/')[1] ?? '')

const ignorePayload = (why: string): PayloadPlan => ({ does: 'nothing', why })

const NO_ID_REASON = 'The payload has no value for externalId.'
const DOTS_REASON = 'The value for externalId has only dots, and is no id.'
const CONFIDENTIAL_REASON = 'The issue is confidential, and ideas are shown to everybody.'

export function planRequestForPayload(doing: PayloadPlanInput, payload: unknown): PayloadPlan {
  const { action, provider } = doing
  if (provider === 'groundwork') return planMerge(doing, payload)
  const transfer = PROVIDER_PROFILES[provider].findTransfer?.(payload)
  return transfer && action !== 'insert_kpi_records' ? planTransfer(doing, transfer) : planEvent(doing, payload)
}

const MOVED_REASON = 'The issue has moved. Later events of the moved issue change the same record.'

/** The record keeps its place, and is found by the id of the moved issue too. */
function planTransfer(doing: PayloadPlanInput, { from, to, hasContent, isOfFormer }: Transfer): PayloadPlan {
  const plan = planEvent(doing, to)
  const former = readIdentity(doing, from, readFields(doing, from, false), false)
  if (plan.does !== 'change' || !former) return plan
  return {
    ...plan,
    formerIds: [former.record.externalId, ...former.formerIds, ...plan.formerIds],
    ...(isOfFormer && { isOfKnown: true }),
    ...(!hasContent && { request: undefined, leftOut: [MOVED_REASON] }),
  }
}

function planEvent(doing: PayloadPlanInput, payload: unknown): PayloadPlan {
  const { action, provider } = doing
  const role = findCommentRole(doing, payload)
  const read = readFields(doing, payload, role === 'comment')
  const author = findAuthorToIgnore(doing, payload, read.fields.author)
  if (author !== undefined) return ignorePayload(explainIgnoredAuthor(author))
  if (action === 'insert_kpi_records') return planKpiRecords(doing, read)
  const profile = PROVIDER_PROFILES[provider]
  const otherKind = role === 'record' ? undefined : profile.findOtherKind?.(payload)
  if (otherKind !== undefined) return ignorePayload(`The payload is about ${otherKind}, not about an issue.`)
  if (action === 'create_feedback' && profile.isConfidential?.(payload)) return ignorePayload(CONFIDENTIAL_REASON)
  const identity = readIdentity(doing, payload, read, role === 'comment')
  const removal = role === 'comment' ? undefined : planRemoval(doing, payload, read, identity)
  if (removal) return removal
  if (identity !== undefined && isOnlyDots(identity.record.externalId)) return ignorePayload(DOTS_REASON)
  if (identity === undefined) {
    if (action === 'upsert_work_item' || role === 'comment') return ignorePayload(NO_ID_REASON)
    const request = planIdea(doing, read, undefined)
    return request ? { does: 'request', request } : ignorePayload(NO_TITLE_REASON)
  }
  if (role !== 'comment') {
    const request = planRecord(doing, payload, read, identity.record)
    if (!request) return ignorePayload(NO_TITLE_REASON)
    return { does: 'change', ...identity, request, comment: undefined, leftOut: [] }
  }
  const comment = planComment(doing, payload, read)
  const isRead = !('leftOut' in comment)
  // An event about a removed comment, or without the content of the issue, is about the comment alone.
  const isAboutIssue = isRead ? !comment.isRemoved && hasTitle(read) : !profile.commentReplacesIssue
  const request = isAboutIssue ? planRecord(doing, payload, read, identity.record) : undefined
  if (!request && !isRead) return ignorePayload(comment.leftOut)
  return {
    ...{ does: 'change', ...identity, request },
    ...(isRead ? { comment, leftOut: [] } : { comment: undefined, leftOut: [comment.leftOut] }),
  }
}

function planMerge(doing: PayloadPlanInput, payload: unknown): PayloadPlan {
  const author = findAuthorToIgnore(doing, payload, undefined)
  if (author !== undefined) return ignorePayload(explainIgnoredAuthor(author))
  const change = readItemChange(payload, sourceOfIds(doing), doing.mapping)
  return typeof change === 'string' ? ignorePayload(change) : { does: 'merge', change }
}

const explainIgnoredAuthor = (author: string) => `The account ${author} acts for this service (exceptAuthors).`

const hasTitle = ({ fields: { summary, title } }: PayloadFields) => (summary ?? title) !== undefined

function planRecord(
  doing: PayloadPlanInput,
  payload: unknown,
  read: PayloadFields,
  record: ForeignRecord,
): PlannedRequest | undefined {
  const request = doing.action === 'upsert_work_item' ? planItem(doing, read, record) : planIdea(doing, read, record)
  if (!request || findTagsMode(doing, read.fields) !== 'add') return request
  const former = PROVIDER_PROFILES[doing.provider].findFormerLabels?.(payload)
  return { ...request, labels: { present: namesOf(read.fields.tags), former: namesOf(collectNames(former)) } }
}

const NO_TITLE_REASON = 'The payload has no text for title.'

// A path drops segments of dots.
const isOnlyDots = (id: string): boolean => /^\.{1,2}$/.test(id)

/** The id of the issue, and the id that release 0.2 gave to the item. A mapping of the user decides about the id. */
function readIdentity(
  doing: PayloadPlanInput,
  payload: unknown,
  { fields }: PayloadFields,
  isOfComment: boolean,
): RecordChange | undefined {
  const { addressAt } = PROVIDER_PROFILES[doing.provider]
  const ownId = fields.externalId ?? (isOfComment ? findIssueIdOfComment(doing, payload) : undefined)
  if (ownId === undefined) return undefined
  const address = addressAt === undefined || doing.mapping.externalId !== undefined ? undefined : addressAt
  // The address of a comment of GitLab is the address of the issue with a fragment.
  const found = address && toAddressId(withoutFragment(findValueAtPath(payload, address)))
  const externalId = found || String(ownId)
  const source = sourceOfIds(doing)
  const kind = doing.action === 'create_feedback' ? 'feedback' : 'work_item'
  return {
    record: { kind, source, externalId },
    changedAt: fields.changedAt as number | undefined,
    formerIds: found ? [String(ownId)] : [],
  }
}

const withoutFragment = (address: unknown) => (typeof address === 'string' ? address.replace(/#.*/, '') : address)

/** The plan for an event that ends an issue; undefined for other events. */
function planRemoval(
  doing: PayloadPlanInput,
  payload: unknown,
  { fields }: PayloadFields,
  identity: RecordChange | undefined,
): PayloadPlan | undefined {
  if (fields.removed === true) return identity ? { does: 'remove', ...identity } : ignorePayload(NO_ID_REASON)
  const { endEvents } = PROVIDER_PROFILES[doing.provider]
  const event = endEvents && findValueAtPath(payload, endEvents.at)
  const isDeletion = event === endEvents?.deleted
  if (typeof event !== 'string' || !(isDeletion || endEvents?.ignored?.includes(event))) return undefined
  const { members } = endEvents ?? {}
  const isWhole = !members || Object.keys(Object(payload)).every((name) => members.includes(name))
  if (!isDeletion || !isWhole) return ignorePayload(`The event (${event}) is ignored: it removes no issue.`)
  return identity ? { does: 'remove', ...identity } : ignorePayload(NO_ID_REASON)
}

// People's tags stay, unless a mapping of the user decides about tags.
const findTagsMode = ({ mapping }: PayloadPlanInput, { tags }: PayloadFields['fields']) =>
  mapping.tags === undefined && tags !== undefined ? 'add' : undefined

/** Fields that are no members of the request. */
function pickBody(fields: PayloadFields['fields'], ...others: readonly string[]): Record<string, unknown> {
  const left = new Set(['externalId', 'changedAt', 'removed', 'author', ...others])
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !left.has(name) && !name.startsWith('comment.')))
}

function planItem(doing: PayloadPlanInput, { fields, attributes }: PayloadFields, record: ForeignRecord) {
  const { parent, assignees = [] } = fields as { parent?: string; assignees?: string[] }
  const path = `/api/initiatives/${doing.product}/backlog/external/${record.source}/${encodeURIComponent(record.externalId)}`
  const { progress, ...rest } = pickBody(fields, 'type', 'parent', 'assignees')
  const status = rest.externalProgress
  const known = progress ?? (typeof status === 'string' ? findProgress(status) : undefined)
  const { type, issueType } = readIssueType(doing, fields.type)
  const merged = { ...(issueType !== undefined && { issueType }), ...attributes }
  const hasAttributes = Object.keys(merged).length > 0
  const body = {
    ...(known !== undefined && { progress: known }),
    ...rest,
    ...(hasAttributes && { attributes: merged }),
  }
  const query = {
    attributes: hasAttributes || parent !== undefined ? 'merge' : undefined,
    tags: findTagsMode(doing, fields),
  }
  const request: PlannedRequest = {
    ...{ method: 'PUT', path: path + toQuery(query) },
    body: { type, ...body },
    optional: listOptionalFields(doing, body),
    ...((parent !== undefined || assignees.length > 0) && { lookups: { parent, assignees } }),
    ...(type !== (doing.target.type ?? 'userstory') && { bodyOfStory: { type: 'userstory', ...body } }),
  }
  return request
}

function planIdea(
  doing: PayloadPlanInput,
  { fields }: PayloadFields,
  record: ForeignRecord | undefined,
): PlannedRequest | undefined {
  const { email, name, ...rest } = pickBody(fields)
  if (!rest.title) return undefined
  const user = email === undefined ? {} : { user: { email, ...(name !== undefined && { name }) } }
  const optional = listOptionalFields(doing, rest)
  const { product } = doing
  if (!record) return { method: 'POST', path: '/api/feedback-items', body: { product, ...rest, ...user }, optional }
  const query = toQuery({ product, tags: findTagsMode(doing, fields) })
  const path = `/api/feedback-items/external/${record.source}/${encodeURIComponent(record.externalId)}${query}`
  return { method: 'PUT', path, body: { ...rest, ...user }, optional }
}

function planKpiRecords({ product, target }: PayloadPlanInput, { fields }: PayloadFields): PayloadPlan {
  const { records, value, createdAt } = fields
  const rows = Array.isArray(records) ? records : value === undefined ? [] : [{ value, createdAt }]
  if (!rows.length) return ignorePayload('The payload has no number for value and no list for records.')
  const path = `/api/initiatives/${product}/kpi/${target.kpi}/insert-kpi-records`
  return { does: 'request', request: { method: 'POST', path, body: rows, optional: [] } }
}

/** The type and the word for it, as an import of a file reads them. */
function readIssueType({ provider, target }: PayloadPlanInput, name: unknown) {
  const { plainIssueType } = PROVIDER_PROFILES[provider]
  const word = typeof name === 'string' && name !== plainIssueType ? name : ''
  const found = word === '' ? undefined : findItemType(word)
  const type = target.type ?? (found === 'epic' || found === 'feature' ? found : 'userstory')
  const isKept = word !== '' && !isPlainTypeName(word) && word.length <= MAX_ATTRIBUTE_TEXT
  return { type, issueType: isKept ? word : undefined }
}

function toQuery(values: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  return pairs.length ? `?${pairs.join('&')}` : ''
}
