import { type SQL, sql } from 'drizzle-orm'
import {
  ApiError,
  type ErrorCode,
  eraseScheduledError,
  invalidInputError,
  invalidValueError,
  MAX_ISSUES,
  notFoundError,
  originNotAllowedError,
  storageFullError,
  unauthorizedError,
} from '../../text/errors'
import { textOfHex } from '../../text/sha256'
import { apiKeys, log, products } from '../schema/tenancy'
import { coversProduct, isCallerKey, isOriginListed, isProductInPath, type KeyAccess } from '../sql/access'
import { moveRefusalReason } from '../sql/fence'
import { isEventOfWorkspace } from '../sql/log'
import { keyRefusalCases, nameOfPortalShape, type PortalShape, portalRefusalOfWrite } from '../sql/portal-access'
import { REFERENCE_LOOKUPS, type Reference, type ReferenceKind } from '../sql/references'
import { replayRefusalReason } from '../sql/returning'
import {
  caller,
  compileSql,
  type Guard,
  inline,
  makeStatementCache,
  param,
  type Statement,
  type Template,
  type Values,
} from '../sql/statement'
import { endUserRefusalError } from './end-user-refusal'
import { WorkspaceMoved, workspaceLeavingError } from './fence'
import { ReadOnlyRefusal } from './presented'
import { quotaUsedUp } from './quota'

export type { Guard }

let nextGuardId = 0

export type GuardReason = ErrorCode | `${ErrorCode}:${string}` | SQL

export function guard<V extends Values = Record<never, never>>(reason: GuardReason, when: SQL): (values: V) => Guard {
  const template = {
    id: nextGuardId++,
    when,
    reason: typeof reason === 'string' ? inline(reason) : reason,
    madeAt: new Error(),
  }
  return (values) => ({ template, values })
}

/** A NULL `If-Match` refuses nothing. */
export const makeVersionGuard = (version: SQL) =>
  guard<{ ifMatch: string | null }>(
    'precondition_failed',
    sql`${param('ifMatch')} IS NOT NULL AND ${version} NOT IN (SELECT value FROM json_each(${param('ifMatch')}))`,
  )

/** Thrown when the request's Idempotency-Key already has a reply, and the batch did nothing. */
export class IdempotentReplay extends Error {}

/** Thrown when a guard answers with a text (in hex after the reason code) for the caller to continue with. */
export class GuardMessage extends Error {}

export function checkAccess(access: KeyAccess | undefined, inProduct: boolean): void {
  if (!access) throw refusalError('unauthorized')
  if (access.refusedOrigin !== undefined) throw originNotAllowedError(access.refusedOrigin)
  if (access.refusal) throw refusalError(access.refusal)
  if (inProduct && access.productId === null) throw refusalError('product_not_found')
  if (!access.covered) throw refusalError('insufficient_scope')
}

export interface RefusalShape {
  inProduct: boolean
  idempotent: boolean
  guards: readonly Guard[]
  references: readonly Reference[]
  hasQuota: boolean
  ignoresErasure: boolean
  hasForeignOrigin: boolean
  portal: PortalShape | undefined
  isRetry: boolean
  isFenced: boolean
}

// Newest events searched for an interrupted write: several seconds of a busy workspace.
const MAX_RECENT_EVENTS = inline(5_000)
const keyOfEmittedEvent = sql`(SELECT resource_key FROM (SELECT ${log.resourceKey}, ${log.requestId}, ${log.createdAt}
    FROM ${log} WHERE ${isEventOfWorkspace} ORDER BY ${log.place} DESC LIMIT ${MAX_RECENT_EVENTS})
  WHERE request_id = ${caller.request} AND created_at = ${caller.now} LIMIT 1)`

const refusalTemplatesByShape = new Map<string, Template>()

/** First statement of a write: aborts the batch with a reason, or writes nothing. */
export function findRefusalTemplate(shape: RefusalShape): Template {
  const kinds = [...new Set(shape.references.map((reference) => reference.kind))].sort()
  const name = `${shape.inProduct} ${shape.idempotent} ${shape.hasQuota} ${shape.ignoresErasure} ${shape.hasForeignOrigin} ${shape.portal && nameOfPortalShape(shape.portal)} ${shape.isRetry} ${shape.isFenced} ${shape.guards.map((g) => g.template.id)} ${kinds}`
  let template = refusalTemplatesByShape.get(name)
  if (!template) {
    const parts = shape.guards.map(({ template: { when, reason, madeAt } }) => ({
      madeAt,
      text: () => compileSql(sql`${when} ${reason}`).text,
    }))
    template = { ...compileSql(refusalSql(shape, kinds)), parts }
    refusalTemplatesByShape.set(name, template)
  }
  return template
}

