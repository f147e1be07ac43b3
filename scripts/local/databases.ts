import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { RunMessage, ServerReply, StartMessage } from './server.ts'

interface DeclaredDatabase {
  binding: string
  database_id?: string
  preview_database_id?: string
}

export interface LocalDatabases {
  /** Runs SQL in a transaction, and returns the rows of each statement. */
  run(binding: string, sql: string): Promise<object[][]>
  close(): Promise<void>
}

/** Opens the databases that `wrangler dev --config … --persist-to …` uses. */
export async function openLocalDatabases(config: string, persistTo: string): Promise<LocalDatabases> {
  // Loaded on demand, because Wrangler is slow to load and most commands need no database.
  const { unstable_readConfig: readConfig, unstable_splitSqlQuery: split } = await import('wrangler')
  const { d1_databases: declared }: { d1_databases: DeclaredDatabase[] } = readConfig({ config })
  // The ids that `wrangler dev` takes.
  const databases = Object.fromEntries(
    declared.map(({ binding, database_id, preview_database_id }) => [
      binding,
      preview_database_id ?? database_id ?? binding,
    ]),
  )
  const server = fork(path.join(import.meta.dirname, 'server.ts'), [], {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let printed = ''
  server.stderr?.on('data', (chunk) => {
    printed += chunk
  })
  const ended = once(server, 'exit')
  const send = (message: StartMessage | RunMessage) =>
    new Promise<object[][]>((resolve, reject) => {
      const fail = () => reject(new Error(`The runtime of the local database ended.\n${printed}`))
      server.once('exit', fail)
      server.once('message', (reply: ServerReply) => {
        server.off('exit', fail)
        if ('error' in reply) reject(new Error(reply.error))
        else resolve(reply.results)
      })
      server.send(message)
    })
  const close = async () => {
    if (server.connected) server.disconnect()
    await ended
  }
  try {
    await send({ databases, storage: path.join(persistTo, 'v3') })
  } catch (error) {
    await close()
    throw error
  }
  return { run: (binding, sql) => send({ binding, statements: split(sql) }), close }
}
