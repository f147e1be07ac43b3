import { batch, computed, signal } from '@preact/signals'
import { listenToChanges } from './live'

const PAUSE_MS = 500

/** A change that is shown, and that the service has not confirmed yet. */
interface Pending<State> {
  apply: (state: State) => State
  /** Keys of the records that the change shows. */
  keys: readonly string[]
}

export interface Failed {
  title: string
  error: unknown
  retry: () => void
}

interface OptimisticOptions<State> {
  load: (signal: AbortSignal) => Promise<State>
  /** Resources of which a change by somebody else changes the state. */
  resources: readonly string[]
}

/** The state of the service with the changes of this page on top. */
export function createOptimistic<State>({ load, resources }: OptimisticOptions<State>) {
  const stored = signal<State | undefined>(undefined)
  const pending = signal<readonly Pending<State>[]>([])
  const error = signal<unknown>(undefined)
  const failure = signal<Failed | undefined>(undefined)
  const shown = computed(
    () => stored.value && pending.value.reduce((state: State, { apply }) => apply(state), stored.value),
  )
  /** Keys of the records whose change is on its way. */
  const sending = computed(() => new Set(pending.value.flatMap(({ keys }) => keys)))
  const closing = new AbortController()
  let reads = 0

  async function read(): Promise<void> {
    const own = ++reads
    try {
      const found = await load(closing.signal)
      if (own !== reads) return
      batch(() => {
        stored.value = found
        error.value = undefined
      })
    } catch (cause) {
      if (!closing.signal.aborted && own === reads) error.value = cause
    }
  }

  let queue = Promise.resolve()
  /** Shows the change at once, sends it after the changes before, and reads the state again. */
  function run(
    title: string,
    apply: (state: State) => State,
    send: () => Promise<unknown>,
    keys: readonly string[] = [],
  ): Promise<void> {
    const change = { apply, keys }
    pending.value = [...pending.value, change]
    failure.value = undefined
    queue = queue.then(async () => {
      try {
        await send()
        await read()
      } catch (cause) {
        failure.value = { title, error: cause, retry: () => void run(title, apply, send, keys) }
      } finally {
        pending.value = pending.value.filter((other) => other !== change)
      }
    })
    return queue
  }

  /** Reads again after changes of somebody else. */
  function follow(): () => void {
    let timer: number | undefined
    const stop = listenToChanges(({ resource }) => {
      if (!resources.includes(resource)) return
      clearTimeout(timer)
      timer = window.setTimeout(() => pending.value.length || void read(), PAUSE_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
      closing.abort()
    }
  }

  return { stored, shown, pending, sending, error, failure, read, run, follow }
}
