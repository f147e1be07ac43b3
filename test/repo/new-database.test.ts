import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { applyDeployedMigrations, readBookmark } from '../../scripts/deploy/migrations'
import { createMigratedDatabase, describeDatabase } from '../../scripts/migrations/dump'
import { CREATE_LEDGER, insertLedgerRow, listMigrations, readMigration } from '../../scripts/migrations/files'
import { applyLocalMigrations } from '../../scripts/migrations/local'
import { runSql, withLocalDatabases } from '../../scripts/wrangler'
import { startCloudflare } from './cloudflare'

const folder = mkdtempSync(path.join(tmpdir(), 'groundwork-new-database-'))
afterAll(() => rmSync(folder, { recursive: true }))

const names = listMigrations()
const OPEN_AND_WAIT = `
  const { withLocalDatabases } = await import('${path.resolve(import.meta.dirname, '../../scripts/wrangler.ts')}')
  await withLocalDatabases(process.argv[1], async (run) => {
    await run('DB', 'SELECT 1')
    console.log('open')
    await new Promise((resolve) => process.stdin.on('end', resolve).resume())
  })`
const migrated = describeDatabase(createMigratedDatabase())

/** Opens the only local database of a state folder. */
function openFile(state: string): DatabaseSync {
  const files = globSync('v3/d1/*/*.sqlite', { cwd: state }).filter((file) => !file.includes('metadata'))
  expect(files).toHaveLength(1)
  return new DatabaseSync(path.join(state, files[0] ?? ''), { readOnly: true })
}

function describeFile(state: string): Record<string, unknown> {
  const database = openFile(state)
  try {
    return describeDatabase(database)
  } finally {
    database.close()
  }
}

test('a first deployment needs at most twenty calls, and the next one imports nothing', async () => {
  const cloudflare = await startCloudflare()
  const say: string[] = []
  try {
    await readBookmark('production')
    expect(await applyDeployedMigrations({ say: (line) => say.push(line) })).toEqual(names)
    await runSql(['SELECT sealed_by AS id FROM webhooks'], { remote: true, env: 'production' })
    expect(cloudflare.imports).toEqual(['complete'])
    expect(cloudflare.calls.length, cloudflare.calls.join('\n')).toBeLessThanOrEqual(20)
    expect(cloudflare.calls.length).toBeGreaterThan(5)
    expect(describeDatabase(cloudflare.database)).toEqual(migrated)
    expect(say).toEqual([`  baseline.sql, as of ${names.at(-1)}`])
    expect(await applyDeployedMigrations({ say: (line) => say.push(line) })).toEqual([])
    expect(cloudflare.imports).toEqual(['complete'])
  } finally {
    await cloudflare.stop()
  }
}, 240_000)

test('a local database that was killed before its first table is created anew', async () => {
  const state = path.join(folder, 'killed')
  await withLocalDatabases(state, (run) => run('DB', 'SELECT 1'))
  await applyLocalMigrations(state)
  expect(describeFile(state)).toEqual(migrated)
}, 240_000)

test('a local database of an older release takes the later migrations', async () => {
  const state = path.join(folder, 'older')
  const texts = names.slice(0, 13).map((name) => readMigration(name) + insertLedgerRow(name))
  await withLocalDatabases(state, (run) => run('DB', [`${CREATE_LEDGER};`, ...texts].join('\n')))
  await applyLocalMigrations(state)
  expect(describeFile(state)).toEqual(migrated)
}, 240_000)

/** Processes that hold files of a folder open. */
const listHolders = (held: string) =>
  globSync('/proc/[0-9]*/fd/*').filter((link) => {
    try {
      return readlinkSync(link).startsWith(held)
    } catch {
      return false
    }
  })

test('the runtime of a local database ends after the process that opened it was killed', async () => {
  const state = path.join(folder, 'ended')
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', OPEN_AND_WAIT, state])
  await once(child.stdout, 'data')
  expect(listHolders(state)).not.toEqual([])
  child.kill('SIGKILL')
  await expect.poll(() => listHolders(state), { timeout: 60_000 }).toEqual([])
}, 240_000)
