import { expect, test } from 'vitest'
import { send } from '../../client'
import { createImportScenario } from './scenario'

test('unreadable ids in other systems are warnings, and a column with a number of comments is an attribute', async () => {
  const here = await createImportScenario()
  const externalIds = [{ source: 'linear', externalId: 'LIN-1' }, { source: 'Not a name', externalId: '2' }, 7]
  const rows = [
    { summary: 'With ids', externalIds },
    { summary: 'With a number', comments: '3' },
    { summary: 'With a text', comments: [{ text: '<p>Yes!</p>', email: 'new@example.com' }] },
  ]
  const { body } = await here.run(JSON.stringify(rows), { name: 'items.json' })
  expect(body.data).toMatchObject({ totals: { created: 3, rejected: 0 } })
  expect(JSON.stringify(body.data)).toContain('Must be the name of another system')
  const { response } = await send('GET', `${here.path}/export?format=json&include=comments`, {
    apiKey: await here.key(),
  })
  expect(await response.json()).toMatchObject([
    { externalIds: [{ source: 'linear', externalId: 'LIN-1' }], comments: [] },
    { attributes: { comments: '3' }, comments: [] },
    { comments: [{ text: '<p>Yes!</p>', email: 'new@example.com', isPrivate: false }] },
  ])
})
