// npm run check:turn: what CI runs after `npm test`: the checks of each change, and one of six parts in turn. A part runs
// too when its files changed since all parts were green, which .ci/last-full records.
//   --all     runs all parts, and records their files in .ci/last-full
//   --list    prints the parts, and runs nothing
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import '../leash.ts'
import { root, runMain, UserProblem } from '../wrangler.ts'
import { ALWAYS, type CheckCommand, chooseParts, hashParts, type ListedFile, PARTS, type PartHashes } from './parts.ts'

const LAST_FULL_FILE = path.join(root, '.ci', 'last-full')

function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

const readLastFull = (): PartHashes | undefined =>
  existsSync(LAST_FULL_FILE) ? (JSON.parse(readFileSync(LAST_FULL_FILE, 'utf8')) as PartHashes) : undefined

/** The files of this commit. */
const listFiles = (): ListedFile[] =>
  (git('ls-files', '-s') ?? '').split('\n').flatMap((line) => {
    const [, content = '', file = ''] = /^\d+ (\w+) \d\t(.*)$/.exec(line) ?? []
    return file === '' ? [] : [{ content, file }]
  })

const show = ([script, ...args]: CheckCommand) => ['npm run', script, ...args].join(' ')

function run([script, ...args]: CheckCommand): Promise<boolean> {
  const child = spawn('npm', ['run', script, ...args], { cwd: root, stdio: 'inherit' })
  return new Promise((resolve) => child.on('close', (code) => resolve(code === 0)))
}

await runMain(async () => {
  const { values } = parseArgs({ options: { all: { type: 'boolean' }, list: { type: 'boolean' } } })
  // Without git, no turn is known and all parts run.
  const commit = git('rev-parse', 'HEAD')
  const present = hashParts(listFiles())
  const chosen =
    values.all || commit === undefined
      ? PARTS.map((part) => ({ part, reason: 'all parts' }))
      : chooseParts({ commit, green: readLastFull(), present })
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
  if (values.all) writeFileSync(LAST_FULL_FILE, `${JSON.stringify(present, null, 2)}\n`)
})
