import { mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { UserProblem } from '../wrangler.ts'
import { tryToLock } from './lock.ts'

// Systems give higher ports to outgoing connections.
const FIRST_PORT = 20_000
const PORT_COUNT = 10_000

/** Reserves a free port until the end of this process: checks that run at the same time get other ports. */
export async function reservePort(): Promise<number> {
  const folder = path.join(tmpdir(), `groundwork-ports-${userInfo().uid}`)
  mkdirSync(folder, { recursive: true })
  for (let n = 0; n < PORT_COUNT; n++) {
    const port = FIRST_PORT + ((process.pid + n) % PORT_COUNT)
    const file = path.join(folder, String(port))
    if (!tryToLock(file)) continue
    const release = () => rmSync(file, { force: true })
    if (await isPortFree(port)) {
      process.once('exit', release)
      return port
    }
    release()
  }
  throw new UserProblem(`No port from ${FIRST_PORT} to ${FIRST_PORT + PORT_COUNT - 1} is free.`)
}

export const isPortFree = async (port: number): Promise<boolean> =>
  (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'))

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
