import { toAddressId } from '../../text/address-id'
import { isCommentField, type PayloadFields, type PayloadPlanInput, readPayloadField } from './fields'
import { findValueAtPath } from './path'
import { PROVIDER_PROFILES } from './providers'

/** A comment of an issue, by its id in the other system. */
export interface PlannedComment {
  id: string
  changedAt: number | undefined
  isRemoved: boolean
  body: CommentBody
}

interface CommentBody {
  text: string
  /** Undefined if the sender does not say. */
  isPrivate?: boolean
  author?: { email?: string; name?: string }
  createdAt?: string
  parentExternalId?: string
}

const COMMENT_UNREAD_REASON = 'comment: The mapping reads no comments.'
const COMMENT_EMPTY_REASON = 'comment: The comment has no text.'
const COMMENT_WITHOUT_ID_REASON = 'comment: The comment has no id.'

type CommentRole =
  /** The payload is about an issue or another record. */
  | 'none'
  /** The comment becomes a comment of the item or idea. */
  | 'comment'
  /** A field of the mapping reads the comment, and the payload is a record of its own. */
  | 'record'

/** The role of the comment that a payload is about. */
export function findCommentRole({ provider, action, mapping }: PayloadPlanInput, payload: unknown): CommentRole {
  if (action === 'insert_kpi_records') return 'none'
  const { comments } = PROVIDER_PROFILES[provider]
  if (!comments) return isMappedComment(mapping, payload) ? 'comment' : 'none'
  if (findValueAtPath(payload, comments.at) === undefined) return 'none'
  const sources = Object.entries(mapping).flatMap(([field, from]) => (isCommentField(field) ? [] : [from]))
  const isRead = comments.recordAt.some((at) => sources.some((from) => isAtOrBelow(from, at)))
  return isRead ? 'record' : 'comment'
}

const isAtOrBelow = (path: string, at: string) => path.startsWith(at) && /^(?:[.[]|$)/.test(path.slice(at.length))

const isMappedComment = (mapping: PayloadPlanInput['mapping'], payload: unknown) => {
  const from = mapping['comment.id']
  return from !== undefined && (readPayloadField(payload, from) ?? null) !== null
}

/** The comment of a payload, or the reason to leave the comment out. */
export function planComment(
  { provider, mapping }: PayloadPlanInput,
  payload: unknown,
  { fields }: PayloadFields,
): PlannedComment | { leftOut: string } {
  const { comments } = PROVIDER_PROFILES[provider]
  const address = mapping['comment.id'] === undefined && comments?.addressAt
  const ownId = fields['comment.id']
  const id = (address && toAddressId(findValueAtPath(payload, address))) || (ownId === undefined ? '' : String(ownId))
  if (id === '') return { leftOut: COMMENT_WITHOUT_ID_REASON }
  const isRemoved = fields['comment.removed'] === true || comments?.isRemoved?.(payload) === true
  const changedAt = fields['comment.changedAt'] as number | undefined
  if (isRemoved) return { id, changedAt, isRemoved, body: { text: '', isPrivate: true } }
  const text = fields['comment.text']
  if (mapping['comment.text'] === '=') return { leftOut: COMMENT_UNREAD_REASON }
  if (typeof text !== 'string' || text.trim() === '') return { leftOut: COMMENT_EMPTY_REASON }
  const isPrivate = (fields['comment.isPrivate'] as boolean | undefined) ?? comments?.isPrivate?.(payload)
  const author = readAuthor(fields)
  const createdAt = fields['comment.createdAt'] as number | undefined
  const parent = fields['comment.parent']
  const body: CommentBody = {
    text,
    ...(isPrivate !== undefined && { isPrivate }),
    ...(author && { author }),
    ...(createdAt !== undefined && { createdAt: new Date(createdAt).toISOString() }),
    ...(parent !== undefined && { parentExternalId: String(parent) }),
  }
  return { id, changedAt, isRemoved, body }
}

function readAuthor({ 'comment.author': email, 'comment.authorName': given }: PayloadFields['fields']) {
  const name = typeof given === 'string' ? given.slice(0, MAX_NAME_LENGTH).toWellFormed() : ''
  if (typeof email !== 'string') return name === '' ? undefined : { name }
  return { email, ...(name !== '' && { name }) }
}

const MAX_NAME_LENGTH = 200

/** The id of the issue in the address of the comment, for payloads without the issue. */
export function findIssueIdOfComment({ provider }: PayloadPlanInput, payload: unknown): string | undefined {
  const { comments } = PROVIDER_PROFILES[provider]
  const self = comments?.selfAt && findValueAtPath(payload, comments.selfAt)
  return typeof self === 'string' ? /\/issue\/(\d{1,19})\/comment\/\d+$/.exec(self)?.[1] : undefined
}
