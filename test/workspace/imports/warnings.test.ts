import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { WarningCounter } from '../../../src/workspace/imports/warnings'
import { send } from '../../client'
import { simulateImports } from './import-simulation'
import { createImportScenario, createUsersCsv, type Run } from './scenario'

const DAY_MS = 86_400_000

test('a cell that cannot be read is left out, and rows with the same cell are counted together', async () => {
  const { run, read, people } = await createImportScenario()
  const file = `email,name,role\nada@example.com,${'a'.repeat(201)},boss\nbob@example.com,Bob,boss\neve@example.com,Eve,admin\n`
  const made = await run(file)
  expect(made.body.data).toMatchObject({ status: 'completed', totals: { rows: 3, created: 3, rejected: 0 } })
  const { warnings } = made.body.data
  expect(warnings).toEqual([
    {
      ...{ field: 'role', column: 'role', value: 'boss', rows: 2, became: null },
      reason: 'The role "boss" is unknown. Use one of idm_member, viewer, member, admin.',
    },
    {
      ...{ field: 'name', column: 'name', value: `${'a'.repeat(99)}…`, rows: 1, became: null },
      reason: 'Must have at most 200 characters.',
    },
  ])
  expect((await people()).map(({ first_name, role }) => [first_name, role])).toEqual([
    ['', 'idm_member'],
    ['Bob', 'idm_member'],
    ['Eve', 'admin'],
  ])
  expect((await read(made.body.data.id)).warnings).toEqual(warnings)
  const preview = await run(file, { query: '?dryRun=true' })
  expect([preview.status, preview.body.data.warnings]).toEqual([200, warnings])
})

test('a row of an earlier address is a warning, and cells of rejected and skipped rows are none', async () => {
  const { run } = await createImportScenario()
  const file = 'email,role\nnobody,boss\nada@example.com,admin\nAda@example.com,chief\n'
  const preview = await run(file, { query: '?dryRun=true' })
  const made = await run(file)
  expect(made.body.data).toMatchObject({ totals: { created: 1, skipped: 1, rejected: 1 } })
  expect(made.body.data.warnings).toEqual([
    {
      ...{ field: 'email', column: 'email', value: 'ada@example.com', rows: 1, became: null },
      reason: 'An earlier row has the same address or id. The earlier row counts.',
    },
  ])
  expect(preview.body.data.warnings).toEqual(made.body.data.warnings)
})

test('repeated columns give the first value of a field, and join the values of an attribute', async () => {
  const { run, people } = await createImportScenario()
  const made = await run('email,name,name,plan,plan\na@example.com,,Ada,pro,beta\nb@example.com,Bob,Robert,,free\n')
  expect(made.body.data.warnings).toMatchObject([
    { field: 'name', value: 'Robert', reason: 'Several columns of this name give this field. The first value counts.' },
  ])
  expect((await people()).map(({ first_name, attributes }) => [first_name, attributes])).toEqual([
    ['Ada', '{"plan":"pro, beta"}'],
    ['Bob', '{"plan":"free"}'],
  ])
})

test('the response has the first hundred warnings, and the CSV has all without formulas', async () => {
  const here = await createImportScenario()
  const roles = ['=1+1', ...Array.from({ length: 149 }, (_, n) => `role ${n}`)]
  const made = await here.run(`email,role\n${roles.map((role, n) => `p${n}@example.com,${role}`).join('\n')}\n`)
  const { id, warnings } = made.body.data
  expect(warnings.map(({ value }) => value)).toEqual(roles.slice(0, 100))
  const { response } = await send('GET', `/api/v2/imports/${id}/warnings.csv`, { apiKey: await here.key() })
  const lines = (await response.text()).split('\r\n')
  expect(lines.slice(0, 2)).toEqual([
    'field,column,value,rows,became,reason',
    `role,role,"'=1+1",1,,"The role ""=1+1"" is unknown. Use one of idm_member, viewer, member, admin."`,
  ])
  expect(lines).toHaveLength(1 + roles.length + 1)
})

test('a preview and a queued run of a large file count the same warnings', async () => {
  const here = await createImportScenario()
  const file = createUsersCsv(5_500).replaceAll(
    /^email.*$|plan-(\d)$/gm,
    (cells, digit) => `${cells},${digit ?? 'role'}`,
  )
  const preview = await here.run(file, { query: '?dryRun=true' })
  const made = await here.run(file)
  const { id } = made.body.data
  await simulateImports().handle({ kind: 'import.run', subscriptionId: here.subscriptionId, importId: id })
  const { status, warnings } = await here.read(id)
  expect([status, warnings]).toEqual(['completed', preview.body.data.warnings])
  expect(warnings.reduce((sum, { rows }) => sum + rows, 0)).toBe(5_500)
  expect(warnings.map(({ value }) => value)).toEqual(['0', '1', '2', '3', '4', '5', '6'])
})

test('warnings are deleted with the journal, 30 days after the run', async () => {
  const here = await createImportScenario()
  const { id } = (await here.run('email,role\nada@example.com,boss\n')).body.data
  const it = simulateImports()
  it.now += 29 * DAY_MS
  await it.cron()
  expect((await here.read(id)).warnings).toHaveLength(1)
  it.now += 2 * DAY_MS
  const dueAt = () =>
    env.DB.prepare('SELECT next_attempt_at FROM imports WHERE id = ?').bind(id).first<number>('next_attempt_at')
  for (let minute = 0; minute < 100 && (await dueAt()) !== null; minute++) await it.cron()
  expect(await dueAt()).toBeNull()
  expect((await here.read(id)).warnings).toEqual([])
})

test('a run keeps 2,000 values, and counts further values by field and column', () => {
  const counter = new WarningCounter([])
  const warning = (value: string): Run['warnings'][number] => ({
    ...{ field: 'attributes.plan', column: 'plan', value, rows: 0, became: null, reason: 'Too long.' },
  })
  for (let row = 1; row <= 3_000; row++) counter.count(row, [warning(`v${row}`)], true)
  const warnings = counter.list(5_000, new Set())
  expect(warnings).toHaveLength(2_001)
  expect(warnings.at(-1)).toMatchObject({ field: 'attributes', column: 'plan', value: '…', rows: 1_000 })
})
