import type { Actor } from '../../db/actor'
import { ApiError } from '../../text/errors'

/** Requests of one API key that may wait at once in this isolate. */
export const MAX_WAITERS_OF_KEY = 5
/** Requests of one workspace. */
export const MAX_WAITERS_OF_WORKSPACE = 20

// Milliseconds. A waiter looks at what the others have read each TICK, which asks the database nothing.
const TICK = 250
const FIRST_INTERVAL = 1_000
const INTERVAL = 5_000
// The runtime may end a waiter whose client has hung up without a word: its place is free once it is silent for so long.
const LEASE = 3_000
// A read that takes longer is taken over by another waiter.
const POLL_LEASE = 4_000
// The last read of a wait is a poll: none comes shortly before it.
const LAST_SECOND = 1_000
const MAX_ROOMS = 1_000

interface Place {
  key: string
  seenAt: number
}

/** What the waiters of one workspace share: plain data, as a request cannot wait for the work of another one. */
interface Room {
  places: Set<Place>
  /** The newest event that any of them has read of. */
  newest: number
  polledAt: number
  /** Until when others leave the database to the waiter that is asking it. */
  polledUntil: number
}

const rooms = new Map<number, Room>()

function leaveSilent(room: Room, now: number): void {
  for (const place of room.places) if (place.seenAt + LEASE <= now) room.places.delete(place)
}

/** Forgets workspaces whose waiters have all hung up. */
function forgetEmptyRooms(now: number): void {
  for (const [id, room] of rooms) {
    leaveSilent(room, now)
    if (!room.places.size) rooms.delete(id)
  }
}

const tooMany = (message: string) => new ApiError('rate_limited', message, { headers: { 'Retry-After': '5' } })

/** Takes a place among the waiters of the key's workspace, or refuses with a 429. */
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

/** How often a wait of so many seconds may ask the database between its first and its last read: after 1 s, then each 5 s. */
export const pollsWithin = (seconds: number): number => Math.max(0, Math.ceil((seconds - 2) / (INTERVAL / 1_000)))

interface Waiting<Page> {
  actor: Actor
  seconds: number
  /** Aborted when the client has hung up: the wait ends then. */
  signal: AbortSignal
  /** Reads the waiter's own page, with its own key, behind the event that it has read up to. */
  read(readUpTo: number, now: number): Promise<Page>
  isAnswer(page: Page): boolean
}

/**
 * Reads until there is an answer or the time is over. The waiters of a workspace poll for each other: what one of them
 * reads tells all whether there is anything new, and a waiter reads its own page only then, and at the end.
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
