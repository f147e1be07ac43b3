import { expect, test } from 'vitest'
import { send } from '../../client'
import { createImportScenario, importFile } from './scenario'

interface Warning {
  field: string
  column: string | null
  value: string | null
  rows: number
  became: string | null
}

const JIRA = `Summary,Issue key,Issue id,Issue Type,Status,Priority,Status Category
One,SHOP-1,1,Story,To Do,Highest,To Do
Two,SHOP-2,2,Story,Done,Sehr wichtig,Erledigt
Three,SHOP-3,3,Story,To Do,Sehr wichtig,To Do
Four,SHOP-4,4,Story,To Do,,To Do
`
const AZURE = `ID,Work Item Type,Title,State,Priority,Severity
1,Bug,One,New,1,2 - High
2,Bug,Two,New,9,2 - Hoch
`
const IDEAS = `title,details,status,Type,Priority,Followers
One,,open,Feature Request,P1,
Two,,open,Bug,low,
Three,,open,Praise,unclear,"[{""email"": ""ada@example.com"", ""reason"": ""curious""}]"
`

async function createKnownValuesScenario() {
  const here = await createImportScenario()
  return async (area: 'backlog' | 'feedback', content: string) => {
    const importRows = (query: string) => importFile(here, area, new File([content], 'a.csv'), query)
    const show = (warnings: Warning[]) =>
      warnings
        .filter(({ field }) => field !== 'status' && field !== 'author')
        .map(({ field, column, value, rows, became }) => [field, column, value, rows, became].join(' | '))
        .toSorted()
    const preview = show((await importRows('dryRun=true')).warnings)
    const run = await importRows('')
    expect(show(run.warnings)).toEqual(preview)
    expect(run.totals).toMatchObject({ created: run.totals.rows, rejected: 0 })
    const csv = await send('GET', `/api/v2/imports/${run.id}/warnings.csv`, { apiKey: await here.key() })
    expect((await csv.response.text()).trim().split('\n').length).toBe(run.warnings.length + 1)
    return preview
  }
}

test('unknown values of priority, severity and the category of a status are warnings of the backlog', async () => {
  const listUnknown = await createKnownValuesScenario()
  expect(await listUnknown('backlog', JIRA)).toEqual(['priority | Priority | Sehr wichtig | 2 | attributes.priority'])
  const categories = 'summary,status category\nOne,done\nTwo,Erledigt\n'
  expect(await listUnknown('backlog', categories)).toEqual(['statusCategory | status category | Erledigt | 1 | to-do'])
  expect(await listUnknown('backlog', AZURE)).toEqual([
    'priority | Priority | 9 | 1 | attributes.priority',
    'severity | Severity | 2 - Hoch | 1 | attributes.severity',
  ])
})

test('unknown types, priorities and reasons of followers are warnings of ideas', async () => {
  const listUnknown = await createKnownValuesScenario()
  expect(await listUnknown('feedback', IDEAS)).toEqual([
    'followers | Followers | curious | 1 | asked',
    'priority | Priority | unclear | 1 | attributes.Priority',
    'type | Type | Praise | 1 | idea',
  ])
})

test('an attribute of an own export has no list of values', async () => {
  const listUnknown = await createKnownValuesScenario()
  expect(await listUnknown('backlog', 'summary,attributes.priority\nOne,unclear\n')).toEqual([])
})
