const PAUSE_MS = 20
/** Five minutes: the limit finds what never happens, because a slow machine takes many times the usual time. */
const MAX_PAUSES = 15_000

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS))

/** Asks until there is an answer other than undefined. */
export async function pollFor<T>(what: string, find: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (let n = 0; n < MAX_PAUSES; n++) {
    const found = await find()
    if (found !== undefined) return found
    await pause()
  }
  throw new Error(`${what} has not happened within five minutes.`)
}

/** Asks until the condition holds. */
export async function pollUntil(what: string, isMet: () => Promise<boolean> | boolean): Promise<void> {
  await pollFor(what, async () => (await isMet()) || undefined)
}
