import { setTimeout } from 'node:timers/promises'
import { UserProblem } from '../wrangler.ts'

// A sample stops the Worker for about a second.
const MS_BETWEEN_SAMPLES = 1_000

const SNAPSHOT_PART = 'HeapProfiler.addHeapSnapshotChunk'

interface Message {
  id?: number
  method?: string
  params?: { chunk: string }
}

interface HeapSnapshot {
  snapshot: { meta: { node_fields: string[] } }
  nodes: number[]
}

/** Bytes of all objects that can be reached, and of their buffers. Garbage is not part of a snapshot. */
function sumReachableBytes({ snapshot, nodes }: HeapSnapshot): number {
  const fields = snapshot.meta.node_fields
  let sum = 0
  for (let at = fields.indexOf('self_size'); at < nodes.length; at += fields.length) sum += nodes[at] ?? 0
  return sum
}

/** Watches the memory of the Worker alone, without the database and the bucket of the local runtime. */
export async function watchHeap(inspectorPort: number, worker: string) {
  const targets: { id: string; webSocketDebuggerUrl: string }[] = await (
    await fetch(`http://127.0.0.1:${inspectorPort}/json`)
  ).json()
  const target = targets.find(({ id }) => id.endsWith(`:${worker}`))
  if (!target) throw new UserProblem(`The runtime has no Worker ${worker}: ${targets.map(({ id }) => id).join(', ')}`)
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const waiting = new Map<number, () => void>()
  let chunks: string[] = []
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params }: Message = JSON.parse(String(data))
    if (method === SNAPSHOT_PART && params) chunks.push(params.chunk)
    if (id === undefined) return
    waiting.get(id)?.()
    waiting.delete(id)
  })
  const send = (method: string) => {
    const id = ++last
    const answer = new Promise<void>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method }))
    return answer
  }
  const measure = async () => {
    chunks = []
    await send('HeapProfiler.takeHeapSnapshot')
    return sumReachableBytes(JSON.parse(chunks.join('')))
  }
  await send('HeapProfiler.enable')
  return {
    measure,
    /** The most bytes in use during the work. */
    async watch<Result>(work: () => Promise<Result>): Promise<{ result: Result; maxBytes: number }> {
      let [isDone, maxBytes] = [false, 0]
      const samples = (async () => {
        while (!isDone) {
          maxBytes = Math.max(maxBytes, await measure())
          await setTimeout(MS_BETWEEN_SAMPLES)
        }
      })()
      const result = await work().finally(() => {
        isDone = true
      })
      await samples
      return { result, maxBytes }
    },
    close: () => socket.close(),
  }
}
