const TEXTS = new Set(['description', 'example', 'examples', 'summary', 'tags', 'title', 'headers', 'links'])
/** Members whose names are names of the API. */
const MAPS = new Set(['properties', 'schemas', 'parameters', 'paths', 'responses'])

function omitTexts<T>(value: T, isMap?: boolean): T
function omitTexts(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => omitTexts(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isMap || !(TEXTS.has(name) || name.startsWith('x-')))
      .map(([name, member]) => [name, omitTexts(member, MAPS.has(name) && !isMap)]),
  )
}

interface Described {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
  components: { schemas: object; parameters: object }
}

/** The document without texts and failures: the part that the comparison of releases reads. */
export function reduceDocument(document: object): object {
  const { paths, components } = document as Described
  const successes = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, op]) => {
        const responses = Object.entries(op.responses).filter(([status]) => status.startsWith('2'))
        return [method, { ...op, responses: Object.fromEntries(responses) }]
      }),
    ),
  ])
  const { schemas, parameters } = components
  return omitTexts({ paths: Object.fromEntries(successes), components: { schemas, parameters } })
}
