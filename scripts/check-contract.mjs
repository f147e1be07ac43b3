// npm run check:contract: instruments of others hold the running service against its OpenAPI document.
//   --seed N       repeats the requests of an earlier run
//   --only a,b     some of: redocly, spectral, types, traffic, fuzz
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import './leash.mjs'
import { run } from './checks.mjs'
import { freePort, startService } from './service.mjs'
import { main, Problem, quiet, root } from './wrangler.mjs'

const OUTSIDE = path.join(root, 'test', 'outside')
const MADE = path.join(root, 'dist', 'contract')
const DOCUMENT = path.join(MADE, 'openapi.json')
const TYPES = path.join(MADE, 'openapi.d.ts')
const TRAFFIC = path.join(MADE, 'traffic.har')
const LEASH = path.join(root, 'scripts', 'leash.mjs')
const REDOCLY = path.join(root, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js')
const outside = (name) => path.join('..', '..', 'test', 'outside', 'node_modules', '.bin', name)

// What the tour does not bring about at every operation that documents it: conflicts have causes of their own, 10 MiB
// are sent once, and faults are the suite's (test/db/faults.test.ts).
const ELSEWHERE = new Set(['405', '409', '413', '500', '503'])

/** What test/outside needs is its own: running the service does not install it. */
async function install() {
  const wanted = readFileSync(path.join(OUTSIDE, 'package-lock.json'), 'utf8')
  const mark = path.join(OUTSIDE, 'node_modules', '.installed')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  console.log('Installing the instruments (half a minute, the first time) …')
  const code = await exec('npm', ['ci', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'], {
    cwd: OUTSIDE,
  })
  if (code !== 0) throw new Problem('The packages of test/outside could not be installed: npm says why above.')
  writeFileSync(mark, wanted)
}

function exec(file, args, { cwd = root, stdio = ['ignore', 'ignore', 'inherit'] } = {}) {
  const child = spawn(file, args, { cwd, stdio, env: { ...process.env, ...quiet } })
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
}

/** Redocly's proxy between the tour and the service; `stop` writes down what went through it. */
async function record(target) {
  const port = await freePort()
  const options = ['--target', target, '--port', String(port), '--har', TRAFFIC]
  const child = spawn(process.execPath, ['--import', LEASH, REDOCLY, 'proxy', ...options], {
    cwd: root,
    env: { ...process.env, ...quiet },
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  let written = ''
  await new Promise((resolve, reject) => {
    const read = (chunk) => {
      written += chunk
      if (written.includes('Press Ctrl+C')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    ended.then(() => reject(new Problem(`The recording proxy ended:\n${written}`)))
  })
  const stop = () => {
    child.kill('SIGINT')
    return ended
  }
  return { url: `http://127.0.0.1:${port}`, stop }
}

/** The tour and the sample client, recorded; then what the instruments find in the record. */
async function traffic({ url, token }) {
  const document = JSON.parse(readFileSync(DOCUMENT, 'utf8'))
  const { tour } = await import('../test/outside/tour.mjs')
  const { walk } = await import('../test/outside/client.ts')
  const direct = url.replace('localhost', '127.0.0.1')
  rmSync(TRAFFIC, { force: true })
  const found = []
  const proxy = await record(direct)
  try {
    found.push(...(await tour({ url: proxy.url, direct, token, document })))
    const seen = Object.entries(await walk(proxy.url, token, 'GW-DEMO'))
    const unseen = seen.filter(([, value]) => value === undefined).map(([name]) => name)
    found.push(...unseen.map((name) => `The sample client did not get ${name}`))
  } finally {
    await proxy.stop()
  }
  const { entries } = JSON.parse(readFileSync(TRAFFIC, 'utf8')).log
  const { findings } = await import('../test/outside/prism.mjs')
  found.push(
    ...(await drift(direct)),
    ...(await findings(document, entries)).map((finding) => `Prism: ${finding}`),
    ...entries
      .filter(({ response }) => response.status >= 500)
      .map(({ request, response }) => `${request.method} ${request.url} ${response.status}: a fault of the service`),
  )
  console.log(`${entries.length} requests recorded`)
  return told(found)
}

async function drift(server) {
  const report = path.join(MADE, 'drift.json')
  const coverage = path.join(MADE, 'coverage.json')
  rmSync(report, { force: true })
  // The header of the security scheme, which drift looks for among the parameters.
  const options = ['--api', DOCUMENT, '--server', server, '--ignore-headers', 'x-api-key', '--format', 'json']
  const reports = ['--output', report, '--coverage-output', coverage]
  await exec(process.execPath, [REDOCLY, 'drift', TRAFFIC, ...options, ...reports], { stdio: 'ignore' })
  if (!existsSync(report)) throw new Problem('redocly drift wrote no report.')
  const { problems } = JSON.parse(readFileSync(report, 'utf8'))
  const unmet = JSON.parse(readFileSync(coverage, 'utf8')).operations.flatMap(({ operationId, missing }) =>
    missing
      .filter(({ kind, status }) => kind === 'operation' || (kind === 'response' && !ELSEWHERE.has(status)))
      .map(({ status }) => `Coverage: no request brought about ${operationId} ${status ?? 'at all'}`),
  )
  return [
    ...problems.map(({ method, path, status, message }) => `drift: ${method} ${path} ${status}: ${message}`),
    ...unmet,
  ]
}

function told(found) {
  for (const finding of found.slice(0, 50)) console.log(`  ${finding}`)
  if (found.length > 50) console.log(`  … and ${found.length - 50} more`)
  return found.length === 0
}

await main(async () => {
  const { values } = parseArgs({ options: { seed: { type: 'string' }, only: { type: 'string' } } })
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9))
  if (!Number.isInteger(seed)) throw new Problem(`--seed must be a whole number: not "${values.seed}".`)
  await install()
  mkdirSync(MADE, { recursive: true })
  const state = mkdtempSync(path.join(tmpdir(), 'groundwork-contract-'))
  const service = await startService({ port: await freePort(), env: { ...process.env, GROUNDWORK_STATE: state } })
  const ok = async (...command) => (await run(command)) === 0
  const checks = {
    redocly: () => ok('redocly', 'lint', DOCUMENT, '--extends=recommended-strict'),
    spectral: () =>
      ok(
        outside('spectral'),
        'lint',
        DOCUMENT,
        '--ruleset',
        path.join(OUTSIDE, 'spectral.yaml'),
        '--fail-severity=hint',
      ),
    types: async () =>
      (await ok(outside('openapi-typescript'), DOCUMENT, '--output', TYPES, '--default-non-nullable=false')) &&
      ok('tsc', '--noEmit', '--project', 'test/outside'),
    traffic: () => traffic(service),
    fuzz: () =>
      run(['vitest', 'run', '--config', 'test/outside/vitest.config.ts', '--reporter=dot'], {
        SEED: String(seed),
      }).then((code) => code === 0),
  }
  const chosen = values.only?.split(',') ?? Object.keys(checks)
  const unknown = chosen.find((name) => !Object.hasOwn(checks, name))
  if (unknown !== undefined)
    throw new Problem(`--only: there is no "${unknown}". There are: ${Object.keys(checks).join(', ')}.`)
  let failed = 0
  try {
    writeFileSync(DOCUMENT, JSON.stringify(await (await fetch(`${service.url}/openapi.json`)).json(), null, 2))
    for (const name of chosen) {
      const passed = await checks[name]()
      if (!passed) failed++
      console.log(`${passed ? '✓' : '✗'} ${name}${name === 'fuzz' ? ` (repeat with --seed ${seed})` : ''}`)
    }
  } finally {
    await service.stop()
    rmSync(state, { recursive: true, force: true })
  }
  console.log(`\n${chosen.length - failed} passed, ${failed} failed`)
  process.exitCode = failed ? 1 : 0
})
