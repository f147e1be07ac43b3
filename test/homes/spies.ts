import { env } from 'cloudflare:workers'

const watch = <T extends object>(of: T, name: string, calls: string[], watched: readonly string[]): T =>
  new Proxy(of, {
    get(target, property) {
      const value = Reflect.get(target, property)
      if (watched.includes(String(property))) calls.push(`${name}.${String(property)}`)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** The database and the bucket of the other home. Each call is noted. */
export function spyBindings() {
  const calls: string[] = []
  return {
    calls,
    bindings: {
      DB_EU: watch(env.DB_EU, 'DB_EU', calls, ['prepare', 'batch', 'exec', 'withSession']),
      FILES_EU: watch(env.FILES_EU, 'FILES_EU', calls, [
        'get',
        'put',
        'head',
        'list',
        'delete',
        'createMultipartUpload',
      ]),
    },
  }
}

type RunBatch = () => Promise<D1Result[]>

/** A database whose sessions run each batch as `around` says. */
export const wrapBatches = (
  d1: D1Database,
  around: (run: RunBatch, statements: readonly D1PreparedStatement[]) => Promise<D1Result[]>,
): D1Database =>
  new Proxy(d1, {
    get: (target, property) => {
      if (property !== 'withSession') return Reflect.get(target, property)
      return (constraint: string) => {
        const session = target.withSession(constraint)
        return {
          prepare: (text: string) => session.prepare(text),
          getBookmark: () => session.getBookmark(),
          batch: (statements: D1PreparedStatement[]) => around(() => session.batch(statements), statements),
        }
      }
    },
  })

/** A database that answers late. `afterwards` runs before each answer. */
export const slowDatabase = (d1: D1Database, milliseconds: number, afterwards = () => {}): D1Database =>
  wrapBatches(d1, async (run) => {
    await scheduler.wait(milliseconds)
    const results = await run()
    afterwards()
    return results
  })
