import { env } from 'cloudflare:workers'
import { wrapBatches } from '../d1'

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

/** A database that answers late. `afterwards` runs before each answer. */
export const slowDatabase = (d1: D1Database, milliseconds: number, afterwards = () => {}): D1Database =>
  wrapBatches(d1, async (run) => {
    await scheduler.wait(milliseconds)
    const results = await run()
    afterwards()
    return results
  })
