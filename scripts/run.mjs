// Runs scripts/<command>.ts on the Node that the `node` package brings, after installing what is missing.
// Imports nothing but Node's own modules, and runs on Node 20: it must work before anything is installed.
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
if (!command || !existsSync(script)) fail(`There is no command "${command}". See the scripts in package.json.`)
// npm hands a signal to its shell alone; the shell's end is how it reaches us.
if (process.env.npm_lifecycle_event) endWithParent()
if (!installed()) await install()
// What the bench and its like use of Node's newer parts is no news to who runs them.
const quiet = '--disable-warning=ExperimentalWarning'
process.exitCode = await run(node, [quiet, script, ...args], { PATH: [bin, process.env.PATH].join(path.delimiter) })

/** Whether node_modules holds what package-lock.json names. npm writes its own list last, so a cut-off install has none. */
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
  say('Installing packages (a minute or so, the first time) …')
  const started = Date.now()
  const progress = setInterval(() => {
    say(`  … ${Math.round((Date.now() - started) / 1000)} s, ${count()} packages so far`)
  }, 5000)
  // Not with the Node inside node_modules, which `npm ci` removes first.
  const PATH = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.endsWith(path.join('node_modules', '.bin')))
    .join(path.delimiter)
  const options = ['--include=dev', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  const code = await run('npm', ['ci', ...options], { PATH }, ['ignore', 2, 2])
  clearInterval(progress)
  if (code !== 0) fail('The packages could not be installed: npm says why above. Mend that and repeat the command.')
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

/** Runs a program to its end, handing on the signals that ask us to stop; gives its exit code. */
function run(file, args, env, stdio = 'inherit') {
  const child = spawn(file, args, { cwd: root, stdio, env: { ...process.env, ...env } })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  // A terminal's Ctrl-C reaches the child by itself; a second one would cut its tidying short.
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

/** As leash.ts does, which the machine's own Node may not be able to read. */
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
