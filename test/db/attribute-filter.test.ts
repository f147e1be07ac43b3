import { expect, test } from 'vitest'
import { createWorkspace } from '../factories'

const ATTRIBUTES = [
  { plan: 'pro', seats: 12, trial: true },
  { plan: 'pro', seats: 1.5, trial: false },
  { plan: 'free', 'team size': 'S, M' },
]

async function createAttributedLists() {
  const here = await createWorkspace()
  const { client, product } = here
  const epics = `/api/initiatives/${product.externalKey}/epics`
  for (const [n, attributes] of ATTRIBUTES.entries()) {
    const name = `Record ${n}`
    const made = [
      await client('POST', epics, { json: { summary: name, attributes } }),
      await client('POST', '/api/feedback-items', { json: { title: name, product: product.externalKey, attributes } }),
      await client('POST', '/api/v2/idea-manager/members?invite=false', {
        json: { email: `record${n}@example.com`, firstName: name, attributes },
      }),
    ]
    for (const { status } of made) expect(status).toBeLessThan(300)
  }
  const paths = [epics, '/api/feedback-items', '/api/v2/idea-manager/members']
  return { here, paths, tree: `/api/initiatives/${product.externalKey}/backlog` }
}

interface Named {
  summary?: string
  title?: string
  firstName?: string
}

test('work items, ideas and members are found by attributes', async () => {
  const { here, paths, tree } = await createAttributedLists()
  const cases: [query: string, found: number[]][] = [
    ['attributes.plan=pro', [0, 1]],
    ['attributes.plan=PRO', []],
    ['attributes.seats=12', [0]],
    ['attributes.seats=1.5', [1]],
    ['attributes.trial=true', [0]],
    ['attributes.trial=1', []],
    ['attributes.plan=pro&attributes.trial=false', [1]],
    ['attributes.team%20size=S%2C%20M', [2]],
    ['attributes.nothing=x', []],
  ]
  for (const path of paths) {
    for (const [query, found] of cases) {
      const { body, headers, cost } = await here.client<Named[]>('GET', `${path}?${query}&count=true`)
      const names = body.data.map(({ summary, title, firstName }) => summary ?? title ?? firstName)
      expect([path, query, names.toSorted()]).toEqual([path, query, found.map((n) => `Record ${n}`)])
      expect([headers.get('x-total-count'), cost.roundTrips]).toEqual([String(found.length), 1])
    }
    for (const wrong of [
      'attributes.=x',
      'attributes=x',
      'attributes.plan=pro&attributes.plan=free',
      'attributesplan=x',
    ])
      expect([wrong, (await here.client('GET', `${path}?${wrong}`)).status]).toEqual([wrong, 400])
  }
  const attributes = (count: number) => Array.from({ length: count }, (_, n) => `attributes.a${n}=x`).join('&')
  for (const path of [...paths, tree]) {
    const { status, body } = await here.client('GET', `${path}?${attributes(11)}`)
    expect([path, status, body.error?.issues?.[0]?.message]).toEqual([path, 400, expect.stringContaining('at most 10')])
    expect([path, (await here.client('GET', `${path}?${attributes(10)}`)).status]).toEqual([path, 200])
  }
  const { body } = await here.client<{ items: Named[] }>('GET', `${tree}?attributes.plan=free`)
  expect(body.data.items.map(({ summary }) => summary)).toEqual(['Record 2'])
  expect((await here.client('GET', '/api/v2/teams?attributes.plan=pro')).status).toBe(400)
})
