// Takes a CPU profile of a worker through the runtime's inspector.

export interface Profile {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number }
    children?: number[]
  }[]
  samples: number[]
  timeDeltas: number[]
}

interface Answered {
  id: number
  result: { profile: Profile }
  error?: { message: string }
}

/** Profiles the worker during `work`. Chrome's tools open the profile. */
export async function profile(inspector: string, work: () => Promise<unknown>): Promise<Profile> {
  const listed = await fetch(new URL('/json', inspector.replace(/^ws/, 'http')))
  const [target] = await listed.json<{ webSocketDebuggerUrl: string }[]>()
  if (!target) throw new Error(`The inspector at ${inspector} has nothing to inspect`)
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`The inspector at ${inspector} does not answer`)))
  })
  const waiting = new Map<number, { resolve: (result: Answered['result']) => void; reject: (error: Error) => void }>()
  let id = 0
  socket.addEventListener('message', ({ data }) => {
    const message: Answered = JSON.parse(String(data))
    const waits = waiting.get(message.id)
    if (!waits) return
    waiting.delete(message.id)
    if (message.error) waits.reject(new Error(message.error.message))
    else waits.resolve(message.result)
  })
  const command = (method: string, params = {}) =>
    new Promise<Answered['result']>((resolve, reject) => {
      waiting.set(++id, { resolve, reject })
      socket.send(JSON.stringify({ id, method, params }))
    })
  try {
    await command('Profiler.enable')
    await command('Profiler.setSamplingInterval', { interval: 100 })
    await command('Profiler.start')
    await work()
    return (await command('Profiler.stop')).profile
  } finally {
    socket.close()
  }
}

interface Hot {
  name: string
  ms: number
  share: number
}

/** The functions of a profile by their own time: name, place, milliseconds, share of the busy time. */
export function hottest(
  { nodes, samples, timeDeltas }: Profile,
  count = 30,
): { busy: number; own: Hot[]; within: Hot[] } {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const own = new Map<string, number>()
  const within = new Map<string, number>()
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const nameOf = ({ callFrame: { functionName, url, lineNumber } }: Profile['nodes'][number]) =>
    `${functionName || '(anonymous)'} ${url.split('/').pop()}:${lineNumber + 1}`
  let busy = 0
  samples.forEach((id, index) => {
    const node = byId.get(id)
    const spent = (timeDeltas[index] ?? 0) / 1000
    if (!node || node.callFrame.functionName === '(idle)') return
    busy += spent
    own.set(nameOf(node), (own.get(nameOf(node)) ?? 0) + spent)
    const seen = new Set<string>()
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const above = byId.get(at)
      const name = above ? nameOf(above) : ''
      if (seen.has(name)) continue
      seen.add(name)
      within.set(name, (within.get(name) ?? 0) + spent)
    }
  })
  const top = (map: Map<string, number>): Hot[] =>
    [...map]
      .sort((a, b) => b[1] - a[1])
      .slice(0, count)
      .map(([name, ms]) => ({ name, ms, share: ms / busy }))
  return { busy, own: top(own), within: top(within) }
}
