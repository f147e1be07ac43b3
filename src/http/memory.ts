import { ApiError } from '../text/errors'

// An isolate has 128 MB, and serves many requests at once.
const BUDGET = 80 * 1024 * 1024
// Limit per workspace, to leave room for the rest.
const SHARE = BUDGET / 2

let inFlight = 0
const ofSubscription = new Map<number, number>()

/** Bytes of bodies held by a request. A request alone in the isolate is always served, however large. */
export class Held {
  #bytes = 0
  #isOver: (() => void) | undefined

  /**
   * The callback keeps the request alive until the bytes are released, because a request would otherwise end when the
   * caller hangs up.
   */
  constructor(
    private readonly subscription: number,
    private readonly live: (until: Promise<void>) => void,
  ) {}

  take(bytes: number): void {
    if (this.#exceeds(inFlight, bytes, BUDGET) || this.#exceeds(this.#own(), bytes, SHARE)) {
      throw new ApiError(
        'temporarily_unavailable',
        'Too many large bodies arrive at once. Send it again in a moment.',
        {
          headers: { 'Retry-After': '2' },
        },
      )
    }
    if (!this.#isOver) this.live(new Promise((resolve) => (this.#isOver = resolve)))
    this.#add(bytes)
  }

  release(): void {
    this.#add(-this.#bytes)
    this.#isOver?.()
    this.#isOver = undefined
  }

  #exceeds(held: number, bytes: number, limit: number): boolean {
    return held > this.#bytes && held + bytes > limit
  }

  #own(): number {
    return ofSubscription.get(this.subscription) ?? 0
  }

  #add(bytes: number): void {
    this.#bytes += bytes
    inFlight += bytes
    const own = this.#own() + bytes
    if (own) ofSubscription.set(this.subscription, own)
    else ofSubscription.delete(this.subscription)
  }
}
