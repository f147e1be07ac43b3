import type { MessageDeps } from '../../../background'

/**
 * Calls to the database and R2 per message. An invocation has 1,000, and handles five messages. The last unit of a message
 * may take 40 calls more.
 */
export const MAX_CALLS_PER_MESSAGE = 150

type CountedDeps = Pick<MessageDeps, 'store' | 'files'>

export interface CallCounter extends CountedDeps {
  readonly calls: number
}

/** Counts the calls of the store and the files, also of uploads in parts. */
export function countCalls<Deps extends CountedDeps>(deps: Deps): Deps & CallCounter {
  let calls = 0
  const countMethods = <T extends object>(inner: T): T =>
    new Proxy(inner, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        if (name === 'resumeMultipartUpload') return (...given: unknown[]) => countMethods(member.apply(target, given))
        return (...given: unknown[]) => {
          calls++
          return member.apply(target, given)
        }
      },
    })
  return {
    ...deps,
    store: (...given) => countMethods(deps.store(...given)),
    files: countMethods(deps.files),
    get calls() {
      return calls
    },
  }
}
