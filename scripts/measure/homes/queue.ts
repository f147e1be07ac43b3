// A home as a queue with one server, first come, first served. Times are milliseconds. Nothing here reads a clock or a
// random source of its own, so a run repeats for the same seed.
import type { Random } from '../../../test/random.ts'

/** Requests of one sender, in the order of their arrivals. */
export interface ArrivalStream {
  /** Time of the next arrival. */
  next: number
  /** Takes the next arrival and returns the time that the request occupies the home. */
  take(): number
  /** A sender that waits for each response sends its next request afterwards. */
  finish(at: number): void
}

const fraction = (random: Random) => (random.below(2 ** 32) + 0.5) / 2 ** 32

export const drawExponential = (random: Random, mean: number): number => -mean * Math.log(fraction(random))

/** An open-loop sender: requests arrive at random moments, whether or not earlier requests have a response. */
export function createPoissonStream(random: Random, perSecond: number, drawTime: () => number): ArrivalStream {
  const gap = () => drawExponential(random, 1_000 / perSecond)
  const stream: ArrivalStream = {
    next: gap(),
    take() {
      stream.next += gap()
      return drawTime()
    },
    finish() {},
  }
  return stream
}

const MINUTE_MS = 60_000

/** Connections of one key, each of which sends its next request after the response, until the minute's list is used up. */
export function createBurstStreams(connections: number, listMinute: () => readonly number[]): ArrivalStream[] {
  let minute = 0
  let left = [...listMinute()]
  return Array.from({ length: connections }, (): ArrivalStream => {
    const stream: ArrivalStream = {
      next: 0,
      take() {
        const time = left.pop() ?? 0
        stream.next = Number.POSITIVE_INFINITY
        return time
      },
      finish(at) {
        if (Math.floor(at / MINUTE_MS) > minute) {
          minute = Math.floor(at / MINUTE_MS)
          left = [...listMinute()]
        }
        stream.next = left.length ? at : (minute + 1) * MINUTE_MS
      },
    }
    return stream
  })
}

export interface QueueRun {
  /** Response times (queue and service) of the observed stream, sorted. */
  responses: Float64Array
  meanWait: number
  /** Share of the time that the home is occupied. */
  utilization: number
}

export interface QueueOptions {
  observed: ArrivalStream
  others?: readonly ArrivalStream[]
  /** Requests of the observed stream. */
  requests: number
}

/** Runs the streams through one home until the observed stream has sent its requests. */
export function simulateHome({ observed, others = [], requests }: QueueOptions): QueueRun {
  const responses = new Float64Array(requests)
  const streams = [observed, ...others]
  let free = 0
  let busy = 0
  let waited = 0
  for (let count = 0; count < requests; ) {
    let first = observed
    for (const stream of streams) if (stream.next < first.next) first = stream
    const arrival = first.next
    const time = first.take()
    const wait = Math.max(0, free - arrival)
    free = arrival + wait + time
    busy += time
    first.finish(free)
    if (first !== observed) continue
    responses[count++] = wait + time
    waited += wait
  }
  return { responses: responses.sort(), meanWait: waited / requests, utilization: busy / free }
}

export const percentile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
