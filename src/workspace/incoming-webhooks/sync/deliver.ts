import { type ItemChange, parseEventId } from './change'
import type { MergeContext, Merged } from './merge'
import { mergeItem } from './merge'
import { listWaitingRecords, type RecordName } from './queries/record'

// Events carry the arrival time of the request. A change here that is committed later than a change of the other side has
// a later time too, unless its request took longer than this time, or the clocks of the services differ by more.
const SETTLING_MS = 2_000
const MAX_CLOCK_DIFFERENCE_MS = 600_000

export type Delivered =
  | { merged: Merged }
  /** Milliseconds until the delivery can be handled. */
  | { after: number }
  | { refused: string }
  /** Another delivery has the item. */
  | undefined

const NO_EVENT_REASON =
  'The delivery has no webhook-id of an event. Replay the event from the webhook of the other workspace.'
const CLOCK_REASON = 'The time of the event is more than ten minutes ahead of this service.'

export async function deliverItemChange(
  change: ItemChange,
  deliveryId: string,
  context: MergeContext,
): Promise<Delivered> {
  const eventId = parseEventId(deliveryId)
  if (eventId === undefined) return { refused: NO_EVENT_REASON }
  const after = change.at + SETTLING_MS - context.deps.now()
  if (after > MAX_CLOCK_DIFFERENCE_MS) return { refused: CLOCK_REASON }
  if (after > 0) return { after }
  const record = nameRecord(change, context)
  const merged = await mergeItem(record, { of: change, eventId }, context)
  if (merged?.isUsable) await attachWaitingItems(record, context)
  if (merged && change.cut.length > 0)
    merged.problems.push(`${change.cut.join(', ')}: The delivery is too short for the record`)
  return merged && { merged }
}

const nameRecord = ({ source, item }: ItemChange, { name, row }: MergeContext): RecordName => ({
  ...{ receiptId: name.receiptId, productId: row.productId, source },
  ...{ foreignId: String(item.id), ownId: item.ownId },
})

/** Later items get their parent by their own deliveries, or by the next change of the parent. */
async function attachWaitingItems(parent: RecordName, context: MergeContext): Promise<void> {
  const { deps, name } = context
  for (const { foreignId, details } of await listWaitingRecords(deps.store(deps.now()), name.subscriptionId, parent)) {
    const { itemId = null } = JSON.parse(details) as { itemId?: number }
    await mergeItem({ ...parent, foreignId, ownId: itemId }, undefined, context)
  }
}
