// Runs SQL in local databases, in a process of its own, because a process that is killed cannot end its runtime.
// `openLocalDatabases` (databases.ts) starts the process.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

export interface StartMessage {
  /** Ids of the databases, by binding. */
  databases: Record<string, string>
  /** Folder of `wrangler dev --persist-to`, with the version of its layout. */
  storage: string
}

/** Statements of one transaction. */
export interface RunMessage {
  binding: string
  statements: string[]
}

export type ServerReply = { results: object[][] } | { error: string }

let miniflare: Miniflare | undefined

process.on('message', async (message: StartMessage | RunMessage) => {
  try {
    process.send?.('storage' in message ? await start(message) : await run(message))
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.message : String(error) })
  }
})
// The parent closes the databases, or has ended.
process.on('disconnect', async () => {
  await miniflare?.dispose()
  process.exit()
})

async function start({ databases, storage }: StartMessage): Promise<ServerReply> {
  const script = readFileSync(path.join(import.meta.dirname, 'worker.js'), 'utf8')
  miniflare = new Miniflare(
    convertV4MiniflareOptions({
      name: 'local-databases',
      modules: [{ type: 'ESModule', path: 'worker.js', contents: script }],
      d1Databases: databases,
      resourcePersistencePath: storage,
      cf: false,
    }),
  )
  await miniflare.ready
  return { results: [] }
}

async function run(message: RunMessage): Promise<ServerReply> {
  const answer = await miniflare?.dispatchFetch('http://localhost/', { method: 'POST', body: JSON.stringify(message) })
  if (!answer?.ok) return { error: (await answer?.text()) ?? 'The runtime has not started.' }
  return { results: (await answer.json()) as object[][] }
}
