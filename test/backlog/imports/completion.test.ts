import { expect, test } from 'vitest'
import { send } from '../../client'
import { createImportScenario } from './scenario'

interface Item {
  summary: string
  progress: string
  externalProgress: string
  attributes: Record<string, unknown>
}

const HEADER =
  'Task ID,Created At,Completed At,Last Modified,Name,Section/Column,Assignee,Assignee Email,Due Date,Tags,Notes'

async function listItems(here: Awaited<ReturnType<typeof createImportScenario>>): Promise<Item[]> {
  const { response } = await send('GET', `${here.path}/export?format=json`, { apiKey: await here.key() })
  return response.json()
}

test('a completed task of Asana is done, unless the section says more', async () => {
  const here = await createImportScenario()
  const file = `${HEADER}
1,2026-09-01,2026-09-03,2026-09-03,No section,,,,,,
2,2026-09-01,2026-09-03,2026-09-03,Unknown section,Marketing,,,,,
3,2026-09-01,2026-09-03,2026-09-03,In review,In review,,,,,
4,2026-09-01,,2026-09-03,Open,Marketing,,,,,
5,2026-09-01,,2026-09-03,Open without section,,,,,,
`
  const preview = await here.run(file, { query: '?dryRun=true' })
  const { body } = await here.run(file)
  expect(body.data).toMatchObject({ mapping: { preset: 'asana' }, totals: { created: 5, rejected: 0 } })
  expect(body.data.warnings.map(({ value, rows, became }) => [value, rows, became])).toEqual([
    ['Marketing', 1, 'to-do'],
  ])
  expect(preview.body.data.warnings).toEqual(body.data.warnings)
  const shown = (await listItems(here))
    .map(({ summary, progress, externalProgress, attributes }) => [
      summary,
      progress,
      externalProgress,
      attributes.completedAt ?? '',
    ])
    .toSorted()
  expect(shown).toEqual([
    ['In review', 'in-progress', 'In review', '2026-09-03'],
    ['No section', 'done', '', '2026-09-03'],
    ['Open without section', 'to-do', '', ''],
    ['Open', 'to-do', 'Marketing', ''],
    ['Unknown section', 'done', 'Marketing', '2026-09-03'],
  ])
})

test('a file without a status column has done items by the time of the completion', async () => {
  const here = await createImportScenario()
  const { body } = await here.run('Title,Completed at\nOne,2026-09-03\nTwo,\n')
  expect(body.data).toMatchObject({ totals: { created: 2 }, warnings: [] })
  const items = await listItems(here)
  expect(items.map(({ summary, progress }) => `${summary} ${progress}`).toSorted()).toEqual(['One done', 'Two to-do'])
})
