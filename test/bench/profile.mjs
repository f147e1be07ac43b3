// A CPU profile of a worker, through the runtime's inspector.

/** Profiles whatever `work` makes the worker do; gives a profile as Chrome's tools open it. */
export async function profile(inspector, work) {
  const listed = await fetch(new URL('/json', inspector.replace(/^ws/, 'http')))
  const [target] = await listed.json()
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error(`The inspector at ${target.webSocketDebuggerUrl} does not answer`))
  })
  const waiting = new Map()
  let id = 0
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data)
    const waits = waiting.get(message.id)
    if (!waits) return
    waiting.delete(message.id)
    if (message.error) waits.reject(new Error(message.error.message))
    else waits.resolve(message.result)
  }
  const command = (method, params = {}) =>
    new Promise((resolve, reject) => {
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

/** The functions of a profile by the time spent in themselves: name, place, milliseconds, share of the time that was not idle. */
export function hottest({ nodes, samples, timeDeltas }, count = 30) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const own = new Map()
  const within = new Map()
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const nameOf = ({ callFrame: { functionName, url, lineNumber } }) =>
    `${functionName || '(anonymous)'} ${url.split('/').pop()}:${lineNumber + 1}`
  let busy = 0
  samples.forEach((id, index) => {
    const node = byId.get(id)
    const spent = timeDeltas[index] / 1000
    if (node.callFrame.functionName === '(idle)') return
    busy += spent
    own.set(nameOf(node), (own.get(nameOf(node)) ?? 0) + spent)
    const seen = new Set()
    for (let at = id; at !== undefined; at = parents.get(at)) {
      const name = nameOf(byId.get(at))
      if (seen.has(name)) continue
      seen.add(name)
      within.set(name, (within.get(name) ?? 0) + spent)
    }
  })
  const top = (map) =>
    [...map]
      .sort((a, b) => b[1] - a[1])
      .slice(0, count)
      .map(([name, ms]) => ({ name, ms, share: ms / busy }))
  return { busy, own: top(own), within: top(within) }
}
