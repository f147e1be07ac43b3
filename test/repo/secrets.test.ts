import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterAll, expect, test, vi } from 'vitest'
import {
  checkSecretsFile,
  findDroppedSecretsMessage,
  makeSigningSecrets,
  readSigningSecrets,
} from '../../scripts/service/secrets'
import { parseSigningSecrets } from '../../src/http/token'

const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(tmpdir(), 'groundwork-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))

const script = (name: string) => ['--no-warnings', path.join(root, 'scripts', name)]
const weakSecret = `a:${Buffer.alloc(32).toString('base64url')}`
const duplicateSecret = `a:${Buffer.from('one secret of thirty-two bytes, 01').toString('base64url')},`.repeat(2)

test('a secret cannot be dropped while stored data is sealed with it', () => {
  const [first = '', second = ''] = makeSigningSecrets().split(',')
  const [id = ''] = second.split(':')
  expect(findDroppedSecretsMessage(`${first},${second}`, [id])).toBeUndefined()
  expect(findDroppedSecretsMessage(first, [])).toBeUndefined()
  expect(findDroppedSecretsMessage(first, [id])).toContain(`drops ${id}`)
})

test('generated secrets have different ids, even on the same day', () => {
  const made = Array.from({ length: 50 }, () => parseSigningSecrets(makeSigningSecrets())).flat()
  expect(made).toHaveLength(100)
  expect(new Set(made.map(({ id }) => id)).size).toBe(100)
  const printed = execFileSync(process.execPath, [...script('service/key.ts'), '--make-secrets'], { encoding: 'utf8' })
  expect(parseSigningSecrets(`${printed.trim()},${makeSigningSecrets()}`)).toHaveLength(4)
})

test('a deployment refuses a secrets file that does not exist', () => {
  expect(checkSecretsFile(undefined)).toBeUndefined()
  expect(() => checkSecretsFile(path.join(folder, 'typo.env'))).toThrow('there is no file')
})

test.each([
  ['a secret of zeros', weakSecret, 'SIGNING_SECRETS: the secret a can be guessed.'],
  ['two secrets with the same id', duplicateSecret, 'SIGNING_SECRETS: two secrets have the id a.'],
])('a weak or duplicate secret signs no key and is not deployed: %s', (_, secrets, message) => {
  vi.stubEnv('SIGNING_SECRETS', secrets)
  expect(() => readSigningSecrets({ remote: true })).toThrow(message)
  vi.unstubAllEnvs()
  const lines = path.join(folder, 'lines.env')
  const object = path.join(folder, 'object.json')
  writeFileSync(lines, `MAIL_API_KEY=none\nSIGNING_SECRETS="${secrets}"\n`)
  writeFileSync(object, JSON.stringify({ MAIL_API_KEY: 'none', SIGNING_SECRETS: secrets }))
  for (const file of [lines, object]) expect(() => checkSecretsFile(file)).toThrow(message)
  const deployed = spawnSync(process.execPath, [...script('deploy/deploy.ts'), '--dry-run', '--secrets-file', lines], {
    encoding: 'utf8',
  })
  expect([deployed.status, deployed.stderr.includes(message)]).toEqual([1, true])
})
