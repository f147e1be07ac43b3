// npm start: runs the whole service on this machine, and creates a demo workspace the first time.
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import process from 'node:process'
import type { Readable, Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import './assets.ts'
import '../leash.ts'
import {
  declaredSettings,
  localDatabase,
  migrate,
  Problem,
  readWrangler,
  runMain,
  settingArguments,
  stateFolder,
} from '../wrangler.ts'
import { findOrMakeDemo } from './demo.ts'
import { lockState } from './lock.ts'
import { passOn } from './output.ts'
import { ensureLoopback, ensureSecrets, localVars } from './secrets.ts'
import { seed } from './seed.ts'

const MINUTE = 60_000

const say = (line = '') => console.log(line)

function isPortFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false
  }
}

async function requireFree(port: number, url: string): Promise<void> {
  if ((await isPortFree(port, '127.0.0.1')) && (await isPortFree(port, '::1'))) return
  const who = (await isAnswering(url)) ? 'Groundwork already runs there' : 'another program uses the port'
  throw new Problem(
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
async function serve({ port, url, state, settings }: ServeOptions): Promise<() => void> {
  const options = ['--port', String(port), '--persist-to', state, '--show-interactive-dev-session=false']
  const child = readWrangler(['dev', ...options, ...settingArguments({ ...settings, LOCAL_URL: url })])
  const stop = stopOnSignal(child)
  let ready = false
  let shown = false
  const early: string[] = []
  const read = (stream: Readable, to: Writable) =>
    passOn(stream, (line) => {
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
  for (let waited = 0; !(await isAnswering(url)); waited += 250) {
    if (waited > MINUTE) {
      console.error(early.join('\n'))
      throw new Problem('The service did not answer within a minute. See the output above.')
    }
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
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
function runCron(url: string): void {
  let failed = false
  const fire = async () => {
    try {
      const answer = await fetch(`${url}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`, {
        signal: AbortSignal.timeout(MINUTE),
      })
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
      failed = false
    } catch (error) {
      if (!failed) console.error(`The cron handler failed: ${error instanceof Error ? error.message : error}`)
      failed = true
    }
  }
  fire()
  setInterval(fire, MINUTE)
}

function mailNote(settings: ServeOptions['settings']): string {
  const { MAIL_PROVIDER: provider = 'outbox', MAIL_BASE_URL: base } = { ...localVars(), ...settings }
  if (provider !== 'outbox') return `Mail is sent through ${provider}${base ? ` at ${base}` : ''} (.dev.vars).`
  return `Mail is not sent. Read messages in the local outbox at GET /api/v2/emails/{id}/recipients/{position}.
        To send mail, set MAIL_PROVIDER, MAIL_API_KEY and MAIL_FROM in .dev.vars.`
}

function greeting({ url, settings }: ServeOptions, token: string): string {
  return `
Groundwork runs at ${url}. Read the API reference at ${url}/docs

  key   ${token}
  mail  ${mailNote(settings)}

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
    throw new Problem(`--port must be a number from 1 to 65535, not "${values.port}".`)
  }
  const url = `http://localhost:${port}`
  const state = stateFolder(values.state)
  await requireFree(port, url)
  const demo = await lockState(state, async () => {
    ensureLoopback()
    if (ensureSecrets()) say('New signing secrets are in .dev.vars.')
    const fresh = !existsSync(path.join(state, 'v3'))
    say(fresh ? `Creating the database in ${path.relative(process.cwd(), state) || state} …` : 'Opening the database …')
    await migrate(localDatabase(state))
    return findOrMakeDemo(state)
  })
  say('Starting the service …')
  const served = { port, url, state, settings: values.declared ? await declaredSettings() : {} }
  const showRequests = await serve(served)
  await seed({ url, demo, state, say })
  say(greeting(served, demo.token))
  showRequests()
  runCron(url)
})
