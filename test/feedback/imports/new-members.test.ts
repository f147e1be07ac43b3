import { expect, test } from 'vitest'
import { readClock } from '../../clock'
import { simulateImports } from '../../workspace/imports/import-simulation'
import type { Run } from '../../workspace/imports/scenario'
import { createImportScenario } from './scenario'

interface Member {
  id: number
  email: string
}

async function createMembersScenario() {
  const here = await createImportScenario()
  const read = async <D>(path: string) => (await here.client<D>('GET', path)).body.data
  return {
    ...here,
    importRows: async (rows: object[], query = '') =>
      (await here.run(JSON.stringify(rows), { name: 'ideas.json', query })).body.data,
    undo: async ({ id }: Pick<Run, 'id'>) => (await here.client<Run>('POST', `/api/v2/imports/${id}/undo`)).body.data,
    readRun: (id: number) => read<Run>(`/api/v2/imports/${id}`),
    listAddresses: async () =>
      (await read<Member[]>('/api/v2/idea-manager/members?limit=100')).map(({ email }) => email).sort(),
    listDeleted: async () =>
      (await read<{ data: Member }[]>('/api/v2/events?type=member.deleted')).map(({ data }) => data.id),
    read,
  }
}

const address = (name: string) => `${name}@example.com`

test('an undo removes the members that the run created, and leaves members in use and from before', async () => {
  const here = await createMembersScenario()
  await here.client('POST', '/api/v2/idea-manager/members?invite=false', { json: { email: address('known') } })
  const before = await here.listAddresses()
  const rows = [
    {
      ...{ title: 'Dark mode', author: address('author'), votes: ['known', 'voter', 'busy'].map(address) },
      ...{ followers: [address('follower')], comments: [{ text: 'Yes', email: address('commenter') }] },
    },
    { title: 'Hidden', author: address('anonymous'), isAnonymous: true },
  ]
  const made = await here.importRows(rows)
  const names = ['anonymous', 'author', 'busy', 'commenter', 'follower', 'voter'].map(address)
  expect(await here.listAddresses()).toEqual([...before, ...names].sort())
  const other = await here.importRows([{ title: 'Later', votes: [address('busy')] }])
  expect(await here.undo(made)).toMatchObject({ status: 'undone', totals: { kept: 0 } })
  // A removal would name the author of the anonymous idea.
  expect(await here.listAddresses()).toEqual([...before, address('anonymous'), address('busy')].sort())
  expect(await here.listDeleted()).toHaveLength(4)
  // The addresses are free again.
  expect((await here.importRows(rows)).totals).toMatchObject({ created: 2, rejected: 0 })
  expect(await here.undo(other)).toMatchObject({ status: 'undone' })
})

test('a changed member stays, and commenters of work items are removed too', async () => {
  const here = await createMembersScenario()
  const before = await here.listAddresses()
  const json = [{ summary: 'Pay', comments: ['one', 'two'].map((name) => ({ text: 'Yes', email: address(name) })) }]
  const path = `/api/initiatives/${here.product.externalKey}/backlog/import`
  const made = (await here.client<Run>('POST', path, { json })).body.data
  const [member] = await here.read<Member[]>(`/api/v2/idea-manager/members?email=${address('one')}`)
  await here.client('PUT', `/api/v2/idea-manager/members/${member?.id}`, { json: { firstName: 'One' } })
  await here.undo(made)
  expect(await here.listAddresses()).toEqual([...before, address('one')].sort())
})

test('thousands of members are removed in rounds of the queue, also when each process dies after its round', async () => {
  const here = await createMembersScenario()
  const before = await here.listAddresses()
  const votes = Array.from({ length: 7_200 }, (_, n) => `v${n}@e.co`)
  const made = await here.importRows([{ title: 'Popular', votes }])
  const undone = await here.undo(made)
  expect(undone.status).toBe('undoing')
  for (let n = 0; n < 5 && (await here.readRun(made.id)).status === 'undoing'; n++) {
    const it = simulateImports()
    it.now = readClock() + (n + 1) * 3_600_000
    it.kill = { at: 2, when: 'after' }
    await it.handle({ kind: 'import.run', subscriptionId: here.subscriptionId, importId: made.id }).catch(() => {})
  }
  expect(await here.readRun(made.id)).toMatchObject({ status: 'undone', totals: { kept: 0 } })
  expect(await here.listAddresses()).toEqual(before)
})
