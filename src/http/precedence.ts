interface PathShape {
  path: string
  parts: readonly string[]
  /** `/a/{b}/c` → `010`. */
  mask: string
}

const isParameter = (part = '') => part.startsWith('{')

function shapeOf(path: string): PathShape {
  const parts = path.split('/')
  const mask = parts
    .slice(1)
    .map((part) => (isParameter(part) ? '1' : '0'))
    .join('')
  return { path, parts, mask }
}

/** Literals before parameters. */
export function sortByLiterals<T extends { path: string }>(operations: readonly T[]): T[] {
  const shaped = operations.map((operation) => ({ operation, mask: shapeOf(operation.path).mask }))
  return shaped.sort((a, b) => (a.mask === b.mask ? 0 : a.mask < b.mask ? -1 : 1)).map(({ operation }) => operation)
}

const matchCommonRequest = (one: PathShape, other: PathShape) =>
  one.parts.every((part, n) => part === other.parts[n] || isParameter(part) || isParameter(other.parts[n]))

/** By path, the paths that win over the path: they match the same requests, and have an earlier literal. */
export function findPreferredPaths(paths: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const shapes = Array.from(new Set(paths), shapeOf)
  const byLength = Map.groupBy(shapes, ({ parts }) => parts.length)
  return new Map(
    shapes.map((shape) => [
      shape.path,
      (byLength.get(shape.parts.length) ?? [])
        .filter((other) => other.mask < shape.mask && matchCommonRequest(other, shape))
        .map(({ path }) => path),
    ]),
  )
}
