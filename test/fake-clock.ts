import { onTestFinished, vi } from 'vitest'

interface Sleeper {
  until: number
  wake(): void
}

export interface FakeClock {
  /** Adds work whose sleeps the clock ends. The clock stands still while the work does anything but sleep. */
  follow<T>(work: Promise<T>): Promise<T>
  /** Resolves when all followed work sleeps or has ended. */
  idle(): Promise<void>
  /** Lets the time pass, with all sleeps that end in it. */
  advance(milliseconds: number): Promise<void>
  /** Lets the time pass until the followed work has ended. */
  finish<T>(work: Promise<T>): Promise<T>
}

/** Stops the time until the end of the test. `vi.setSystemTime` moves it. */
export function freezeTime(now = Date.now()): void {
  vi.useFakeTimers({ toFake: ['Date'], now })
  onTestFinished(() => void vi.useRealTimers())
}

/** Replaces `Date` and `scheduler.wait` until the end of the test. The time passes only through the methods. */
export function createFakeClock(): FakeClock {
  const sleepers = new Set<Sleeper>()
  let runningCount = 0
  let change = Promise.withResolvers<void>()
  const announceChange = () => {
    change.resolve()
    change = Promise.withResolvers<void>()
  }

  freezeTime()
  const sleep = vi.spyOn(scheduler, 'wait').mockImplementation((milliseconds) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    sleepers.add({ until: Date.now() + milliseconds, wake: resolve })
    announceChange()
    return promise
  })
  onTestFinished(() => sleep.mockRestore())

  async function idle(): Promise<void> {
    while (sleepers.size < runningCount) await change.promise
  }

  function setTime(time: number): void {
    vi.setSystemTime(time)
    for (const sleeper of sleepers) {
      if (sleeper.until > time) continue
      sleepers.delete(sleeper)
      sleeper.wake()
    }
  }

  const nextTime = () => Math.min(...Array.from(sleepers, ({ until }) => until))

  return {
    follow(work) {
      runningCount++
      const end = () => {
        runningCount--
        announceChange()
      }
      work.then(end, end)
      return work
    },
    idle,
    async advance(milliseconds) {
      const end = Date.now() + milliseconds
      await idle()
      while (nextTime() <= end) {
        setTime(nextTime())
        await idle()
      }
      setTime(end)
    },
    async finish(work) {
      let hasEnded = false
      const end = () => {
        hasEnded = true
        announceChange()
      }
      work.then(end, end)
      await idle()
      while (!hasEnded) {
        if (sleepers.size) setTime(nextTime())
        else await change.promise
        await idle()
      }
      return work
    },
  }
}

interface HeldTimer {
  elapse(): void
}

const NO_TIMER = 0

/** Takes the timer that the same step of the program sets next. The timer ends only through `elapse`. */
export function holdNextTimer(): HeldTimer {
  const { setTimeout } = globalThis
  const timer: HeldTimer = { elapse() {} }
  const restore = () => {
    globalThis.setTimeout = setTimeout
  }
  globalThis.setTimeout = ((work: () => void) => {
    timer.elapse = work
    restore()
    return NO_TIMER
  }) as never
  queueMicrotask(restore)
  return timer
}

/** Takes all timers of this length until the end of the test. `elapse` ends those that have been set. */
export function holdTimers(milliseconds: number): HeldTimer {
  const { setTimeout } = globalThis
  const held: (() => void)[] = []
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    work: () => void,
    length?: number,
    ...values: unknown[]
  ) => {
    // Clients of Node hand values to their timers.
    if (length !== milliseconds) return Reflect.apply(setTimeout, globalThis, [work, length, ...values])
    held.push(work)
    return NO_TIMER
  }) as never)
  onTestFinished(() => spy.mockRestore())
  return {
    elapse() {
      for (const work of held.splice(0)) work()
    },
  }
}
