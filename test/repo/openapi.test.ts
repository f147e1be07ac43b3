import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { makeClientSources } from '../../scripts/clients/sources'
import { buildOpenApiDocument } from '../../src/openapi/document'
import { operations } from '../../src/operations'

const root = path.resolve(import.meta.dirname, '../..')

test('openapi.json is the document of the operation table', () => {
  const file = JSON.parse(readFileSync(path.join(root, 'openapi.json'), 'utf8'))
  expect(JSON.stringify(file) === JSON.stringify(buildOpenApiDocument(operations)), 'Run `npm run openapi`.').toBe(true)
})

test('the generated sources of the clients are those of openapi.json', () => {
  const file = JSON.parse(readFileSync(path.join(root, 'openapi.json'), 'utf8'))
  for (const [name, text] of makeClientSources(file)) {
    const written = readFileSync(path.join(root, 'clients', name), 'utf8')
    expect(written === text, 'Run `npm run openapi`.').toBe(true)
  }
})

test('an external linter finds no problem in the OpenAPI document', () => {
  const file = path.join(root, 'dist', 'openapi.json')
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(buildOpenApiDocument(operations), null, 2))
  const redocly = path.join(root, 'node_modules/@redocly/cli/bin/cli.js')
  // The rule forbids a literal beside a parameter, like /items/types/{id} and /items/{key}/restore. Our router prefers
  // literals.
  const rules = ['--extends=recommended', '--skip-rule=no-ambiguous-paths']
  const report = spawnSync(process.execPath, [redocly, 'lint', file, ...rules, '--format=json'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    encoding: 'utf8',
  })
  const { totals, problems } = JSON.parse(report.stdout)
  expect(problems).toEqual([])
  expect(totals).toMatchObject({ errors: 0, warnings: 0, ignored: 0 })
})