function refusalSql(shape: RefusalShape, kinds: readonly ReferenceKind[]): SQL {
  const cases = keyRefusalCases(shape.portal)
  if (shape.isFenced) cases.unshift(sql`WHEN ${moveRefusalReason} IS NOT NULL THEN ${moveRefusalReason}`)
  // With an Idempotency-Key the stored reply exists as well, and is returned instead.
  if (shape.isRetry && !shape.idempotent)
    cases.unshift(sql`WHEN ${keyOfEmittedEvent} IS NOT NULL THEN 'already_done:' || ${keyOfEmittedEvent}`)
  if (shape.hasForeignOrigin)
    cases.push(sql`WHEN NOT ${isOriginListed} THEN 'origin_not_allowed:' || ${caller.foreignOrigin}`)
  if (shape.portal) {
    const reason = portalRefusalOfWrite(shape.portal)
    cases.push(sql`WHEN ${reason} IS NOT NULL THEN ${reason}`)
  }
  if (shape.inProduct) {
    cases.push(sql`WHEN ${products.id} IS NULL THEN 'product_not_found'`)
    cases.push(sql`WHEN NOT ${coversProduct(sql`${products.id}`)} THEN 'insufficient_scope'`)
  }
  if (shape.idempotent) {
    cases.push(sql`WHEN ${replayRefusalReason} IS NOT NULL THEN ${replayRefusalReason}`)
  }
  if (!shape.ignoresErasure)
    cases.push(sql`WHEN ${apiKeys.eraseAt} IS NOT NULL THEN 'erase_scheduled:' || ${apiKeys.eraseAt}`)
  if (shape.hasQuota) cases.push(sql`WHEN ${quotaUsedUp.when} THEN ${quotaUsedUp.reason}`)
  for (const { template } of shape.guards) cases.push(sql`WHEN ${template.when} THEN ${template.reason}`)
  const unknown = kinds.length ? sql`ELSE ${unknownReferencesReason(kinds)}` : sql``
  const product = shape.inProduct ? sql`LEFT JOIN ${products} ON ${isProductInPath}` : sql``
  return sql`INSERT INTO refusal SELECT reason FROM (
    SELECT CASE ${sql.join(cases, sql` `)} ${unknown} END AS reason
    FROM (SELECT 1) LEFT JOIN ${apiKeys} ON ${isCallerKey} ${product}
  ) WHERE reason IS NOT NULL`
}

function unknownReferencesReason(kinds: readonly ReferenceKind[]): SQL {
  const known = kinds.map((kind) => sql`WHEN ${inline(kind)} THEN EXISTS (${REFERENCE_LOOKUPS[kind].exists})`)
  return sql`(SELECT 'unknown_reference:' || json_group_array(json_array(r.value ->> 'kind', r.value ->> 'path'))
    FROM json_each(${param('@references')}) r
    WHERE NOT CASE r.value ->> 'kind' ${sql.join(known, sql` `)} END
    HAVING count(*) > 0)`
}

const unknownReferenceTemplates = makeStatementCache(
  (kinds: readonly ReferenceKind[]) => sql`SELECT ${unknownReferencesReason(kinds)} AS "reason"`,
)

interface UnknownReferencesRow {
  reason: string | null
}

/** For a read: records that the query names, and that do not exist. */
export function selectUnknownReferences(references: readonly Reference[]): Statement<UnknownReferencesRow> {
  const kinds = [...new Set(references.map(({ kind }) => kind))].sort()
  const values = { '@references': JSON.stringify(references) }
  return { template: unknownReferenceTemplates(kinds.join(), kinds), values }
}

export function throwUnknownReferences(rows: readonly unknown[] | undefined): void {
  const [found] = (rows ?? []) as UnknownReferencesRow[]
  if (found?.reason) throw refusalError(found.reason)
}

const INACTIVE_KEY_MESSAGE = 'This API key is not active: it was revoked or does not exist. Use another key.'

export const inactiveKeyError = () => unauthorizedError(INACTIVE_KEY_MESSAGE)

/** A portal refuses people with the same code, and their key or session stays active. */
export const isInactiveKeyError = (cause: unknown): boolean =>
  cause instanceof ApiError && cause.code === 'unauthorized' && cause.message === INACTIVE_KEY_MESSAGE

