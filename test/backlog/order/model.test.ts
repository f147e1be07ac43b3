import { expect, test } from 'vitest'
import { seededRandom } from '../../random'
import { OrderModel } from '../order-model'
import { createWorkItemScenario } from '../work-items/scenario'

interface Place {
  beforeKey: string | null
  afterKey: string | null
}

async function createStoryScenario() {
  const here = await createWorkItemScenario()
  const path = `${here.at}/storyMap/card`
  const order = async () => {
    const { body } = await here.client<{ externalKey: string }[]>(
      'GET',
      `${path}?sort=order&limit=100&fields=externalKey`,
    )
    return body.data.map(({ externalKey }) => externalKey)
  }
  const create = async () => (await here.create('storyMap/card', { summary: 'S' })).externalKey
  const move = (key: string, json: object) => here.client<Place>('POST', `${here.at}/backlog/${key}/move`, { json })
  const remove = (key: string) => here.client('DELETE', `${path}/${key}`)
  const restore = (key: string) => here.client('POST', `${path}/${key}/restore`)
  return { ...here, order, create, move, remove, restore }
}

test('a restored item and an item moved to its place get separate positions', async () => {
  const { create, move, remove, restore, order } = await createStoryScenario()
  const [a = '', b = '', c = '', d = '', x = ''] = [
    await create(),
    await create(),
    await create(),
    await create(),
    await create(),
  ]
  await remove(b)
  await move(d, { afterKey: a })
  await restore(b)
  expect(await order()).toEqual([a, d, b, c, x])
  expect((await move(x, { afterKey: b })).body.data).toMatchObject({ afterKey: b, beforeKey: c })
  expect(await order()).toEqual([a, d, b, x, c])
})

test('a move to the present position writes nothing, even past removed items', async () => {
  const { create, move, remove, restore, order, events } = await createStoryScenario()
  const [a = '', b = '', c = ''] = [await create(), await create(), await create()]
  await remove(b)
  for (const [key, json] of [
    [c, { afterKey: a }],
    [a, { beforeKey: c }],
  ] as const) {
    const { status, body, cost } = await move(key, json)
    expect([status, cost.rowsWritten, body.data]).toMatchObject([
      200,
      0,
      key === c ? { afterKey: a } : { beforeKey: c },
    ])
    expect((await events(key)).map(({ type }) => type)).toEqual(['userstory.created'])
  }
  await restore(b)
  expect(await order()).toEqual([a, b, c])
})

test('the positions of removed items survive a respacing', async () => {
  const { create, move, remove, restore, order } = await createStoryScenario()
  const [a = '', b = '', c = '', d = ''] = [await create(), await create(), await create(), await create()]
  const model = new OrderModel([a, b, c, d])
  await remove(b)
  model.hide(b)
  // Every move goes into the gap after the first item, so ranks grow until the order is respaced.
  for (let n = 0; n < 170; n++) {
    const key = n % 2 ? c : d
    await move(key, { afterKey: a })
    model.move(key, 'after', a)
  }
  await restore(b)
  model.show(b)
  expect(await order()).toEqual(model.shown())
})

test.each([1, 2])('random moves, removals, restores and creates keep the order of a list (seed %i)', async (seed) => {
  const { create, move, remove, restore, order } = await createStoryScenario()
  const random = seededRandom(seed)
  const model = new OrderModel<string>()
  const acts = ['move', 'move', 'move', 'move', 'remove', 'restore', 'create'] as const
  for (let n = 0; n < 60; n++) {
    const [shown, removed] = [model.shown(), model.hidden()]
    const act = shown.length < 4 ? 'create' : random.pick(acts)
    const key = act === 'create' ? await create() : random.pick(shown)
    if (act === 'create') model.append(key)
    else if (act === 'remove') {
      expect((await remove(key)).status).toBe(200)
      model.hide(key)
    } else if (act === 'restore') {
      if (removed.length === 0) continue
      const back = random.pick(removed)
      expect((await restore(back)).status).toBe(200)
      model.show(back)
    } else {
      const anchor = random.pick(shown.filter((other) => other !== key))
      const beside = random.pick(['before', 'after'] as const)
      const { cost, body } = await move(key, { [`${beside}Key`]: anchor })
      expect([n, cost.rowsWritten > 0]).toEqual([n, model.move(key, beside, anchor)])
      const { before: beforeKey, after: afterKey } = model.neighborsOf(key)
      expect([n, body.data]).toMatchObject([n, { beforeKey, afterKey }])
    }
    expect([n, act, await order()]).toEqual([n, act, model.shown()])
  }
})
