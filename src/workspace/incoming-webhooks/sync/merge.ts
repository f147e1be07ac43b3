import type { BackgroundDeps } from '../../../background'
import { versionEtag } from '../../../http/etag'
import type { Progress } from '../work/change'
import type { QueuedReceipt, ReceiptKey } from '../work/queries/receipts'
import { UNCHANGED_RECORD } from '../work/queries/records'
import type { Reply, RequestSender } from '../work/requests'
import type { ItemChange } from './change'
import { keepLaterValues } from './conversion'
import type { ItemType, Members, SyncField } from './fields'
import {
  buildItemRelease,
  type ClaimedItem,
  claimItem,
  findLinkedRecords,
  forgetFormerChildren,
  type LocalItem,
  listChildren,
  MAX_EVENTS_PER_CLAIM,
  type RecordName,
} from './queries/record'
import { buildCreateRequest, buildDetachRequest, type PlannedMembers, pathOfItem, planMembers } from './requests'
import { addForeignChange, addLocalEvents, formatState, readState, type SyncState } from './state'

/*
 * Two workspaces keep an item equal field by field: the last change of a field on either side decides. A side knows the
 * last changes of both sides by their clocks, so the result does not depend on the order of the deliveries, and a delivery
 * may arrive twice. A request carries the version of the item, and a change in between begins the round again.
 */

export interface MergeContext {
  name: ReceiptKey
  row: QueuedReceipt
  product: string
  deps: Pick<BackgroundDeps, 'store' | 'now'>
  /** Sends requests whose events do not return to the other side. */
  send: RequestSender
  /** Sends requests whose events go to the other side. */
  sendAsOwnChange: RequestSender
}

export interface Merged extends Progress {
  /** The item can be the parent of items that wait for it. */
  isUsable: boolean
}

// A round ends early if the item changes in the meantime, and after each creation, conversion or restore.
const MAX_ROUNDS = 10
// Events of removed parents detach most children within this number of attempts.
const ATTEMPTS_BEFORE_DETACHING = 3

const PARENT_WAITS_REASON = 'parent: The parent is not here yet.'
const CHILDREN_WAIT_REASON = 'The children of the item have not left yet.'
const NOTHING_NEW_REASON = 'The item has these values, or later ones, already.'
const REMOVED_REASON = 'The item was removed.'

type Step = 'again' | 'done'

export interface Round {
  found: ClaimedItem
  /** Before the change that is delivered. */
  known: SyncState
  state: SyncState
  merged: Merged
}

/** Applies a change to an item; without a change, the values that wait. Undefined while another delivery has the item. */
export async function mergeItem(
  record: RecordName,
  change: { of: ItemChange; eventId: number } | undefined,
  context: MergeContext,
): Promise<Merged | undefined> {
  const { deps, name } = context
  const merged: Merged = {
    ...{ reply: undefined, key: undefined, done: [], problems: [], record: UNCHANGED_RECORD, comment: undefined },
    isUsable: false,
  }
  let isNew = false
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const read = await readItem(record, context)
    if (!read) return undefined
    const { found, state } = read
    const known = structuredClone(state)
    isNew ||= found.item === undefined
    if (change) {
      const isCopy = found.item ? found.item.isCopy === 1 : true
      addForeignChange(state, change.of, { eventId: change.eventId, isNew, isCopy })
    }
    const step = await takeStep({ found, known, state, merged }, record, context)
    if (step === 'again') continue
    const waitsFor = merged.isEarly && state.pending.parent ? String(state.pending.parent.id) : null
    const outcome = {
      details: formatState(state, found.item?.id),
      ...{ position: found.lastEventId, isRemoved: state.exists === false, waitsFor },
    }
    const isStored = merged.reply === undefined || merged.reply.response.ok
    await deps.store(deps.now()).batch(name.subscriptionId, buildItemRelease(record, isStored ? outcome : undefined))
    return merged
  }
  throw new Error('The item changes too often')
}

