import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'
import { importFile } from '../imports/scenario'

interface EventOfMany {
  type: string
  resourceKey: string
  data: { count: number; userIds: number[]; records: { id: number; value: string; createdAt: string }[] }
}

async function listEvents({ client }: Workspace, type: string, after = 0): Promise<EventOfMany[]> {
  const { body } = await client<(EventOfMany & { id: number })[]>(
    'GET',
    `/api/v2/events?type=${type}&after=${after}&limit=100`,
  )
  const last = body.data.at(-1)?.id
  return last === undefined ? [] : [...body.data, ...(await listEvents({ client } as Workspace, type, last))]
}

const listUserIds = async ({ client }: Workspace, segmentId: number) => {
  const ids: number[] = []
  for (let next: string | undefined = `/api/v2/segments/${segmentId}/users?limit=100`; next; ) {
    const page: Awaited<ReturnType<typeof client<{ id: number }[]>>> = await client<{ id: number }[]>('GET', next)
    ids.push(...page.body.data.map(({ id }) => id))
    next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
  }
  return ids.toSorted((a, b) => a - b)
}

test('events of segments list the users that join and leave, at most 1,000 each, also of imports', async () => {
  const space = await createWorkspace()
  const { client } = space
  const { id } = (await client<{ id: number }>('POST', '/api/v2/segments', { json: { name: 'Pilots' } })).body.data
  const other = (await client<{ id: number }>('POST', '/api/v2/segments', { json: { name: 'Others' } })).body.data.id
  const people = Array.from({ length: 2_300 }, (_, n) => ({ name: `P ${n}`, email: `p${n}@example.com` }))
  await client('POST', `/api/v2/segments/${id}/create-users`, { json: people })
  const added = await listEvents(space, 'segment.users_added')
  expect(added.map(({ resourceKey, data }) => [resourceKey, data.count, data.userIds.length])).toEqual([
    [String(id), 1_000, 1_000],
    [String(id), 1_000, 1_000],
    [String(id), 300, 300],
  ])
  const members = await listUserIds(space, id)
  expect(added.flatMap(({ data }) => data.userIds)).toEqual(members)
  await client('POST', `/api/v2/segments/${id}/create-users`, { json: people.slice(0, 3) })
  expect((await listEvents(space, 'segment.users_added')).length).toBe(3)

  const moved = members.slice(5, 8)
  const json = { action: 'move', userIds: [...moved, 1], fromSegmentId: id, toSegmentId: other }
  await client('PUT', '/api/v2/segments/manage-users', { json })
  const file = new File(
    [`email,segmentNames\np5@example.com,"[""Pilots""]"\nnew@example.com,"[""Others""]"\n`],
    'a.csv',
  )
  const run = await importFile(space, 'people', file, 'onConflict=update')
  await client('POST', `/api/v2/imports/${run.id}/undo`)
  await client('DELETE', `/api/v2/users/${members[0]}`)
  await client('POST', `/api/v2/users/${members[0]}/restore`)
  const changes = [...(await listEvents(space, 'segment.users_added,segment.users_removed'))].slice(3)
  const created = changes[3]?.data.userIds[0]
  expect(changes.map(({ type, resourceKey, data }) => [type.slice(14), Number(resourceKey), data.userIds])).toEqual([
    ['added', other, moved],
    ['removed', id, moved],
    ['added', id, [moved[0]]],
    ['added', other, [created]],
    ['removed', id, [moved[0]]],
    ['removed', other, [created]],
    ['removed', id, [members[0]]],
    ['added', id, [members[0]]],
  ])
  expect(await listUserIds(space, id)).toEqual(members.filter((one) => !moved.includes(one)))
})

test('an event of inserted KPI records lists at most 1,000 records with ids and values', async () => {
  const space = await createWorkspace()
  const { client, product } = space
  const kpis = `/api/initiatives/${product.externalKey}/kpi`
  const { externalKey } = (await client<{ externalKey: string }>('POST', kpis, { json: { title: 'Revenue' } })).body
    .data
  const path = `${kpis}/${externalKey}`
  const insert = (values: object[], query = '') =>
    client('POST', `${path}/insert-kpi-records${query}`, { json: values as never })
  const day = (n: number) => new Date(Date.UTC(2020, 0, 1) + n * 86_400_000).toISOString()
  await insert([...Array.from({ length: 1_700 }, (_, n) => ({ value: n / 4 - 9, createdAt: day(n) })), { value: 'x' }])
  await insert(
    [
      { value: 7, createdAt: day(0) },
      { value: -8.75, createdAt: day(1) },
      { value: 1, createdAt: day(-1) },
    ],
    '?mode=upsert',
  )
  const events = await listEvents(space, 'kpi.records_inserted')
  expect(events.map(({ data: { records, ...rest } }) => [rest, records.length])).toEqual([
    [{ count: 1_000, rejected: 1 }, 1_000],
    [{ count: 700, rejected: 0 }, 700],
    [{ count: 2, rejected: 0, replaced: true }, 2],
  ])
  const [, , replaced] = events
  const times = replaced?.data.records.map(({ createdAt }) => createdAt)
  const kept = events
    .slice(0, 2)
    .flatMap(({ data }) => data.records)
    .filter(({ createdAt }) => !times?.includes(createdAt))
  const stored: unknown[] = []
  for (let next: string | undefined = `${path}/records?limit=100`; next; ) {
    const page: Awaited<ReturnType<typeof client<unknown[]>>> = await client<unknown[]>('GET', next)
    stored.push(...page.body.data)
    next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
  }
  expect(stored.length).toBe(1_701)
  expect(stored).toEqual(expect.arrayContaining([...kept, ...(replaced?.data.records ?? [])]))
})
