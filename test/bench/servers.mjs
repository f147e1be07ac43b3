// The processes that serve the two workers, and what they are given.
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readD1Migrations } from '@cloudflare/vitest-plugin'
import { unstable_readConfig as readConfig } from 'wrangler'
import { root, wrangler } from '../../scripts/wrangler.mjs'
import { signKey } from '../../src/http/token.ts'
import { seed } from './data.mjs'
import { MAILED } from './operations.mjs'

const here = import.meta.dirname

/** Builds a worker as `wrangler deploy` does; gives its one module. */
export async function build({ folder, args = [] }) {
  await wrangler(['deploy', '--dry-run', '--env', 'production', '--outdir', folder, ...args])
  return readFile(path.join(folder, 'index.js'), 'utf8')
}

export const read = (name) => readFile(path.join(here, name), 'utf8')

const JTI = 'bench'

/** What a run shares: the configuration of the deployed worker, secrets made for this run, and a key. */
export async function makeWorld() {
  const config = readConfig({ config: path.join(root, 'wrangler.toml'), env: 'production' })
  const secrets = `bench:${randomBytes(32).toString('base64url')}`
  const issuedAt = Date.now()
  const token = await signKey(secrets, {
    subscriptionId: 1,
    userId: 1,
    jti: JTI,
    scopes: ['*'],
    products: null,
    issuedAt,
    expiresAt: issuedAt + 86_400_000,
  })
  return {
    compatibilityDate: config.compatibility_date,
    bindings: { ...config.vars, SIGNING_SECRETS: secrets },
    apiKey: `Bearer ${token}`,
    migrations: (await readD1Migrations(path.join(root, 'migrations'))).flatMap(({ queries }) => queries),
  }
}

/**
 * Serves `worker` (a module's text) over a fresh database of `size` records. `far`: milliseconds before each D1 call;
 * `emulated`: with the local runtime's own rate limit (see front.js).
 */
export async function serve(
  world,
  { worker, bindings = {}, size, tap = false, far = 0, emulated = false, inspector = false },
) {
  const storage = await mkdtemp(path.join(tmpdir(), 'groundwork-bench-'))
  const child = fork(path.join(here, 'server.mjs'), [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ask = (message) =>
    new Promise((resolve, reject) => {
      const lost = () => reject(new Error('A server of the bench ended'))
      child.once('exit', lost)
      child.once('message', ({ answer, error }) => {
        child.off('exit', lost)
        if (error) reject(new Error(error))
        else resolve(answer)
      })
      child.send(message)
    })
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode === null && child.connected) {
      child.send({ kind: 'stop' })
      await ended
    }
  }
  try {
    const around = tap || far > 0 ? ['tap.js', 'front.js'] : emulated ? [] : ['front.js']
    const modules = await Promise.all(around.map(async (name) => ({ name, contents: await read(name) })))
    modules.push({ name: 'worker.js', contents: worker })
    const { compatibilityDate } = world
    const given = { ...world.bindings, ...bindings, FAR: far }
    const {
      url,
      runtime,
      inspector: inspected,
    } = await ask({
      kind: 'start',
      modules,
      compatibilityDate,
      bindings: given,
      storage,
      inspector,
    })
    await ask({ kind: 'run', statements: [...world.migrations, ...seed({ size, mailed: MAILED, jti: JTI })] })
    return { url, runtime, inspector: inspected, cpu: () => ask({ kind: 'cpu' }), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
