import { expect, test } from 'vitest'
import { send } from '../../client'
import { createWorkspace } from '../../factories'

interface Kpi {
  externalKey: string
  workItems: string[]
  order: number
}

test('KPIs are exported with and without work items, in the order of the list, and without records', async () => {
  const { client, product, key } = await createWorkspace()
  const at = `/api/initiatives/${product.externalKey}`
  await client('POST', `${at}/epics`, { json: { summary: 'An epic' } })
  await client('POST', `${at}/kpi`, { json: { title: 'First' } })
  await client('POST', `${at}/kpi`, { json: { title: 'Linked', workItems: ['EP-1'], aggregate: 'sum' } })
  await client('PUT', `${at}/kpi/KPI-1`, { json: { order: 7 } })
  const { response } = await send('GET', `${at}/kpis/export?format=json`, { apiKey: await key() })
  const exported: Kpi[] = await response.json()
  expect(exported.map(({ externalKey, workItems, order }) => [externalKey, workItems, order])).toEqual([
    ['KPI-2', ['EP-1'], 2],
    ['KPI-1', [], 7],
  ])
  expect(Object.keys(exported[0] ?? {})).not.toContain('kpi_revisions')
})
