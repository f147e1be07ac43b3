// npm run check:upgrade: runs the built Worker and the contract tests of the previous release on the present schema.
//   --against REF  takes another commit for the previous release
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { operations } from '../../test/bench/operations.ts'
import { build, makeCaller, readCheckout, startServer } from '../../test/bench/servers.ts'
import { listMigrations } from '../migrations/files.ts'
import { QUIET_ENV, root, runMain, UserProblem } from '../wrangler.ts'

const CHECKOUT = path.join(root, '.wrangler', 'previous-release')
const SIZE = 100
// A release compares rows and index rows with its own schema.
const COMPARES_ROWS = ['rows', 'estimates']

function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Commit of the newest release in the changelog: its tag, or the commit that set its version. */
function findRelease(): { commit: string } | { missing: string } {
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')
  const version = /^## (\d+\.\d+\.\d+)(?! \(unreleased\))/m.exec(changelog)?.[1]
  if (!version) return { missing: 'CHANGELOG.md has no release yet, so there is no previous Worker to check.' }
  const tagged = git('rev-parse', '--verify', '--quiet', `v${version}^{commit}`)
  if (!tagged && git('rev-parse', '--is-shallow-repository') !== 'false') {
    return { missing: `This clone lacks release ${version}. Run: git fetch --unshallow --tags` }
  }
  const commit = tagged ?? git('log', '-1', '--format=%H', `-S"version": "${version}"`, '--', 'package.json')
  if (!commit) return { missing: `No tag v${version} and no commit with version ${version} were found.` }
  if (git('cat-file', '-e', `${commit}:migrations/${listMigrations()[0]}`) === undefined) {
    return { missing: `Release ${version} has a schema from before the first migration, and cannot be upgraded.` }
  }
  return { commit }
}

/** Unpacks a commit, and replaces its migrations by the present migrations. */
function unpack(commit: string): void {
  rmSync(CHECKOUT, { recursive: true, force: true })
  mkdirSync(CHECKOUT, { recursive: true })
  const archive = path.join(CHECKOUT, 'release.tar')
  if (git('archive', '--output', archive, commit) === undefined) throw new UserProblem(`git has no commit ${commit}.`)
  const { status, stderr } = spawnSync('tar', ['-xf', archive], { cwd: CHECKOUT, encoding: 'utf8' })
  if (status !== 0) throw new UserProblem(`The release could not be unpacked:\n${stderr}`)
  rmSync(path.join(CHECKOUT, 'migrations'), { recursive: true })
  cpSync(path.join(root, 'migrations'), path.join(CHECKOUT, 'migrations'), { recursive: true })
}

function run(command: string, args: string[]): Promise<number> {
  const child = spawn(command, args, { cwd: CHECKOUT, stdio: 'inherit', env: { ...process.env, ...QUIET_ENV } })
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
}

async function installPackages(): Promise<void> {
  const lockOf = (folder: string) => readFileSync(path.join(folder, 'package-lock.json'), 'utf8')
  if (lockOf(CHECKOUT) === lockOf(root)) {
    symlinkSync(path.join(root, 'node_modules'), path.join(CHECKOUT, 'node_modules'))
  } else if ((await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'])) !== 0) {
    throw new UserProblem('The packages of the release could not be installed.')
  }
}

interface Outcome {
  calls: number
  failures: string[]
}

/** Sends each request of the release's benchmark to the release's built Worker. */
async function callWorker(): Promise<Outcome> {
  const bench: { operations: typeof operations } = await import(path.join(CHECKOUT, 'test', 'bench', 'operations.ts'))
  const caller = await makeCaller()
  const worker = await build({ cwd: CHECKOUT, folder: path.join(CHECKOUT, 'dist', 'worker') })
  const server = await startServer(await readCheckout(CHECKOUT, caller), { worker, size: SIZE })
  try {
    const failures: string[] = []
    for (const { id, request } of bench.operations) {
      const { method, path: to, type, body } = request(7, SIZE)
      const headers = { 'x-api-key': caller.apiKey, ...(type && { 'content-type': type }) }
      const answer = await fetch(`${server.url}${to}`, { method, headers, ...(body !== undefined && { body }) })
      if (!answer.ok) failures.push(`${id}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
    }
    return { calls: bench.operations.length, failures }
  } finally {
    await server.stop()
  }
}

await runMain(async () => {
  const { values } = parseArgs({ options: { against: { type: 'string' } } })
  const release = values.against === undefined ? findRelease() : { commit: values.against }
  if ('missing' in release) return console.log(`${release.missing}\nNothing was checked.`)
  unpack(release.commit)
  await installPackages()
  const { calls, failures } = await callWorker()
  if (failures.length) {
    throw new UserProblem(`The Worker of ${release.commit} fails on the present schema:\n${failures.join('\n')}`)
  }
  console.log(`The Worker of ${release.commit} answers ${calls} operations on the present schema.`)
  const excluded = COMPARES_ROWS.flatMap((name) => ['--exclude', `test/contract/${name}.test.ts`])
  const vitest = path.join(CHECKOUT, 'node_modules', 'vitest', 'vitest.mjs')
  process.exitCode = await run(process.execPath, [vitest, 'run', '--project', 'service', 'test/contract', ...excluded])
})
