import { ApiError } from '../text/errors'

// An isolate has 128 MB, and serves many requests at once.
const BUDGET = 80 * 1024 * 1024

let inFlight = 0

/** The bytes of bodies that a request holds. One that is alone is served, however large it is. */
export class Held {
  #bytes = 0

  take(bytes: number): void {
    const others = inFlight - this.#bytes
    if (others > 0 && inFlight + bytes > BUDGET) {
      throw new ApiError(
        'temporarily_unavailable',
        'Too many large bodies arrive at once. Send it again in a moment.',
        {
          headers: { 'Retry-After': '2' },
        },
      )
    }
    inFlight += bytes
    this.#bytes += bytes
  }

  release(): void {
    inFlight -= this.#bytes
    this.#bytes = 0
  }
}
