import type { Actor } from '../../db/sql/actor'
import { ApiError } from '../../text/errors'

export const MAX_WAITERS_PER_KEY = 5
export const MAX_WAITERS_PER_WORKSPACE = 20

const WAITER_CHECK_INTERVAL_MS = 250
const FIRST_POLL_DELAY_MS = 1_000
const POLL_INTERVAL_MS = 5_000
// The runtime may end a request without notice after the client hangs up.
const WAITER_LEASE_MS = 3_000
const POLL_LEASE_MS = 4_000
// No poll runs in the last second, because every wait ends with a read.
const POLL_FREE_END_MS = 1_000
const MAX_WAITING_WORKSPACES = 1_000

interface EventWaiter {
  key: string
  seenAt: number
}

/** Plain data, because a request cannot await work of another request. */
interface EventWaiterGroup {
  waiters: Set<EventWaiter>
  newest: number
  polledAt: number
  /** Until this time, only the waiter with the running read asks the database. */
  polledUntil: number
}

const waitersByWorkspace = new Map<number, EventWaiterGroup>()

function removeSilentWaiters(group: EventWaiterGroup, now: number): void {
  for (const waiter of group.waiters) if (waiter.seenAt + WAITER_LEASE_MS <= now) group.waiters.delete(waiter)
}

function removeEmptyWaiterGroups(now: number): void {
  for (const [id, group] of waitersByWorkspace) {
    removeSilentWaiters(group, now)
    if (!group.waiters.size) waitersByWorkspace.delete(id)
  }
}

const tooManyWaitersError = (text: string) => new ApiError('rate_limited', text, { headers: { 'Retry-After': '5' } })

function addWaiter({ subscriptionId, jti }: Actor, now: number): { room: EventWaiterGroup; place: EventWaiter } {
  if (waitersByWorkspace.size >= MAX_WAITING_WORKSPACES) removeEmptyWaiterGroups(now)
  const room = waitersByWorkspace.get(subscriptionId) ?? { waiters: new Set(), newest: 0, polledAt: 0, polledUntil: 0 }
  removeSilentWaiters(room, now)
  const ofKey = Array.from(room.waiters).filter(({ key }) => key === jti).length
  if (ofKey >= MAX_WAITERS_PER_KEY) {
    throw tooManyWaitersError(
      `${ofKey} requests of this API key already wait for events, which is the maximum. Use a single waiting request, or send the request without wait.`,
    )
  }
  if (room.waiters.size >= MAX_WAITERS_PER_WORKSPACE) {
    throw tooManyWaitersError(
      `${room.waiters.size} requests of this workspace already wait for events, which is the maximum. Retry in a few seconds or without wait, or create a webhook.`,
    )
  }
  const place = { key: jti, seenAt: now }
  room.waiters.add(place)
  waitersByWorkspace.set(subscriptionId, room)
  return { room, place }
}

function renewWaiter({ subscriptionId }: Actor, group: EventWaiterGroup, waiter: EventWaiter, now: number): void {
  waiter.seenAt = now
  group.waiters.add(waiter)
  if (!waitersByWorkspace.has(subscriptionId)) waitersByWorkspace.set(subscriptionId, group)
}

function removeWaiter({ subscriptionId }: Actor, group: EventWaiterGroup, waiter: EventWaiter): void {
  group.waiters.delete(waiter)
  if (!group.waiters.size && waitersByWorkspace.get(subscriptionId) === group) waitersByWorkspace.delete(subscriptionId)
}

/** Limit of database reads between the first and the last read of a wait: after 1 s, and every 5 s. */
export const countPolls = (seconds: number) => Math.max(0, Math.ceil((seconds - 2) / (POLL_INTERVAL_MS / 1_000)))

interface WaitForPageOptions<Page> {
  actor: Actor
  seconds: number
  signal: AbortSignal
  read(readUpTo: number, now: number): Promise<Page>
  isAnswer(page: Page): boolean
}

/**
 * The waiters of a workspace share polls: a read by any waiter announces new events to all waiters, and each waiter
 * then reads a page of its own.
 */
export async function waitForEventPage<Page extends { newest: number }>(options: WaitForPageOptions<Page>) {
  const { actor, seconds, signal, isAnswer } = options
  const start = Date.now()
  const { room, place } = addWaiter(actor, start)
  let readUpTo = 0

  async function read(): Promise<Page> {
    const page = await options.read(readUpTo, Date.now())
    readUpTo = Math.max(readUpTo, page.newest)
    room.newest = Math.max(room.newest, readUpTo)
    room.polledAt = Date.now()
    return page
  }

  try {
    let page = await read()
    const deadline = start + seconds * 1_000
    let polls = countPolls(seconds)
    let readAt = Date.now()
    let dueAt = readAt + FIRST_POLL_DELAY_MS
    while (!isAnswer(page) && !signal.aborted) {
      const left = deadline - Date.now()
      if (left <= 0) return await read()
      await scheduler.wait(Math.min(WAITER_CHECK_INTERVAL_MS, left))
      const now = Date.now()
      renewWaiter(actor, room, place, now)
      if (room.polledAt > readAt) dueAt = Math.max(dueAt, room.polledAt + POLL_INTERVAL_MS)
      const isDue = now >= dueAt && now >= room.polledUntil
      if (!polls || now >= deadline - POLL_FREE_END_MS || !(room.newest > readUpTo || isDue)) continue
      polls--
      room.polledUntil = now + POLL_LEASE_MS
      try {
        page = await read()
      } finally {
        room.polledUntil = 0
      }
      readAt = Date.now()
      dueAt = readAt + POLL_INTERVAL_MS
    }
    return page
  } finally {
    removeWaiter(actor, room, place)
  }
}
