// Wrangler, as the scripts use it: quiet about itself, and never asking.
import { spawn } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'

export const root = path.resolve(import.meta.dirname, '..')

const CLI = path.join(root, 'node_modules', 'wrangler', 'wrangler-dist', 'cli.js')
const LEASH = path.join(root, 'scripts', 'leash.mjs')

export const quiet = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  NO_UPDATE_NOTIFIER: '1',
  SCARF_ANALYTICS: 'false',
  DO_NOT_TRACK: '1',
}

/** A failure whose message is all that a person needs. */
export class Problem extends Error {}

export function startWrangler(args, { stdio = 'inherit', env = {} } = {}) {
  return spawn(process.execPath, ['--no-warnings', '--import', LEASH, CLI, ...args], {
    cwd: root,
    stdio,
    env: { ...process.env, ...quiet, ...env },
  })
}

/** Runs wrangler to its end; gives what it wrote to stdout, or throws with all that it wrote. */
export async function wrangler(args, { env = { CI: '1' } } = {}) {
  const child = startWrangler(args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  let out = ''
  let all = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
    all += chunk
  })
  child.stderr.on('data', (chunk) => {
    all += chunk
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Problem(`wrangler ${args.slice(0, 3).join(' ')} failed:\n${all.trim()}`)
  return out
}

/** Which database: the local one under `state`, or the deployed one. */
function place({ remote, state }) {
  return remote ? ['--remote', '--env', 'production'] : ['--local', '--persist-to', state]
}

export function migrate(where) {
  return wrangler(['d1', 'migrations', 'apply', 'DB', ...place(where)])
}

/** Runs SQL; gives the rows of each statement. */
export async function query(statements, where) {
  const out = await wrangler([
    'd1',
    'execute',
    'DB',
    ...place(where),
    '--json',
    '--yes',
    '--command',
    statements.join(';\n'),
  ])
  return JSON.parse(out).map(({ results }) => results)
}

/** A value as an SQL literal. */
export function literal(value) {
  if (value === null) return 'NULL'
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  if (typeof value !== 'string' || value.includes('\0'))
    throw new Problem(`This cannot be stored: ${JSON.stringify(value)}`)
  return `'${value.replaceAll("'", "''")}'`
}

/** Where the local data are: `--state`, else GROUNDWORK_STATE, else wrangler's own place. */
export const stateFolder = (given) =>
  path.resolve(root, given ?? process.env.GROUNDWORK_STATE ?? path.join('.wrangler', 'state'))

/** Runs a script's main function; a Problem is told without a stack. */
export async function main(work) {
  try {
    await work()
  } catch (error) {
    const told = error instanceof Problem || String(error?.code).startsWith('ERR_PARSE_ARGS')
    console.error(told ? `\n${error.message}` : error)
    process.exit(1)
  }
}
