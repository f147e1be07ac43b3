import { ApiError } from '../text/errors'

// An isolate has 128 MB, and serves many requests at once.
const MAX_BODY_BYTES_IN_FLIGHT = 80 * 1024 * 1024
// Limit per workspace, to leave room for the rest.
const MAX_BODY_BYTES_PER_WORKSPACE = MAX_BODY_BYTES_IN_FLIGHT / 2

let bodyBytesInFlight = 0
const bodyBytesByWorkspace = new Map<number, number>()

/** Bytes of bodies held by a request. A request alone in the isolate is always served, however large. */
export class BodyMemory {
  #bytes = 0
  #isOver: (() => void) | undefined

  /** `keepAlive` delays the end of the request, because a request would otherwise end when the caller hangs up. */
  constructor(
    private readonly subscription: number,
    private readonly keepAlive: (until: Promise<void>) => void,
  ) {}

  reserve(bytes: number): void {
    if (
      this.#exceeds(bodyBytesInFlight, bytes, MAX_BODY_BYTES_IN_FLIGHT) ||
      this.#exceeds(this.#own(), bytes, MAX_BODY_BYTES_PER_WORKSPACE)
    ) {
      throw new ApiError(
        'temporarily_unavailable',
        'Too many large bodies arrive at once. Send the request again in a moment.',
        {
          headers: { 'Retry-After': '2' },
        },
      )
    }
    if (!this.#isOver) this.keepAlive(new Promise((resolve) => (this.#isOver = resolve)))
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
    return bodyBytesByWorkspace.get(this.subscription) ?? 0
  }

  #add(bytes: number): void {
    this.#bytes += bytes
    bodyBytesInFlight += bytes
    const own = this.#own() + bytes
    if (own) bodyBytesByWorkspace.set(this.subscription, own)
    else bodyBytesByWorkspace.delete(this.subscription)
  }
}
