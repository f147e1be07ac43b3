import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The time at which each test file begins; empty for the time of the machine. */
    clock: string
  }
}

const MachineDate = globalThis.Date

/** Starts the clock of a test file at the time that `npm test -- --clock` names. Returns the difference in milliseconds. */
export function shiftClock(): number {
  const start = inject('clock')
  if (!start) return 0
  const offset = MachineDate.parse(start) - MachineDate.now()
  const now = () => MachineDate.now() + offset
  globalThis.Date = new Proxy(MachineDate, {
    apply: () => new MachineDate(now()).toString(),
    construct: (date, values: [], target) =>
      Reflect.construct(date, values.length ? values : [now()], target === globalThis.Date ? date : target),
    get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
  })
  return offset
}
