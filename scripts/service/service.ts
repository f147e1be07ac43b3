import { spawn } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { root, UserProblem } from '../wrangler.ts'

export interface StartedService {
  url: string
  token: string
  /** Signs the owner of the demo workspace in, once. */
  signInUrl: string
  pid: number
  stop(): Promise<void>
}

export async function startService({ port, env }: { port: number; env: NodeJS.ProcessEnv }): Promise<StartedService> {
  const start = [path.join(root, 'scripts', 'service', 'start.ts'), '--port', String(port), '--declared']
  const child = spawn(process.execPath, start, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let written = ''
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      written += chunk
      if (written.includes('Press Ctrl-C to stop')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('exit', () => reject(new UserProblem(`npm start has ended:\n${written}`)))
  })
  const stop = () =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve()
      child.on('exit', () => resolve())
      child.kill('SIGTERM')
    })
  if (written.includes('not complete')) {
    await stop()
    throw new UserProblem(written)
  }
  return {
    url: `http://localhost:${port}`,
    signInUrl: /http\S+\/sign-in\/\S+/.exec(written)?.[0] ?? '',
    token: /\beyJ[\w-]+\.[\w.-]+/.exec(written)?.[0] ?? '',
    pid: child.pid ?? 0,
    stop,
  }
}
