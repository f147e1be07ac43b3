// npm run check:turn: what CI runs after `npm test`: the checks of each change, and one of six parts in turn. A part runs
// too when its files changed since the commit in .ci/last-full.
//   --all     runs all parts, and writes the commit into .ci/last-full
//   --list    prints the parts, and runs nothing
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import '../leash.ts'
import { root, runMain, UserProblem } from '../wrangler.ts'
import { ALWAYS, type CheckCommand, chooseParts, PARTS } from './parts.ts'

const LAST_FULL_FILE = path.join(root, '.ci', 'last-full')

function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Files that differ from the last full run, or undefined if this clone lacks its commit. */
function listChangedFiles(): string[] | undefined {
  if (!existsSync(LAST_FULL_FILE)) return undefined
  return git('diff', '--name-only', readFileSync(LAST_FULL_FILE, 'utf8').trim(), '--')?.split('\n')
}

const show = ([script, ...args]: CheckCommand) => ['npm run', script, ...args].join(' ')

function run([script, ...args]: CheckCommand): Promise<boolean> {
  const child = spawn('npm', ['run', script, ...args], { cwd: root, stdio: 'inherit' })
  return new Promise((resolve) => child.on('close', (code) => resolve(code === 0)))
}

await runMain(async () => {
  const { values } = parseArgs({ options: { all: { type: 'boolean' }, list: { type: 'boolean' } } })
  // Without git, no turn is known and all parts run.
  const commit = git('rev-parse', 'HEAD')
  const chosen =
    values.all || commit === undefined
      ? PARTS.map((part) => ({ part, reason: 'all parts' }))
      : chooseParts({ commit, changed: listChangedFiles() })
  for (const { part, reason } of chosen) {
    console.log(reason === undefined ? `left out: ${part.name}` : `runs: ${part.name} (${reason})`)
  }
  if (values.list) return
  const commands = [...ALWAYS, ...chosen.flatMap(({ part, reason }) => (reason === undefined ? [] : part.commands))]
  for (const command of commands) {
    const started = Date.now()
    const ok = await run(command)
    console.log(`${ok ? '✓' : '✗'} ${show(command)} (${Math.round((Date.now() - started) / 1000)} s)`)
    if (!ok) throw new UserProblem(`${show(command)} failed.`)
  }
  const left = chosen.flatMap(({ part, reason }) => (reason === undefined ? [part.name] : []))
  if (left.length) console.log(`Left out: ${left.join(', ')}. \`bash .ci/run --all\` runs all parts.`)
  if (values.all && commit !== undefined) writeFileSync(LAST_FULL_FILE, `${commit}\n`)
})
