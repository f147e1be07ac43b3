/** Subset of JSONPath: members and positions, no wildcards and no filters. */
export const JSON_PATH_PATTERN = /^\$(?:\.[A-Za-z_][\w-]*|\[\d{1,6}\]|\['[^'\\]+'\])*$/

const JSON_PATH_STEP_PATTERN = /\.([A-Za-z_][\w-]*)|\[(\d{1,6})\]|\['([^'\\]+)'\]/g

export function findValueAtPath(value: unknown, path: string): unknown {
  let found = value
  for (const [, member, place, quoted] of path.matchAll(JSON_PATH_STEP_PATTERN)) {
    const name = member ?? place ?? quoted ?? ''
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}
