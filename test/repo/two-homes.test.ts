import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EU, writeTwoHomesConfiguration } from '../../scripts/checks/two-homes'
import { runSmokeChecksOfHomes } from '../../scripts/deploy/smoke-homes'
import { root } from '../../scripts/wrangler'
import { service, smokeEnv } from './smoke-service'

/* The commands on a service of \`npm start\` with two homes. */

const configuration = writeTwoHomesConfiguration('wrangler.commands.toml')
Object.assign(smokeEnv, { GROUNDWORK_CONFIG: configuration })
afterAll(() => rmSync(configuration, { force: true }))

async function runCommand(script: string, ...args: string[]) {
  const run = promisify(execFile)(process.execPath, [path.join(root, 'scripts', script), ...args], { env: smokeEnv })
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  )
}

const KEY = ['service/key.ts', '--name', 'test', '--scopes', '*'] as const
const PERSON = ['--email', 'owner@acme.example'] as const

let keyOfEu = ''
let workspaceOfEu = ''

beforeAll(async () => {
  const made = await runCommand(...KEY, '--new-workspace', 'Acme', ...PERSON, '--home', 'eu')
  expect(made.code).toBe(0)
  keyOfEu = made.stdout.trim()
  workspaceOfEu = /workspace (\d+)/.exec(made.stderr)?.[1] ?? ''
})

const listBookmark = async (key: string) => {
  const { status, headers } = await fetch(`${service.url}/api/initiatives`, {
    headers: { 'x-api-key': `Bearer ${key}` },
  })
  return [status, headers.get('x-d1-bookmark')?.startsWith(`${EU}:`)]
}

test('a key needs a workspace if several homes have workspaces', async () => {
  expect(Math.floor(Number(workspaceOfEu) / 2 ** 20)).toBe(EU)
  const { code, stderr } = await runCommand(...KEY)
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('The homes default and eu have workspaces. Choose a workspace with --workspace ID.'),
  ])
  const { stdout } = await runCommand(...KEY, '--workspace', workspaceOfEu)
  expect(await listBookmark(stdout.trim())).toEqual([200, true])
})

test('the smoke checks pass in each home with a key, and name a home without a key', async () => {
  const homes = [
    { number: 0, name: 'default' },
    { number: EU, name: 'eu' },
    { number: 2, name: 'us' },
  ]
  const results = await runSmokeChecksOfHomes({
    ...{ url: service.url, keys: `${service.token} ${keyOfEu}`, homes, isLocal: true, mailTo: 'smoke@example.com' },
    uploadBytes: 1_000,
  })
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([
    { name: 'us', outcome: 'skipped', problem: expect.stringContaining('an API key of a workspace of home us') },
  ])
  const homesOf = Map.groupBy(results, ({ name }) => name.split(': ')[0])
  expect([homesOf.get('default')?.length, homesOf.get('eu')?.length]).toEqual([17, 17])
})

test('the commands of operators list each home', async () => {
  const { code, stdout } = await runCommand('operating/ops.ts', 'stuck')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/Home default:[\s\S]*Home eu:/)])
})

test('a workspace moves by the command, and its key works on', async () => {
  const stop = new AbortController()
  const runCron = async () => {
    while (!stop.signal.aborted) {
      await fetch(`${service.url}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
  const cron = runCron()
  const move = ['operating/move.ts', '--workspace', workspaceOfEu, '--to'] as const
  expect((await runCommand(...move, 'mars')).stderr).toContain('HOMES has no home "mars". It has: default, eu')
  const { code, stdout } = await runCommand(...move, 'default')
  stop.abort()
  await cron
  expect([code, stdout]).toEqual([0, expect.stringContaining('The workspace is in default.')])
  expect(await listBookmark(keyOfEu)).toEqual([200, false])
  expect((await runCommand(...move, 'default')).stderr).toContain('The workspace is in default already.')
  const shown = await runCommand('operating/ops.ts', 'workspace', workspaceOfEu)
  expect(shown.stdout).toContain('Acme')
  const status = await runCommand('operating/move.ts', '--workspace', workspaceOfEu, '--status')
  expect(status.stdout).toMatch(/^Move from eu to default: moved\. The workspace is in default\. The .* old home/)
})
