import { execFile } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../../scripts/wrangler'
import { call, service, smokeEnv } from './smoke-service'

async function runSmokeCommand(...args: string[]) {
  const script = path.join(root, 'scripts/deploy/smoke.ts')
  const run = promisify(execFile)(process.execPath, [script, ...args], { env: smokeEnv })
  return run.then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  )
}

const listLeftRecords = async () => {
  const lists = ['/api/initiatives', '/api/v2/segments', '/api/v2/teams', '/api/v2/incoming-webhooks']
  const found = await Promise.all(
    lists.map((list) => call<{ name?: string; product?: string }[]>(`GET ${list}?limit=100`)),
  )
  return found.flat().map(({ name, product }) => name ?? product)
}

test('the smoke run passes on npm start, and removes its records', async () => {
  const before = await listLeftRecords()
  const { code, stdout } = await runSmokeCommand('--url', service.url, '--key', service.token)
  expect(stdout).not.toMatch(/[✗–]/)
  expect(stdout.match(/^✓/gm)).toHaveLength(17)
  expect(stdout).toContain('The service works.')
  expect(code).toBe(0)
  expect(await listLeftRecords()).toEqual(before)
  const keys = await call<{ name: string; revokedAt: string | null }[]>('GET /api/v2/api-keys?limit=100')
  expect(keys.filter(({ name, revokedAt }) => name.startsWith('smoke') && !revokedAt)).toEqual([])
})

test('the smoke run ends with 1 and a remedy for a wrong key', async () => {
  const { code, stdout } = await runSmokeCommand('--url', service.url, '--key', 'wrong')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^✗ product: .* 401 unauthorized .*\n {4}Check the address and the key/)
})
