import type { Actor } from '../../db/actor'
import { ApiError } from '../../text/errors'

export const MAX_WAITERS_OF_KEY = 5
export const MAX_WAITERS_OF_WORKSPACE = 20

// Milliseconds between a waiter's looks at the shared state, without a database read.
const TICK = 250
const FIRST_INTERVAL = 1_000
const INTERVAL = 5_000
// Milliseconds of silence until a waiter loses the place, because the runtime may end a request without notice after
// the client hangs up.
const LEASE = 3_000
// Milliseconds of a read before another waiter takes over.
const POLL_LEASE = 4_000
// No poll runs in the last second, because every wait ends with a read.
const LAST_SECOND = 1_000
const MAX_ROOMS = 1_000

interface Place {
  key: string
  seenAt: number
}

/**
 * Shared state of a workspace's waiters. The state is plain data, because a request cannot await work of another
 * request.
 */
interface Room {
  places: Set<Place>
  /** Newest event read by any waiter. */
  newest: number
  polledAt: number
  /** Until this time, only the waiter with the running read asks the database. */
  polledUntil: number
}

const rooms = new Map<number, Room>()

function leaveSilent(room: Room, now: number): void {
  for (const place of room.places) if (place.seenAt + LEASE <= now) room.places.delete(place)
}

function forgetEmptyRooms(now: number): void {
  for (const [id, room] of rooms) {
    leaveSilent(room, now)
    if (!room.places.size) rooms.delete(id)
  }
}

const tooMany = (message: string) => new ApiError('rate_limited', message, { headers: { 'Retry-After': '5' } })

function enter({ subscriptionId, jti }: Actor, now: number): { room: Room; place: Place } {
  if (rooms.size >= MAX_ROOMS) forgetEmptyRooms(now)
  const room = rooms.get(subscriptionId) ?? { places: new Set(), newest: 0, polledAt: 0, polledUntil: 0 }
  leaveSilent(room, now)
  const ofKey = Array.from(room.places).filter(({ key }) => key === jti).length
  if (ofKey >= MAX_WAITERS_OF_KEY) {
    throw tooMany(
      `${ofKey} requests of this API key wait for events already, the most there may be. Follow the log with one of them, or ask without wait.`,
    )
  }
  if (room.places.size >= MAX_WAITERS_OF_WORKSPACE) {
    throw tooMany(
      `${room.places.size} requests of this workspace wait for events already, the most there may be. Ask again in a few seconds, ask without wait, or have events delivered by a webhook.`,
    )
  }
  const place = { key: jti, seenAt: now }
  room.places.add(place)
  rooms.set(subscriptionId, room)
  return { room, place }
}

function stay({ subscriptionId }: Actor, room: Room, place: Place, now: number): void {
  place.seenAt = now
  room.places.add(place)
  if (!rooms.has(subscriptionId)) rooms.set(subscriptionId, room)
}

function leave({ subscriptionId }: Actor, room: Room, place: Place): void {
  room.places.delete(place)
  if (!room.places.size && rooms.get(subscriptionId) === room) rooms.delete(subscriptionId)
}

/** Limit of database reads between the first and the last read of a wait: after 1 s, and every 5 s. */
export const pollsWithin = (seconds: number): number => Math.max(0, Math.ceil((seconds - 2) / (INTERVAL / 1_000)))

interface Waiting<Page> {
  actor: Actor
  seconds: number
  /** Aborted when the client hangs up. */
  signal: AbortSignal
  /** Reads the waiter's page after `readUpTo` with the waiter's own key. */
  read(readUpTo: number, now: number): Promise<Page>
  isAnswer(page: Page): boolean
}

/**
 * Reads until a page has an answer or the time is over. The waiters of a workspace share polls: a read by any waiter
 * announces new events to all waiters. Each waiter reads an own page only after an announcement, for a due poll and at
 * the end.
 */
export async function waitFor<Page extends { newest: number }>(waiting: Waiting<Page>): Promise<Page> {
  const { actor, seconds, signal, isAnswer } = waiting
  const start = Date.now()
  const { room, place } = enter(actor, start)
  let readUpTo = 0

  async function read(): Promise<Page> {
    const page = await waiting.read(readUpTo, Date.now())
    readUpTo = Math.max(readUpTo, page.newest)
    room.newest = Math.max(room.newest, readUpTo)
    room.polledAt = Date.now()
    return page
  }

  try {
    let page = await read()
    const deadline = start + seconds * 1_000
    let polls = pollsWithin(seconds)
    let readAt = Date.now()
    let dueAt = readAt + FIRST_INTERVAL
    while (!isAnswer(page) && !signal.aborted) {
      const left = deadline - Date.now()
      if (left <= 0) return await read()
      await scheduler.wait(Math.min(TICK, left))
      const now = Date.now()
      stay(actor, room, place, now)
      if (room.polledAt > readAt) dueAt = Math.max(dueAt, room.polledAt + INTERVAL)
      const isDue = now >= dueAt && now >= room.polledUntil
      if (!polls || now >= deadline - LAST_SECOND || !(room.newest > readUpTo || isDue)) continue
      polls--
      room.polledUntil = now + POLL_LEASE
      try {
        page = await read()
      } finally {
        room.polledUntil = 0
      }
      readAt = Date.now()
      dueAt = readAt + INTERVAL
    }
    return page
  } finally {
    leave(actor, room, place)
  }
}
