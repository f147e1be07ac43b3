import { env } from 'cloudflare:workers'

const buckets = { FILES: env.FILES, FILES_EU: env.FILES_EU }

const METHODS_OF_OBJECTS = new Set<string | symbol>(['get', 'head', 'list', 'put'])

/** Objects of the runtime's R2 have the time of the machine. On another clock, they are as old as their records. */
export function shiftUploads(offset: number): void {
  // The bucket on Node reads the clock of the tests.
  if (offset === 0 || navigator.userAgent !== 'Cloudflare-Workers') return
  const shift = <T>(object: T): T => {
    if (!(object instanceof Object && 'uploaded' in object && object.uploaded instanceof Date)) return object
    Object.defineProperty(object, 'uploaded', { value: new Date(object.uploaded.getTime() + offset) })
    return object
  }
  for (const [name, bucket] of Object.entries(buckets)) {
    const shifted = new Proxy(bucket, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property)
        if (typeof value !== 'function') return value
        if (!METHODS_OF_OBJECTS.has(property)) return value.bind(target)
        return async (...values: unknown[]) => {
          const result: unknown = await value.apply(target, values)
          const { objects } = Object(result)
          if (Array.isArray(objects)) objects.forEach(shift)
          return shift(result)
        }
      },
    })
    Object.assign(env, { [name]: shifted })
  }
}
