import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { readCreationSql } from '../../scripts/migrations/files'
import { startCloudflare } from './cloudflare'

const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(tmpdir(), 'groundwork-restore-'))
// The paths of a configuration are relative.
const configuration = path.join(root, 'wrangler.restore.toml')
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(configuration, { force: true })
})

const FILE = path.join(folder, 'export.zip')
const BYTES = Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0xfe, 0])
writeFileSync(FILE, BYTES)

const toml = readFileSync(path.join(root, 'wrangler.toml'), 'utf8')
writeFileSync(configuration, toml.replace('"groundwork-production-files"', '$&\njurisdiction = "eu"'))

function restore(...given: string[]): Promise<{ code: number | null; printed: string }> {
  const script = path.join(root, 'scripts', 'service', 'restore.ts')
  const child = spawn(process.execPath, ['--no-warnings', script, ...given], {
    cwd: root,
    env: { ...process.env, GROUNDWORK_CONFIG: configuration },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk
    })
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, printed })))
}

async function startService() {
  const cloudflare = await startCloudflare()
  cloudflare.database.exec(readCreationSql())
  const listRuns = () =>
    cloudflare.rows('SELECT subscription_id AS workspace, kind, status, object_key AS object FROM exports')
  return { ...cloudflare, listRuns }
}

test('a restore of a deployed service creates a workspace, stores the file in its jurisdiction and its run', async () => {
  const { objects, jurisdictions, listRuns, rows, stop } = await startService()
  try {
    const made = await restore('--file', FILE, '--workspace', 'new', '--email', 'A@example.com', '--remote')
    expect(made).toMatchObject({ code: 0, printed: expect.stringContaining('Restore 1 of workspace 1 waits') })
    expect(rows('SELECT email, role FROM users')).toEqual([{ email: 'a@example.com', role: 'owner' }])
    const [key = '', stored] = [...objects][0] ?? []
    expect(key).toMatch(/^groundwork-production-files\/1\/exports\/[\w-]{36}$/)
    expect([stored, jurisdictions]).toEqual([BYTES, ['eu']])
    const object = key.slice(key.indexOf('/') + 1)
    expect(listRuns()).toEqual([{ workspace: 1, kind: 'restore', status: 'queued', object }])
  } finally {
    await stop()
  }
})

test('a file that wrangler cannot send is uploaded by the operator, and restored by its object', async () => {
  const { database, objects, listRuns, stop } = await startService()
  try {
    database.exec("INSERT INTO subscriptions (id, name, created_at) VALUES (12, 'Acme', 0)")
    truncateSync(FILE, 300 * 1024 * 1024 + 1)
    const { code, printed } = await restore('--file', FILE, '--workspace', '12', '--remote', '--env', 'staging')
    const [, given = ''] = /npm run restore -- (.*)/.exec(printed) ?? []
    expect([code, printed.includes('of the bucket groundwork-staging-files'), listRuns()]).toEqual([1, true, []])
    expect((await restore(...given.split(' '))).code).toBe(0)
    expect(listRuns()).toEqual([{ workspace: 12, kind: 'restore', status: 'queued', object: given.split(' ')[1] }])
    expect(objects.size).toBe(0)
  } finally {
    await stop()
  }
})

test.each([
  [['--file', FILE], 'Give --workspace'],
  [['--file', FILE, '--object', '1/exports/x', '--workspace', '1'], 'either --file or --object'],
  [['--file', path.join(folder, 'none.zip'), '--workspace', '1'], 'does not exist'],
  [['--object', '2/exports/x', '--workspace', '1', '--remote'], '--object must be like 1/exports/NAME'],
  [['--object', 'new/exports/x', '--workspace', 'new', '--remote'], '--object must be like'],
])('%j is refused', async (given, message) => {
  expect(await restore(...given)).toMatchObject({ code: 1, printed: expect.stringContaining(message) })
})
