import type { MessageDeps } from '../../../background'
import { logWarning } from '../../../text/log'
import { findArchivedEvents, readArchivedEvents } from '../../events/archive'
import { fanOutArchivedPage, listEventAccess } from './queries/archived'
import type { DueDelivery } from './queries/claim'
import { type ArchiveReader, MAX_EVENTS_PER_ENDPOINT } from './queries/fan-out'

type ArchiveDeps = Pick<MessageDeps, 'store' | 'files' | 'now'>

/** Inserts deliveries of the next archived events. Position and deliveries change in one batch. */
export async function fanOutArchivedEvents(
  subscriptionId: number,
  { id, position, firstEventId }: ArchiveReader,
  { store, files, now }: ArchiveDeps,
): Promise<void> {
  const filter = { subscriptionId, after: position, limit: MAX_EVENTS_PER_ENDPOINT }
  const { events, scannedTo } = await readArchivedEvents(files, filter, firstEventId, { skipsGaps: true })
  // The archive has no further event if somebody deleted the objects.
  const to = scannedTo > position ? scannedTo : firstEventId - 1
  if (scannedTo === position) {
    const lost = { workspace: subscriptionId, webhookId: id, after: position, before: firstEventId }
    logWarning('A webhook skips events that are neither in the log nor in the archive.', lost)
  }
  await fanOutArchivedPage(store(now()), subscriptionId, { webhookId: id, from: position, to }, events)
}

/** Deliveries whose events have left the log get the data from the archive, in the order of the events. */
export async function fillInArchivedEvents(
  { subscriptionId, webhookId }: { subscriptionId: number; webhookId: number },
  due: readonly DueDelivery[],
  { store, files, now }: ArchiveDeps,
): Promise<DueDelivery[]> {
  const ids = due.filter(({ at }) => at === null).map(({ eventId }) => eventId)
  if (!ids.length) return [...due]
  const { events, searchedTo } = await findArchivedEvents(files, subscriptionId, ids)
  const access = await listEventAccess(store(now()), subscriptionId, webhookId, [...events.values()])
  const accessById = new Map(access.map((one) => [one.id, one]))
  return due.map((delivery) => {
    if (delivery.eventId > searchedTo) return { ...delivery, isUnread: true }
    const event = events.get(delivery.eventId)
    if (!event) return delivery
    const { isReadable, ...names } = accessById.get(event.id) ?? { isReadable: 0 }
    const { data, previous, cascade, createdAt: at, hops, actorUserId, origin } = event
    return {
      ...delivery,
      ...names,
      ...{ data: isReadable ? data : null, previous, cascade, at, hops, actorUserId, origin },
    }
  })
}
