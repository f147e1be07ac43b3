import { expect, test } from 'vitest'
import { simulateImports } from '../../workspace/imports/import-simulation'
import type { Run } from '../../workspace/imports/scenario'
import { createImportScenario } from './scenario'

interface Link {
  id: number
  item: { externalKey: string }
}

const HEADER = 'Summary,Issue key,Issue Type,Status,Inward issue link (Relates)\n'

test('a link that somebody removes during a run stays removed, and the undo keeps the later link with its id', async () => {
  const here = await createImportScenario()
  const linksOf = async (key: string) => (await here.client<Link[]>('GET', `${here.path}/${key}/links`)).body.data
  const namesOf = async (key: string) => (await linksOf(key)).map(({ item }) => item.externalKey)
  await here.run(`${HEADER}One,OWN-1,Story,Open,\nTwo,OWN-2,Story,Open,\n`)
  const linked: Record<number, string> = { 2: 'ACME-1', 4: 'ACME-3', 2500: 'ACME-2499' }
  const rows = Array.from({ length: 5_001 }, (_, n) => `Item,ACME-${n + 1},Story,Open,${linked[n + 1] ?? ''}\n`)
  const { id, status } = (await here.run(HEADER + rows.join(''))).body.data
  expect(status).toBe('pending')
  const it = simulateImports()
  // The first batch claims the run, and each further batch writes 1,000 rows.
  it.beforeAction = async (batch) => {
    if (batch === 3) {
      const [link] = await linksOf('US-6')
      await here.client('DELETE', `${here.path}/US-6/links/${link?.id}`)
    }
    if (batch === 4) {
      expect(await namesOf('US-6')).toEqual([])
      await here.client('POST', `${here.path}/US-1/links`, { json: { type: 'relates', to: 'US-2' } })
    }
  }
  await it.handle({ kind: 'import.run', subscriptionId: here.subscriptionId, importId: id })
  const { body } = await here.client<Run>('GET', `/api/v2/imports/${id}`)
  expect(body.data).toMatchObject({ status: 'completed', totals: { created: 5_001 } })
  const links = await Promise.all(['US-1', 'US-4', 'US-6', 'US-2502'].map(namesOf))
  expect(links).toEqual([['US-2'], ['US-3'], [], ['US-2501']])
  await here.client('POST', `/api/v2/imports/${id}/undo`)
  expect(await namesOf('US-1')).toEqual(['US-2'])
  expect((await here.client('GET', `${here.path}/US-4`)).status).toBe(404)
})
