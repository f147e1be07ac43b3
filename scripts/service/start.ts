// npm start: runs the whole service on this machine, and creates a demo workspace the first time.
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import type { Readable, Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import './assets.ts'
import '../leash.ts'
import { applyLocalMigrations } from '../migrations/local.ts'
import {
  readDeclaredSettings,
  runMain,
  settingArguments,
  startPipedWrangler,
  stateFolderOf,
  UserProblem,
} from '../wrangler.ts'
import { type DemoWorkspace, findOrMakeDemoWorkspace } from './demo.ts'
import { lockState } from './lock.ts'
import { passOnLines } from './output.ts'
import { isPortFree } from './port.ts'
import { allowLoopbackWebhooks, ensureSigningSecrets, readDevVars } from './secrets.ts'
import { seedDemoWorkspace } from './seed.ts'

const MINUTE_MS = 60_000

const printLine = (line = '') => console.log(line)

async function isServiceAnswering(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false
  }
}

async function requireFreePort(port: number, url: string): Promise<void> {
  if (await isPortFree(port)) return
  const who = (await isServiceAnswering(url)) ? 'Groundwork already runs there' : 'another program uses the port'
  throw new UserProblem(
    `Port ${port} is in use: ${who}. Stop the program, or use another port: npm start -- --port ${port + 1}`,
  )
}

interface ServeOptions {
  port: number
  url: string
  state: string
  settings: Record<string, string>
}

/** Holds the output back and shows it after a failure. Returns a function to let later output through. */
async function startWranglerDev({ port, url, state, settings }: ServeOptions): Promise<() => void> {
  const options = ['--port', String(port), '--persist-to', state, '--show-interactive-dev-session=false']
  // For checks that send more requests than the rate limits allow.
  const { GROUNDWORK_CONFIG: config } = process.env
  if (config) options.push('--config', config)
  const child = startPipedWrangler(['dev', ...options, ...settingArguments({ ...settings, LOCAL_URL: url })])
  const stop = stopOnSignal(child)
  let ready = false
  let shown = false
  const early: string[] = []
  const read = (stream: Readable, to: Writable) =>
    passOnLines(stream, (line) => {
      if (!ready) early.push(line)
      else if (shown && !stop.asked() && !line.includes('/cdn-cgi/')) to.write(`${line}\n`)
    })
  read(child.stdout, process.stdout)
  read(child.stderr, process.stderr)
  child.on('exit', (code) => {
    if (stop.asked()) return
    if (!ready) console.error(early.join('\n'))
    console.error(`\nThe service stopped unexpectedly (exit code of wrangler: ${code}).`)
    process.exit(1)
  })
  const warn = () => console.error(`${early.join('\n')}\nThe service has not answered for a minute. Waiting …`)
  const warning = setTimeout(warn, MINUTE_MS)
  // A busy machine takes its time. A service that ends ends this process too.
  while (!(await isServiceAnswering(url))) await new Promise((resolve) => setTimeout(resolve, 250))
  clearTimeout(warning)
  ready = true
  return () => {
    shown = true
  }
}

function stopOnSignal(child: ChildProcess): { asked: () => boolean } {
  let asked = false
  const stop = () => {
    if (asked) return
    asked = true
    setTimeout(() => child.kill('SIGKILL'), 5000)
    child.once('exit', () => process.exit(0))
    child.kill('SIGTERM')
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  process.on('exit', () => child.kill('SIGTERM'))
  return { asked: () => asked }
}

/** Calls the cron handler every minute, because `wrangler dev` does not run the cron. */
function runCronEveryMinute(url: string): void {
  let failed = false
  const fire = async () => {
    try {
      const answer = await fetch(`${url}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`, {
        signal: AbortSignal.timeout(MINUTE_MS),
      })
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
      failed = false
    } catch (error) {
      if (!failed) console.error(`The cron handler failed: ${error instanceof Error ? error.message : error}`)
      failed = true
    }
  }
  fire()
  setInterval(fire, MINUTE_MS)
}

function describeMailSetting(settings: ServeOptions['settings']): string {
  const { MAIL_PROVIDER: provider = 'outbox', MAIL_BASE_URL: base } = { ...readDevVars(), ...settings }
  if (provider !== 'outbox') return `Mail is sent through ${provider}${base ? ` at ${base}` : ''} (.dev.vars).`
  return `Mail is not sent. Read messages in the local outbox at GET /api/v2/emails/{id}/recipients/{position}.
        To send mail, set MAIL_PROVIDER, MAIL_API_KEY and MAIL_FROM in .dev.vars.`
}

function formatGreeting({ url, settings }: ServeOptions, { token, signInPath }: DemoWorkspace): string {
  return `
Groundwork runs at ${url}. Read the API reference at ${url}/docs

  key   ${token}
  mail  ${describeMailSetting(settings)}

Sign in as the owner of the demo workspace, once, within ten minutes:

  ${url}${signInPath}

Try it:

curl -s '${url}/api/initiatives/GW-DEMO/kpis' -H 'x-api-key: Bearer ${token}'

curl -s '${url}/api/initiatives/GW-DEMO/epics' -H 'x-api-key: Bearer ${token}' -H 'content-type: application/json' -d '{"summary":"My first epic"}'

Press Ctrl-C to stop. The data stays. Requests are listed below.
`
}

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8787' },
      state: { type: 'string' },
      // For tests and the tour: settings of wrangler.toml, without .dev.vars.
      declared: { type: 'boolean', default: false },
    },
  })
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new UserProblem(`--port must be a number from 1 to 65535, not "${values.port}".`)
  }
  const url = `http://localhost:${port}`
  const state = stateFolderOf(values.state)
  await requireFreePort(port, url)
  const demo = await lockState(state, async () => {
    allowLoopbackWebhooks()
    if (ensureSigningSecrets()) printLine('New signing secrets are in .dev.vars.')
    const fresh = !existsSync(path.join(state, 'v3'))
    printLine(
      fresh ? `Creating the database in ${path.relative(process.cwd(), state) || state} …` : 'Opening the database …',
    )
    await applyLocalMigrations(state)
    return findOrMakeDemoWorkspace(state)
  })
  printLine('Starting the service …')
  const served = { port, url, state, settings: values.declared ? await readDeclaredSettings() : {} }
  const showRequests = await startWranglerDev(served)
  await seedDemoWorkspace({ url, demo, state, say: printLine })
  printLine(formatGreeting(served, demo))
  showRequests()
  runCronEveryMinute(url)
})