export function refusalError(
  reason: string,
): ApiError | IdempotentReplay | GuardMessage | ReadOnlyRefusal | WorkspaceMoved {
  const [code = '', detail = ''] = splitAtFirst(reason, ':')
  switch (code) {
    case 'unauthorized':
      return inactiveKeyError()
    case 'insufficient_scope':
      return new ApiError(
        code,
        detail || 'This API key is limited to other products. Use a key that covers this product.',
      )
    case 'origin_not_allowed':
      return originNotAllowedError(detail)
    case 'origin_not_of_key':
      return new ApiError(
        'origin_not_allowed',
        detail
          ? `Pages of ${detail} may not use this publishable key. Create a key with this origin in origins.`
          : 'A publishable key works in pages of its origins, and this request has no header Origin.',
      )
    case 'sign_in_required':
      return unauthorizedError('Sign in first: only people who are signed in may do this in the portal.')
    case 'end_user_changed':
    case 'end_user_removed':
    case 'end_user_of_team':
    case 'end_user_unknown':
    case 'end_user_address_taken':
      return endUserRefusalError(code)
    case 'portal_private':
      return new ApiError('insufficient_scope', 'This portal is open to certain people, and you are not one of them.')
    case 'workspace_moved':
      return new WorkspaceMoved(Number(detail))
    case 'workspace_leaving':
      return workspaceLeavingError()
    case 'idempotency_replay':
      return new IdempotentReplay()
    case 'already_done':
      return new ApiError(
        code,
        `The request was done, but the response was lost${detail && ` (${detail})`}. Read the current data; do not repeat the request.`,
      )
    case 'read_only':
      return new ReadOnlyRefusal(JSON.parse(detail) as number[])
    case 'rules':
      return new GuardMessage(textOfHex(detail))
    case 'storage_full':
      return storageFullError()
    case 'erase_scheduled':
      return eraseScheduledError(Number(detail))
    case 'precondition_failed':
      return new ApiError(
        'precondition_failed',
        'The record has changed since you read it. Read the record again, and repeat the change with the new ETag in If-Match.',
      )
    case 'idempotency_key_reused':
      return new ApiError(
        'idempotency_key_reused',
        'This Idempotency-Key was used with another body. Use a new key for a new request.',
      )
    case 'unknown_reference':
      return unknownReferenceError(JSON.parse(detail) as [ReferenceKind, string][])
    case 'validation_failed': {
      const [path = '', message = 'Invalid value'] = splitAtFirst(detail, ':')
      return invalidValueError(path, message)
    }
    case 'invalid_values':
      return invalidInputError(
        (JSON.parse(detail) as [path: string, message: string][]).map(([path, message]) => ({
          ...{ path, code: 'invalid_value', message },
        })),
      )
    case 'rate_limited': {
      const [seconds = '', message = ''] = splitAtFirst(detail, ':')
      return new ApiError(code, message, { headers: { 'Retry-After': seconds } })
    }
    case 'bulk_rejected':
      // The caller adds the messages, because only the caller knows the operations.
      return new ApiError(code, 'Some operations are wrong.', {
        issues: (JSON.parse(detail) as [number, string][]).map(([n, code]) => ({ path: `/${n}`, code, message: '' })),
      })
    case 'unfinished_items':
      return unfinishedItemsError(JSON.parse(detail) as [number, string, string][])
    case 'conflict':
    case 'in_use':
    case 'workspace_not_empty':
      return new ApiError(code, detail)
    default:
      return notFoundError(code as `${string}_not_found`, detail)
  }
}

function unknownReferenceError(unknown: [ReferenceKind, string][]): ApiError {
  const issues = unknown.slice(0, MAX_ISSUES).map(([kind, path]) => ({
    path,
    code: 'unknown_reference',
    message: REFERENCE_LOOKUPS[kind].message,
  }))
  const first = issues[0]
  return new ApiError('unknown_reference', `${first?.path}: ${first?.message}`, { issues })
}

function unfinishedItemsError(open: [number, string, string][]): ApiError {
  const issues = open.slice(0, MAX_ISSUES).map(([place, key, progress]) => ({
    path: `/items/${place}`,
    code: 'unfinished_item',
    message: `${key} is not done: its progress is "${progress}".`,
  }))
  const some = open.slice(0, 5).map(([, key]) => key)
  const keys = open.length > some.length ? `${some.join(', ')} and ${open.length - some.length} more` : some.join(', ')
  const count = open.length === 1 ? '1 item of the version is' : `${open.length} items of the version are`
  return new ApiError(
    'unfinished_items',
    `${count} not done: ${keys}. Finish the open items, take them out of the version, or send {"force": true}.`,
    { issues },
  )
}

function splitAtFirst(text: string, at: string): [string, string?] {
  const index = text.indexOf(at)
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}
