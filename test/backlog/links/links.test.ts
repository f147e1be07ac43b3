import { expect, test } from 'vitest'
import { createBox, createWebhookScenario, verifyDelivery } from '../../workspace/webhooks/scenario'
import { createWorkItemScenario } from '../work-items/scenario'

interface Link {
  id: number
  type: string
  direction: string
  item: { externalKey: string; product: string }
}

async function createItems(count: number) {
  const here = await createWorkItemScenario()
  for (let n = 1; n <= count; n++) await here.create('epics', { summary: `E${n}` })
  const add = (key: string, type: string, to: unknown) =>
    here.client<Link>('POST', `${here.at}/backlog/${key}/links`, { json: { type, to } })
  const of = async (key: string, apiKey?: string) =>
    (await here.client<Link[]>('GET', `${here.at}/backlog/${key}/links`, apiKey ? { apiKey } : {})).body.data.map(
      ({ type, direction, item }) => `${type} ${direction} ${item.externalKey}`,
    )
  return { ...here, add, of }
}

test('a link is shown at both items and can be removed from both', async () => {
  const here = await createItems(3)
  const first = await here.add('EP-1', 'blocks', 'EP-2')
  expect([first.status, first.cost.roundTrips]).toEqual([201, 1])
  expect(first.body.data).toMatchObject({
    type: 'blocks',
    direction: 'to',
    item: { externalKey: 'EP-2', type: 'epic', summary: 'E2', progress: 'to-do', product: here.product.externalKey },
  })
  const second = await here.add('EP-3', 'relates', 'EP-1')
  expect(await here.of('EP-1')).toEqual(['blocks to EP-2', 'relates from EP-3'])
  expect(await here.of('EP-2')).toEqual(['blocks from EP-1'])
  const remove = (key: string, id: number) => here.client('DELETE', `${here.at}/backlog/${key}/links/${id}`)
  expect((await remove('EP-3', first.body.data.id)).status).toBe(404)
  expect((await remove('EP-2', first.body.data.id)).status).toBe(200)
  expect((await remove('EP-2', first.body.data.id)).status).toBe(404)
  expect((await remove('EP-3', second.body.data.id)).status).toBe(200)
  expect(await here.of('EP-1')).toEqual([])
  expect((await here.events(String(first.body.data.id))).map(({ type, data }) => [type, data.from, data.to])).toEqual([
    ['work_item_link.created', 'EP-1', 'EP-2'],
    ['work_item_link.deleted', 'EP-1', 'EP-2'],
  ])
})

test('a link to itself, a duplicate and a cycle are refused', async () => {
  const here = await createItems(4)
  for (const [from, to] of [
    ['EP-1', 'EP-2'],
    ['EP-2', 'EP-3'],
    ['EP-3', 'EP-4'],
  ] as const)
    expect((await here.add(from, 'blocks', to)).status).toBe(201)
  const refused: [string, string, unknown, number, string][] = [
    ['EP-1', 'blocks', 'EP-2', 409, 'conflict'],
    ['EP-4', 'blocks', 'EP-1', 409, 'conflict'],
    ['EP-2', 'blocks', 'EP-1', 409, 'conflict'],
    ['EP-1', 'blocks', 'EP-1', 400, 'validation_failed'],
    ['EP-1', 'blocks', 'EP-9', 400, 'unknown_reference'],
    ['EP-1', 'blocks', '__proto__', 400, 'unknown_reference'],
    ['EP-1', 'likes', 'EP-2', 400, 'validation_failed'],
    ['EP-1', 'relates', 7, 400, 'validation_failed'],
    ['EP-9', 'relates', 'EP-1', 404, 'work_item_not_found'],
  ]
  for (const [key, type, to, status, code] of refused) {
    const answer = await here.add(key, type, to)
    expect([key, type, to, answer.status, answer.body.error?.code]).toEqual([key, type, to, status, code])
    expect(answer.cost.rowsWritten).toBe(0)
  }
  expect((await here.add('EP-4', 'relates', 'EP-1')).status).toBe(201)
})

