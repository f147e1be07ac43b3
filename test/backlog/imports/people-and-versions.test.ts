import { expect, test } from 'vitest'
import { send } from '../../client'
import { readClock } from '../../clock'
import { runtimeTest } from '../../runtime-test'
import type { Run } from '../../workspace/imports/scenario'
import { createImportScenario } from './scenario'

interface Version {
  externalKey: string
  name: string
  status: string
  items: string[]
}

const listWarnings = ({ warnings }: Run) =>
  warnings.map(({ field, column, value, rows, became }) => [field, column, value, rows, became])

async function createVersionScenario() {
  const here = await createImportScenario()
  const path = `${here.path.replace('/backlog', '')}/solution-versions`
  const get = async <T>(at: string) => (await here.client<T>('GET', at)).body.data
  return {
    ...here,
    versionsPath: path,
    item: (key: string) => get<{ userId: number[]; attributes: Record<string, string> }>(`${here.path}/${key}`),
    async versions() {
      const found = await get<Version[]>(`${path}?sort=createdAt`)
      const details = await Promise.all(found.map(({ externalKey }) => get<Version>(`${path}/${externalKey}`)))
      return details.map(({ externalKey, name, status, items }) => [externalKey, name, status, items])
    },
    undo: (id: number) => here.client('POST', `/api/v2/imports/${id}/undo`),
  }
}

test('people are found by address, then by the full name of one member, and the others are listed', async () => {
  const here = await createVersionScenario()
  const add = async (email: string, firstName: string, lastName: string) =>
    (await here.client<{ id: number }>('POST', '/api/v2/users', { json: { email, firstName, lastName } })).body.data.id
  const ada = await add('ada@example.com', 'Ada', 'Lovelace')
  await add('kim1@example.com', 'Kim', 'Li')
  await add('kim2@example.com', 'Kim', 'Li')
  const file = `Work Item Type,ID,Title,State,Assigned To,Created By
Bug,1,By both,New,Somebody Else <ADA@example.com>,Ada Lovelace
Bug,2,By address,New,ada@example.com,
Bug,3,By name,New,ada lovelace,Nobody
Bug,4,By a name of two,New,Kim Li,
Bug,5,Unknown,New,ann@example.com,
`
  const preview = await here.run(file, { query: '?dryRun=true' })
  const made = await here.run(file)
  expect(made.body.data).toMatchObject({ warnings: preview.body.data.warnings, totals: preview.body.data.totals })
  expect(listWarnings(made.body.data)).toEqual([
    ['reporter', 'Created By', 'Nobody', 1, 'attributes.reporter'],
    ['assignee', 'Assigned To', 'Kim Li', 1, 'attributes.assignee'],
    ['assignee', 'Assigned To', 'ann@example.com', 1, 'attributes.assignee'],
  ])
  const items = await Promise.all([1, 2, 3, 4, 5].map((n) => here.item(`US-${n}`)))
  expect(items.map(({ userId, attributes }) => [userId, attributes.assignee, attributes.reporter])).toEqual([
    [[ada], undefined, 'Ada Lovelace'],
    [[ada], undefined, undefined],
    [[ada], undefined, 'Nobody'],
    [[], 'Kim Li', undefined],
    [[], 'ann@example.com', undefined],
  ])
  const update = await here.run(file.replace('Kim Li', 'ada@example.com'), { query: '?onConflict=update' })
  expect(update.body.data.totals).toMatchObject({ created: 0, updated: 1, skipped: 4 })
  expect((await here.item('US-4')).userId).toEqual([ada])
  await here.undo(update.body.data.id)
  expect(await here.item('US-4')).toMatchObject({ userId: [], attributes: { assignee: 'Kim Li' } })
})

const JIRA = `Summary,Issue key,Issue Type,Status,Fix versions,Fix versions
Pay,ACME-1,Story,Open,1.0,2.0
Ship,ACME-2,Story,Open,2.0,
Pack,ACME-3,Story,Open,0.9,
`

