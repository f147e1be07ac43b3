/** The parts of a worker of Vitest that map stacks to sources. */
interface ModuleGraph {
  getModuleById(id: string): { meta?: { code?: string } } | undefined
  getModuleSourceMapById(id: string): unknown
}

const OF_VITEST = '\n//# vitestSourceMap='
const OF_VITE = '\n//# sourceMappingURL=data:application/json;base64,'

/**
 * Gives stacks the lines of the sources. Vitest 5 appends source maps to modules in a form of its own, which the module
 * runner of Vite does not read in the Workers runtime.
 */
export function mapStacks(): void {
  const worker: { evaluatedModules?: ModuleGraph } = Reflect.get(globalThis, '__vitest_worker__') ?? {}
  const graph = worker.evaluatedModules
  if (!graph || Object.hasOwn(graph, 'getModuleSourceMapById')) return
  const original = graph.getModuleSourceMapById.bind(graph)
  graph.getModuleSourceMapById = (id) => {
    const { meta } = graph.getModuleById(id) ?? {}
    const at = meta?.code?.lastIndexOf(OF_VITEST) ?? -1
    if (meta?.code && at >= 0 && !meta.code.includes(OF_VITE)) {
      const bytes = new TextEncoder().encode(meta.code.slice(at + OF_VITEST.length))
      const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
      meta.code += OF_VITE + btoa(binary)
    }
    return original(id)
  }
}