test('a link to another product needs a key for that product, and a removed item cannot be linked', async () => {
  const here = await createItems(2)
  const other = await here.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const theirs = `/api/initiatives/${other.body.data.externalKey}/epics`
  await here.client('POST', theirs, { json: { summary: 'There' } })
  const limited = await here.key({ products: [here.product.id] })
  const answer = await here.client('POST', `${here.at}/backlog/EP-1/links`, {
    json: { type: 'relates', to: 'EP-3' },
    apiKey: limited,
  })
  expect([answer.status, answer.body.error?.code]).toEqual([400, 'unknown_reference'])
  const link = await here.add('EP-1', 'relates', 'EP-3')
  expect([link.status, link.body.data.item.product]).toEqual([201, other.body.data.externalKey])
  expect([await here.of('EP-1'), await here.of('EP-1', limited)]).toEqual([['relates to EP-3'], []])
  const hidden = await here.client('DELETE', `${here.at}/backlog/EP-1/links/${link.body.data.id}`, { apiKey: limited })
  expect(hidden.status).toBe(404)
  await here.add('EP-1', 'duplicates', 'EP-2')
  await here.client('DELETE', `${here.at}/epics/EP-2`)
  expect(await here.of('EP-1')).toEqual(['relates to EP-3'])
  await here.client('POST', `${here.at}/epics/EP-2/restore`)
  expect(await here.of('EP-1')).toEqual(['relates to EP-3', 'duplicates to EP-2'])
  const stranger = await createItems(1)
  expect((await stranger.add('EP-1', 'relates', 'EP-2')).status).toBe(400)
  expect((await stranger.client('GET', `${here.at}/backlog/EP-1/links`)).status).toBe(404)
})

test('parallel requests create a link once', async () => {
  const here = await createItems(2)
  const both = await Promise.all([
    ...Array.from({ length: 5 }, () => here.add('EP-1', 'relates', 'EP-2')),
    ...Array.from({ length: 5 }, () => here.add('EP-2', 'relates', 'EP-1')),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  expect((await here.of('EP-1')).length).toBe(1)
})

test('a key of one product does not see keys of items in another, in events or webhooks', async () => {
  const it = await createWebhookScenario()
  const { client, space } = it
  const other = (
    await client<{ id: number; externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  ).body.data
  const make = async (product: string) =>
    (await client<{ externalKey: string }>('POST', `/api/initiatives/${product}/epics`, { json: { summary: 'E' } }))
      .body.data.externalKey
  const [own, second, theirs] = [
    await make(space.product.externalKey),
    await make(space.product.externalKey),
    await make(other.externalKey),
  ]
  const limited = await space.key({ products: [space.product.id] })
  const both = await space.key({ products: [space.product.id, other.id] })
  const events = ['work_item_link.*']
  const [narrow, wide] = [createBox(), createBox()]
  const endpoints = [
    await it.endpoint({ url: narrow.url, events, products: [space.product.externalKey] }, limited),
    await it.endpoint({ url: wide.url, events }),
  ]
  const add = (to: string) =>
    client<Link & { id: number }>('POST', `${it.at}/backlog/${own}/links`, { json: { type: 'blocks', to } })
  const { id } = (await add(theirs)).body.data
  await add(second)
  await client('DELETE', `${it.at}/backlog/${own}/links/${id}`)
  const ends = ({ from, to }: Record<string, unknown>) => [from, to]
  const listLinkEnds = async (apiKey?: string) =>
    (
      await client<{ type: string; data: Record<string, unknown> }[]>('GET', '/api/v2/events?limit=100', {
        ...(apiKey && { apiKey }),
      })
    ).body.data.flatMap(({ type, data }) => (type.startsWith('work_item_link') ? [ends(data)] : []))
  const whole = [
    [own, theirs],
    [own, second],
    [own, theirs],
  ]
  const masked = [
    [own, null],
    [own, second],
    [own, null],
  ]
  expect([await listLinkEnds(), await listLinkEnds(both), await listLinkEnds(limited)]).toEqual([whole, whole, masked])
  await it.wakeWebhooks()
  const delivered = async (at: number, { received }: typeof narrow) =>
    (await received())
      .map((one) => verifyDelivery(endpoints[at] ?? { secret: '' }, one))
      .map(({ data }) => String(data.to))
      .toSorted()
  expect(await delivered(0, narrow)).toEqual([second, 'null', 'null'].toSorted())
  expect(await delivered(1, wide)).toEqual([theirs, second, theirs].toSorted())
})
