import { expect, test } from 'vitest'
import { type Random, seededRandom } from '../../random'
import { OrderModel } from '../order-model'
import { baseOf, createMapScenario } from './scenario'

const SIDES = ['before', 'after'] as const

/** A random position beside an item of a list, for the model and for a body; undefined for the end. */
function pickPlace<T>(random: Random, others: readonly T[], kind: 'Id' | 'Key') {
  if (others.length === 0 || random.chance(20)) return undefined
  const [beside, anchor] = [random.pick(SIDES), random.pick(others)]
  return { beside, anchor, json: { [`${beside}${kind}`]: anchor } }
}

function neighborFields<T>(model: OrderModel<T>, item: T, kind: 'Id' | 'Key') {
  const { before, after } = model.neighborsOf(item)
  return { [`before${kind}`]: before, [`after${kind}`]: after }
}

test.each([
  ['activities', 1],
  ['swimlanes', 2],
] as const)('random moves, removals and creates of %s keep the order of a list', async (kind, seed) => {
  const { made, at, map, put, remove } = await createMapScenario()
  const random = seededRandom(seed)
  const model = new OrderModel<number>()
  for (let n = 0; n < 40; n++) {
    const shown = model.shown()
    const act = shown.length < 4 ? 'create' : random.pick(['move', 'move', 'move', 'remove', 'create'] as const)
    if (act === 'create') {
      const place = pickPlace(random, shown, 'Id')
      const { id } = await made(`${at}/${kind}`, { title: 'T', ...place?.json })
      if (place) model.insert(id, place.beside, place.anchor)
      else model.append(id)
    } else {
      const id = random.pick(shown)
      const place = pickPlace(
        random,
        shown.filter((other) => other !== id),
        'Id',
      )
      if (act === 'remove') {
        expect((await remove(`${kind}/${id}`)).status).toBe(200)
        model.drop(id)
      } else if (place) {
        const { cost, body } = await put(`${kind}/${id}`, place.json)
        expect([n, cost.rowsWritten > 0]).toEqual([n, model.move(id, place.beside, place.anchor)])
        expect([n, body.data]).toMatchObject([n, neighborFields(model, id, 'Id')])
      }
    }
    expect([n, act, (await map())[kind].map(({ id }) => id)]).toEqual([n, act, model.shown()])
  }
})

/** Moves an item within a list or to a second list; false if the item keeps the position. */
function transfer<T>(item: T, from: OrderModel<T>, to: OrderModel<T>, place: ReturnType<typeof pickPlace<T>>): boolean {
  if (from === to) return place !== undefined && to.move(item, place.beside, place.anchor)
  from.drop(item)
  if (place) to.insert(item, place.beside, place.anchor)
  else to.append(item)
  return true
}

test('random moves of steps within and between activities keep the order of two lists', async () => {
  const { activity, step, map, put, remove } = await createMapScenario()
  const random = seededRandom(3)
  const lists = [await activity('A'), await activity('B')].map(({ id }) => ({ id, model: new OrderModel<number>() }))
  for (let n = 0; n < 60; n++) {
    const [from, to] = [random.pick(lists), random.pick(lists)]
    const shown = from.model.shown()
    const act = shown.length < 3 ? 'create' : random.pick(['move', 'move', 'move', 'move', 'remove', 'create'] as const)
    if (act === 'create') {
      const place = pickPlace(random, shown, 'Id')
      const { id } = await step(from.id, 'S', place?.json)
      if (place) from.model.insert(id, place.beside, place.anchor)
      else from.model.append(id)
    } else if (act === 'remove') {
      const id = random.pick(shown)
      expect((await remove(`steps/${id}`)).status).toBe(200)
      from.model.drop(id)
    } else {
      const id = random.pick(shown)
      const others = to.model.shown().filter((other) => other !== id)
      const place = pickPlace(random, others, 'Id')
      const { cost, body } = await put(`steps/${id}`, { activityId: to.id, ...place?.json })
      expect([n, cost.rowsWritten > 0]).toEqual([n, transfer(id, from.model, to.model, place)])
      expect([n, body.data]).toMatchObject([n, neighborFields(to.model, id, 'Id')])
    }
    const { activities } = await map()
    expect([n, act, activities.map(({ steps }) => steps.map(({ id }) => id))]).toEqual([
      n,
      act,
      lists.map(({ model }) => model.shown()),
    ])
  }
})

test.each([4, 5])(
  'random moves of cards keep the order of two lists, even with restored stories (seed %i)',
  async (seed) => {
    const { world, client, activity, step, story, place: put, map, remove } = await createMapScenario()
    const random = seededRandom(seed)
    const { id: activityId } = await activity('A')
    const lists = [await step(activityId, 'S'), await step(activityId, 'T')].map(({ id }) => ({
      id,
      model: new OrderModel<string>(),
    }))
    const storyAt = `${baseOf(world)}/storyMap/card`
    const acts = ['move', 'move', 'move', 'move', 'hide', 'show', 'remove', 'create'] as const
    for (let n = 0; n < 70; n++) {
      const [from, to] = [random.pick(lists), random.pick(lists)]
      const shown = from.model.shown()
      const act = shown.length < 3 ? 'create' : random.pick(acts)
      const key = act === 'create' ? await story('S') : random.pick(shown)
      if (act === 'create') {
        const place = pickPlace(random, shown, 'Key')
        expect((await put(key, { stepId: from.id, ...place?.json })).status).toBe(200)
        if (place) from.model.insert(key, place.beside, place.anchor)
        else from.model.append(key)
      } else if (act === 'remove') {
        expect((await remove(`cards/${key}`)).status).toBe(200)
        from.model.drop(key)
      } else if (act === 'hide') {
        expect((await client('DELETE', `${storyAt}/${key}`)).status).toBe(200)
        from.model.hide(key)
      } else if (act === 'show') {
        const [hidden] = from.model.hidden()
        if (!hidden) continue
        expect((await client('POST', `${storyAt}/${hidden}/restore`)).status).toBe(200)
        from.model.show(hidden)
      } else {
        const others = to.model.shown().filter((other) => other !== key)
        const place = pickPlace(random, others, 'Key')
        const { cost, body } = await put(key, { stepId: to.id, ...place?.json })
        expect([n, cost.rowsWritten > 0]).toEqual([n, transfer(key, from.model, to.model, place)])
        expect([n, body.data]).toMatchObject([n, neighborFields(to.model, key, 'Key')])
      }
      const steps = (await map()).activities.flatMap((one) => one.steps)
      expect([n, act, steps.map(({ cards }) => cards.map(({ externalKey }) => externalKey))]).toEqual([
        n,
        act,
        lists.map(({ model }) => model.shown()),
      ])
    }
  },
)