async function readItem(record: RecordName, { deps, name }: MergeContext) {
  const first = await claimItem(deps.store(deps.now()), name.subscriptionId, record, 0)
  if (!first) return undefined
  const state = readState(first.stored)
  addLocalEvents(state, first)
  let found = first
  while (found.events.length === MAX_EVENTS_PER_CLAIM) {
    const next = await claimItem(deps.store(deps.now()), name.subscriptionId, record, found.events.at(-1)?.id ?? 0)
    if (!next) return undefined
    addLocalEvents(state, next)
    found = next
  }
  return { found, state }
}

async function takeStep(round: Round, record: RecordName, context: MergeContext): Promise<Step> {
  const { found, state, merged } = round
  const { item } = found
  merged.key = item?.externalKey ?? merged.key
  delete merged.isEarly
  if (state.pending.life?.exists === false) {
    if (item && !item.isRemoved) return removeItem(item, round, record, context)
    delete state.pending.life
    return end(merged, REMOVED_REASON)
  }
  if (!item) return state.exists ? createItem(round, record, context) : end(merged, REMOVED_REASON)
  if (item.isRemoved) {
    return state.pending.life ? restoreItem(item, round, record, context) : end(merged, REMOVED_REASON)
  }
  delete state.pending.life
  const { type } = state.pending
  if (type && type.type !== item.type) return convertItem(item, type.type as ItemType, round, record, context)
  delete state.pending.type
  return modifyItem(item, round, record, context)
}

function end(merged: Merged, reason: string): Step {
  if (merged.reply === undefined && merged.problems.length === 0) merged.problems.push(reason)
  return 'done'
}

/** True if the request was answered well. A changed or missing item begins the round again. */
function accept(merged: Merged, reply: Reply): Step | undefined {
  const { status } = reply.response
  if (status === 412 || status === 404) return 'again'
  merged.reply = reply
  if (!reply.response.ok) return 'done'
  merged.done.push(reply.message ?? 'Saved')
  return undefined
}

async function planRequest(
  state: SyncState,
  type: ItemType,
  item: LocalItem | undefined,
  record: RecordName,
  context: MergeContext,
) {
  const { parent, assignees } = state.pending
  const lookups = {
    parentId: Number(parent?.id ?? 0),
    parentOwnId: (parent?.ownId as number | null | undefined) ?? null,
    addresses: (assignees?.addresses as string[] | undefined) ?? [],
  }
  const isNeeded = lookups.parentId > 0 || lookups.addresses.length > 0
  const { deps, name } = context
  const linked = isNeeded
    ? await findLinkedRecords(deps.store(deps.now()), name.subscriptionId, record, lookups)
    : { parent: undefined, userIds: [] }
  return planMembers(state, type, item, linked)
}

async function createItem({ state, merged }: Round, record: RecordName, context: MergeContext): Promise<Step> {
  const type = state.pending.type?.type as ItemType | undefined
  if (!type || !state.pending.summary) return end(merged, REMOVED_REASON)
  const { membersByField } = await planRequest(state, type, undefined, record, context)
  const id = Number(record.foreignId)
  const reply = await sendWithoutRefused(membersByField, merged, context, () =>
    buildCreateRequest(context.product, { source: record.source, id, type }, membersByField),
  )
  merged.isUsable = true
  return accept(merged, reply) ?? 'again'
}

async function modifyItem(
  item: LocalItem,
  { state, merged }: Round,
  record: RecordName,
  context: MergeContext,
): Promise<Step> {
  const planned = await planRequest(state, item.type, item, record, context)
  for (const field of planned.settled) delete state.pending[field]
  const { membersByField } = planned
  if (membersByField.size > 0) {
    const fields = [...membersByField.keys()]
    const reply = await sendWithoutRefused(membersByField, merged, context, () => ({
      ...{ method: 'PUT', path: pathOfItem(context.product, item), ifMatch: versionEtag(item.version) },
      body: Object.assign({}, ...membersByField.values()) as Members,
    }))
    const step = accept(merged, reply)
    if (step) return step
    for (const field of fields) if (!planned.partial.has(field)) delete state.pending[field]
  }
  noteWaiting(planned, merged)
  return end(merged, NOTHING_NEW_REASON)
}

