// Installs missing packages, then runs scripts/<folder>/<command>.ts on the Node of the `node` package. Uses only
// modules of Node 20, because nothing may be installed yet.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..')
const modules = path.join(root, 'node_modules')
const bin = path.join(modules, '.bin')
const node = path.join(bin, 'node')
const [command, ...args] = process.argv.slice(2)

const script = path.join(root, 'scripts', `${command}.ts`)
if (!command || !existsSync(script)) fail(`Unknown command "${command}". See the scripts in package.json.`)
// npm sends a signal only to the shell, and the end of the shell is the sign for this process.
if (process.env.npm_lifecycle_event) endWithParent()
if (!installed()) await install()
// Experimental Node features in scripts (the bench, for example) are no concern of the user.
const quiet = '--disable-warning=ExperimentalWarning'
process.exitCode = await run(node, [quiet, script, ...args], { PATH: [bin, process.env.PATH].join(path.delimiter) })

/** npm writes the list in node_modules last: an interrupted install has no list. */
function installed() {
  const present = packages(path.join(modules, '.package-lock.json'))
  const wanted = Object.entries(packages(path.join(root, 'package-lock.json')))
  return (
    existsSync(node) &&
    wanted.every(([at, { version, optional }]) => !at || optional || present[at]?.version === version)
  )
}

function packages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}

async function install() {
  say('Installing packages (about a minute, only the first time) …')
  const started = Date.now()
  const progress = setInterval(() => {
    say(`  … ${Math.round((Date.now() - started) / 1000)} s, ${count()} packages so far`)
  }, 5000)
  // Without the Node inside node_modules, because `npm ci` removes node_modules first.
  const PATH = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.endsWith(path.join('node_modules', '.bin')))
    .join(path.delimiter)
  const options = ['--include=dev', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  const code = await run('npm', ['ci', ...options], { PATH }, ['ignore', 2, 2])
  clearInterval(progress)
  if (code !== 0)
    fail(
      'The packages could not be installed. See the message of npm above, correct the problem and repeat the command.',
    )
  if (!existsSync(node)) {
    fail('npm did not run the install scripts. Allow them (npm config get ignore-scripts) and repeat the command.')
  }
  say(`  done: ${count()} packages in ${Math.round((Date.now() - started) / 1000)} s`)
}

function count() {
  if (!existsSync(modules)) return 0
  const folders = readdirSync(modules).filter((name) => !name.startsWith('.'))
  return folders.flatMap((name) => (name.startsWith('@') ? readdirSync(path.join(modules, name)) : [name])).length
}

function run(file, args, env, stdio = 'inherit') {
  const child = spawn(file, args, { cwd: root, stdio, env: { ...process.env, ...env } })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  // A terminal sends Ctrl-C to the child directly; a second signal would interrupt the cleanup.
  const forward = (signal) => signal !== 'SIGINT' && child.kill(signal)
  for (const signal of signals) process.on(signal, forward)
  return new Promise((resolve) => {
    child.on('error', (error) => fail(`${file} does not start: ${error.message}`))
    child.on('close', (code, signal) => {
      for (const name of signals) process.off(name, forward)
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143))
    })
  })
}

/** Same as leash.ts, in plain JavaScript because the machine's own Node may not read TypeScript. */
function endWithParent() {
  const parent = process.ppid
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), 500).unref()
}

function say(line) {
  process.stderr.write(`${line}\n`)
}

function fail(line) {
  say(line)
  process.exit(1)
}