test('fix versions are linked to known solution versions, and the others are listed', async () => {
  const here = await createVersionScenario()
  await here.client('POST', here.versionsPath, { json: { name: '2.0' } })
  await here.client('POST', here.versionsPath, { json: { name: '0.9' } })
  await here.client('POST', `${here.versionsPath}/SV-2/release`)
  const preview = await here.run(JIRA, { query: '?dryRun=true' })
  const made = await here.run(JIRA)
  expect(made.body.data).toMatchObject({ warnings: preview.body.data.warnings, totals: preview.body.data.totals })
  expect(listWarnings(made.body.data)).toEqual([
    ['solutionVersion', 'Fix versions', '1.0', 1, 'attributes.fixVersions'],
    ['solutionVersion', 'Fix versions', '0.9', 1, 'attributes.fixVersions'],
  ])
  expect(await here.versions()).toEqual([
    ['SV-1', '2.0', 'planned', ['US-1', 'US-2']],
    ['SV-2', '0.9', 'released', []],
  ])
  expect((await here.item('US-1')).attributes).toEqual({ fixVersions: '1.0' })
  expect((await here.item('US-2')).attributes).toEqual({})
  expect((await here.item('US-3')).attributes).toEqual({ fixVersions: '0.9' })
  // Older versions of Jira write the column with another name. Further items follow the others.
  await here.run('Summary,Issue key,Issue Type,Status,Fix Version/s\nLate,ACME-4,Story,Open,2.0\n')
  expect((await here.versions())[0]).toEqual(['SV-1', '2.0', 'planned', ['US-1', 'US-2', 'US-4']])
})

test('createMissing=versions makes solution versions once, and the undo removes the unused versions', async () => {
  const here = await createVersionScenario()
  const query = '?createMissing=versions'
  const preview = await here.run(JIRA, { query: `${query}&dryRun=true` })
  const made = await here.run(JIRA, { query })
  expect(made.body.data).toMatchObject({ warnings: [], totals: preview.body.data.totals })
  expect(await here.versions()).toEqual([
    ['SV-1', '1.0', 'planned', ['US-1']],
    ['SV-2', '2.0', 'planned', ['US-1', 'US-2']],
    ['SV-3', '0.9', 'planned', ['US-3']],
  ])
  expect((await here.run(JIRA, { query })).body.data.totals).toMatchObject({ created: 0, skipped: 3 })
  const changed = JIRA.replace('0.9', '2.0').replace('Open,2.0,', 'Open,2.0,3.0')
  const options = { query: `${query}&onConflict=update` }
  const before = await here.run(changed, { query: `${options.query}&dryRun=true` })
  const updated = await here.run(changed, options)
  expect(updated.body.data).toMatchObject({ warnings: [], totals: before.body.data.totals })
  expect(updated.body.data.totals).toMatchObject({ updated: 2, skipped: 1 })
  expect((await here.versions()).slice(1)).toEqual([
    ['SV-2', '2.0', 'planned', ['US-1', 'US-2', 'US-3']],
    ['SV-3', '0.9', 'planned', ['US-3']],
    ['SV-4', '3.0', 'planned', ['US-2']],
  ])
  await here.undo(updated.body.data.id)
  expect((await here.versions()).map(([key, , , items]) => [key, items])).toEqual([
    ['SV-1', ['US-1']],
    ['SV-2', ['US-1', 'US-2']],
    ['SV-3', ['US-3']],
  ])
  const other = await here.run(JIRA.replaceAll('ACME', 'OTHER').replace('1.0', '4.0').replace('0.9', '5.0'), { query })
  await here.client('PUT', `${here.versionsPath}/SV-6`, { json: { description: 'Changed' } })
  await here.undo(other.body.data.id)
  expect((await here.versions()).slice(3)).toEqual([['SV-6', '5.0', 'planned', []]])
})