function noteWaiting({ waitsForParent }: PlannedMembers, merged: Merged): void {
  if (!waitsForParent) return
  merged.isEarly = true
  merged.problems.push(PARENT_WAITS_REASON)
}

const MAX_REFUSALS = 3

/** Leaves out the fields that the service refuses, such as a text that is too long. */
async function sendWithoutRefused(
  membersByField: Map<SyncField, Members>,
  merged: Merged,
  { send }: MergeContext,
  build: () => Parameters<RequestSender>[0],
): Promise<Reply> {
  for (let refusals = 0; ; refusals++) {
    const reply = await send(build())
    const issues = reply.response.status === 400 ? (reply.error?.issues ?? []) : []
    const refused = new Set(issues.map(({ path }) => path.split('/')[1] ?? ''))
    const fields = [...membersByField].filter(([, members]) => Object.keys(members).some((one) => refused.has(one)))
    if (fields.length === 0 || refusals === MAX_REFUSALS) return reply
    for (const [field] of fields) membersByField.delete(field)
    merged.problems.push(...issues.map(({ path, message }) => `${path.slice(1)}: ${message}`))
  }
}

/** False while children are left that will leave by their own events. */
async function detachChildren(
  item: LocalItem,
  onlyType: ItemType | null,
  { merged }: Round,
  record: RecordName,
  { deps, name, row, product, sendAsOwnChange }: MergeContext,
): Promise<boolean> {
  const values = { productId: record.productId, itemId: item.id, onlyType }
  for (;;) {
    const children = await listChildren(deps.store(deps.now()), name.subscriptionId, values)
    if (children.length === 0) return true
    if (row.attempts < ATTEMPTS_BEFORE_DETACHING) {
      merged.isEarly = true
      merged.problems.push(CHILDREN_WAIT_REASON)
      return false
    }
    for (const child of children) {
      const reply = await sendAsOwnChange(buildDetachRequest(product, child))
      if (reply.response.ok || reply.response.status === 404) continue
      merged.reply = reply
      return false
    }
  }
}

async function removeItem(item: LocalItem, round: Round, record: RecordName, context: MergeContext): Promise<Step> {
  const { merged, state } = round
  // The children leave first by changes of their own, because a restore on the other side knows other children.
  if (!(await detachChildren(item, null, round, record, context))) return 'done'
  const reply = await context.send({ method: 'DELETE', path: pathOfItem(context.product, item) })
  const step = accept(merged, reply)
  if (step) return step
  delete state.pending.life
  return 'done'
}

async function restoreItem(item: LocalItem, { merged }: Round, _: RecordName, context: MergeContext): Promise<Step> {
  const { deps, name, product, send } = context
  await forgetFormerChildren(deps.store(deps.now()), name.subscriptionId, item.id)
  const reply = await send({ method: 'POST', path: `${pathOfItem(product, item)}/restore` })
  merged.isUsable = true
  return accept(merged, reply) ?? 'again'
}

async function convertItem(
  item: LocalItem,
  type: ItemType,
  round: Round,
  record: RecordName,
  context: MergeContext,
): Promise<Step> {
  const { merged } = round
  await keepLaterValues(item, round, record, context)
  const path = `/api/initiatives/${context.product}/backlog/${item.externalKey}/convert`
  const reply = await context.send({ method: 'POST', path, body: { type } })
  if (reply.response.status === 409) {
    const unfit = type === 'feature' ? 'feature' : null
    if (!(await detachChildren(item, unfit, round, record, context))) return 'done'
    return 'again'
  }
  merged.isUsable = true
  return accept(merged, reply) ?? 'again'
}
