import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { UserProblem } from '../wrangler.ts'

// A sample stops the Worker for about a second.
const MS_BETWEEN_SAMPLES = 1_000

const SNAPSHOT_PART = '{"method":"HeapProfiler.addHeapSnapshotChunk"'

/** Bytes in use after a collection of garbage: objects, and buffers outside of the heap. */
interface HeapUsage {
  usedSize: number
  backingStorageSize?: number
}

export async function findFreePort(): Promise<number> {
  const server = createServer()
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
  await new Promise((resolve) => server.close(resolve))
  return port
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
  const waiting = new Map<number, (result: unknown) => void>()
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const text = String(data)
    if (text.startsWith(SNAPSHOT_PART)) return
    const { id, result } = JSON.parse(text) as { id: number; result: unknown }
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  const send = <Result>(method: string) => {
    const id = ++last
    const answer = new Promise<Result>((resolve) => waiting.set(id, resolve as (result: unknown) => void))
    socket.send(JSON.stringify({ id, method }))
    return answer
  }
  const measure = async () => {
    // The runtime has no command for a collection of garbage, and a snapshot begins with one.
    await send('HeapProfiler.takeHeapSnapshot')
    const { usedSize, backingStorageSize = 0 } = await send<HeapUsage>('Runtime.getHeapUsage')
    return usedSize + backingStorageSize
  }
  await send('Runtime.enable')
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