test('an own export finds the team and all assignees, and unknown ones stay as attributes', async () => {
  const here = await createVersionScenario()
  const stranger = await createImportScenario()
  await stranger.client('POST', '/api/v2/teams', { json: { name: 'Foreign' } })
  await stranger.client('POST', '/api/v2/users', { json: { email: 'foreign@example.com' } })
  const ada = await here.client<{ id: number }>('POST', '/api/v2/users', { json: { email: 'ada@example.com' } })
  const team = await here.client<{ id: number }>('POST', '/api/v2/teams', { json: { name: '=Core' } })
  const row = (more: object) => ({
    ...{ type: 'userstory', externalKey: '', epicKey: '', featureKey: '', createdAt: '2020-01-02T03:04:05.678Z' },
    ...more,
  })
  const rows = [
    row({ summary: 'A', team: '=Core', assignees: ['owner@example.com', 'ADA@example.com', 'ada@example.com'] }),
    row({ summary: 'B', team: 'Foreign', assignees: ['foreign@example.com', 'ada@example.com'] }),
    row({ summary: 'C', assignees: 'ada', scoring: { model: 'rice', inputs: {} }, createdAt: 'soon' }),
    row({ summary: 'D', createdAt: '2999-01-01' }),
  ]
  const name = 'backlog.json'
  const preview = await here.run(JSON.stringify(rows), { name, query: '?dryRun=true' })
  const made = await here.run(JSON.stringify(rows), { name })
  expect(made.body.data).toMatchObject({ totals: { created: 4, rejected: 0 }, warnings: preview.body.data.warnings })
  expect(listWarnings(made.body.data).map(([field, , value, , became]) => [field, value, became])).toEqual([
    ['team', 'Foreign', 'attributes.team'],
    ['assignees', 'foreign@example.com', 'attributes.assignee'],
    ['createdAt', 'soon', null],
    ['scoringInputs', '{"model":"rice","inputs":{}}', null],
    ['assignees', 'ada', null],
  ])
  const { response } = await send('GET', `${here.path}/export?format=json`, { apiKey: await here.key() })
  const items = (await response.json()) as Record<string, unknown>[]
  expect(items.map(({ teamId, userId, attributes, scoring }) => [teamId, userId, attributes, scoring])).toEqual([
    [team.body.data.id, [here.userId, ada.body.data.id], {}, null],
    [null, [ada.body.data.id], { team: 'Foreign', assignee: 'foreign@example.com' }, null],
    [null, [], {}, null],
    [null, [], {}, null],
  ])
  const times = items.map(({ createdAt }) => createdAt as string)
  expect(times.slice(0, 2)).toEqual(['2020-01-02T03:04:05.678Z', '2020-01-02T03:04:05.678Z'])
  // An item is not newer than its import.
  expect(Math.max(...times.map((time) => Date.parse(time)))).toBeLessThanOrEqual(readClock())
  const reader = await here.client<{ id: number }>('POST', '/api/v2/users', { json: { email: 'reader@example.com' } })
  const limited = await here.key({ userId: reader.body.data.id, scopes: ['backlog:read'] })
  const shown = await send('GET', `${here.path}/export?format=json`, { apiKey: limited })
  const hidden = (await shown.response.json()) as Record<string, unknown>[]
  expect(hidden.map(({ team, assignees }) => [team, assignees])).toEqual(items.map(() => ['', []]))
})

test('unknown names stay as attributes within the limits of attributes, and change no attribute of the file', async () => {
  const here = await createVersionScenario()
  await here.client('POST', '/api/v2/teams', { json: { name: 'Core' } })
  const strangers = Array.from({ length: 100 }, (_, n) => `${'x'.repeat(60)}${n}@example.com`)
  const rows = [
    { summary: 'A', team: 'Alpha', attributes: { team: 'Blue', assignee: 'Ada' }, assignees: ['ann@example.com'] },
    { summary: 'B', team: 'T'.repeat(5_000), assignees: strangers },
    { summary: 'C', team: 'Core', attributes: { team: 'Blue' }, assignees: ['ann@example.com'] },
  ].map((row) => ({ type: 'userstory', externalKey: '', epicKey: '', featureKey: '', createdAt: '', ...row }))
  const name = 'backlog.json'
  const preview = await here.run(JSON.stringify(rows), { name, query: '?dryRun=true' })
  const made = await here.run(JSON.stringify(rows), { name })
  expect(made.body.data).toMatchObject({ totals: { created: 3 }, warnings: preview.body.data.warnings })
  const warnings = listWarnings(made.body.data).map(([field, , value, , became]) => [field, value, became])
  expect(warnings).toEqual(
    expect.arrayContaining([
      ['team', 'Alpha', null],
      ['assignees', 'ann@example.com', null],
      ['team', expect.stringMatching(/^T+…$/), null],
      ['assignees', strangers[0], null],
    ]),
  )
  const items = await Promise.all(['US-1', 'US-2', 'US-3'].map(here.item))
  expect(items.map(({ attributes }) => attributes)).toEqual([
    { team: 'Blue', assignee: 'Ada' },
    {},
    { team: 'Blue', assignee: 'ann@example.com' },
  ])
  const file = `Work Item Type,ID,Title,State,Assigned To\nBug,1,Long,New,${'x'.repeat(5_000)}\n`
  const long = (await here.run(file)).body.data
  expect(listWarnings(long)).toEqual([['assignee', 'Assigned To', expect.stringMatching(/^x+…$/), 1, null]])
  expect((await here.item('US-4')).attributes).toEqual({ issueType: 'Bug' })
})

runtimeTest('the cost of a row grows with the number of card members, and not with its square', async () => {
  const here = await createVersionScenario()
  const importMembers = async (count: number) => {
    const names = Array.from({ length: count }, (_, n) => `M${n}`)
    const made = await here.run(`summary,People\nCard,"${names}"\n`, { mapping: { People: 'cardMembers' } })
    return made.cost.rowsRead
  }
  const [one, half, whole] = [await importMembers(1), await importMembers(75), await importMembers(150)]
  expect((await here.item('US-3')).attributes.members?.split(', ')).toHaveLength(150)
  expect(half - one).toBeGreaterThan(75)
  expect(whole - one).toBeLessThan(3 * (half - one))
})
