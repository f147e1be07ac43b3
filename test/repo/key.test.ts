import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { listMigrations, readCreationSql, readMigration } from '../../scripts/migrations/files'
import { applyLocalMigrations } from '../../scripts/migrations/local'
import { localDatabase, retryWhileBusy, runSql, UserProblem } from '../../scripts/wrangler'

const root = path.resolve(import.meta.dirname, '../..')
const state = mkdtempSync(path.join(tmpdir(), 'groundwork-key-'))
afterAll(() => rmSync(state, { recursive: true, force: true }))

const MIGRATIONS = listMigrations()
// SQLite cannot add a column only if the column is missing.
const REPEATABLE_MIGRATION = MIGRATIONS.findLast((name) => !/ADD COLUMN/.test(readMigration(name)))

async function createDatabase(): Promise<DatabaseSync> {
  await runSql(['SELECT 1'], localDatabase(state))
  const files = globSync('v3/d1/*/*.sqlite', { cwd: state }).filter((file) => !file.includes('metadata'))
  const stored = new DatabaseSync(path.join(state, files[0] ?? ''))
  stored.exec(readCreationSql())
  stored.exec(`INSERT INTO subscriptions (id, name, created_at) VALUES (1, 'Acme', 0);
    INSERT INTO users (subscription_id, email, role, created_at, updated_at) VALUES (1, 'a@example.com', 'owner', 0, 0)`)
  return stored
}

const BUSY = 'The local database is busy. Waiting …'

/** `onBusy` runs when the command says that it waits for the database. */
function issueKey(onBusy = () => {}): Promise<string> {
  const script = path.join(root, 'scripts', 'service', 'key.ts')
  const given = ['--name', 'busy', '--scopes', 'backlog:read', '--state', state]
  const child = spawn(process.execPath, ['--no-warnings', script, ...given], { cwd: root })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      if (!printed.includes(BUSY) && `${printed}${chunk}`.includes(BUSY)) onBusy()
      printed += chunk
    })
  }
  return new Promise((resolve) => child.on('close', () => resolve(printed)))
}

test('a key is issued while a running service writes, and no migration runs again', async () => {
  const stored = await createDatabase()
  stored.exec('BEGIN IMMEDIATE')
  let isHeld = true
  const printed = await issueKey(() => {
    isHeld = false
    stored.exec('COMMIT')
  })
  expect(printed).toMatch(/Key "busy" of workspace 1: scopes backlog:read, [^\n]*\neyJ[\w.-]+\n$/)
  expect(isHeld).toBe(false)
  expect(stored.prepare('SELECT name FROM api_keys').all()).toEqual([{ name: 'busy' }])
  // No migration is pending, so a lock of another writer does not block `applyMigrations`.
  stored.exec('BEGIN IMMEDIATE')
  await applyLocalMigrations(state)
  stored.exec('ROLLBACK')
  stored.exec(`DELETE FROM d1_migrations WHERE name = '${REPEATABLE_MIGRATION}'`)
  await applyLocalMigrations(state)
  const applied = stored.prepare('SELECT name FROM d1_migrations ORDER BY name').all()
  expect(applied.map(({ name }) => name)).toEqual(MIGRATIONS)
  stored.exec(`INSERT INTO workspace_moves (workspace_id, state, home, created_at, updated_at)
    VALUES (1, 'leaving', 1, 0, 0)`)
  expect(await issueKey()).toContain('Workspace 1 is moving to another home. Repeat the command in a minute.')
  expect(stored.prepare('SELECT count(*) AS n FROM api_keys').get()).toEqual({ n: 1 })
  stored.close()
}, 240_000)

const LOCKED_READ = 'D1_ERROR: Failed to get session commit token: internal error; reference = f82d6fmja4tago43'

test('an action is repeated while the database is locked, and no other error is repeated', async () => {
  let locks = 3
  const work = async () => {
    if (locks-- > 0) throw new UserProblem(locks % 2 ? LOCKED_READ : 'D1_ERROR: database is locked: SQLITE_BUSY')
    return 'done'
  }
  expect(await retryWhileBusy(work)).toBe('done')
  locks = 2
  await expect(retryWhileBusy(work, { patience: 0 })).rejects.toThrow('The local database stays busy')
  expect(locks).toBe(1)
  const other = async () => {
    locks--
    throw new UserProblem('no such table: api_keys')
  }
  locks = 1
  await expect(retryWhileBusy(other)).rejects.toThrow('no such table')
  expect(locks).toBe(0)
})
