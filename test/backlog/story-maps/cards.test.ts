import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createMapScenario, eventsOf } from './scenario'

async function createBoard() {
  const found = await createMapScenario()
  const { id } = await found.activity('A')
  const [one, two] = [await found.step(id, '1'), await found.step(id, '2')]
  const keys: string[] = []
  for (const name of ['a', 'b', 'c', 'd']) keys.push(await found.story(name))
  const [a = '', b = '', c = '', d = ''] = keys
  return { ...found, one: one.id, two: two.id, a, b, c, d }
}

test('a story has one card on a map, which moves within its step and to other steps', async () => {
  const { place, cards, one, two, a, b, c, lane } = await createBoard()
  const placed = await place(a, { stepId: one })
  expect([placed.status, placed.cost.roundTrips, placed.body.data]).toEqual([
    200,
    1,
    { externalKey: a, summary: 'a', progress: 'to-do', stepId: one, swimlaneId: null, beforeKey: null, afterKey: null },
  ])
  await place(b, { stepId: one })
  const third = await place(c, { stepId: one, afterKey: a })
  expect(third.body.data).toMatchObject({ beforeKey: b, afterKey: a })
  expect(await cards()).toEqual({ 1: ['a', 'c', 'b'], 2: [] })
  await place(a, { stepId: one, afterKey: b })
  expect(await cards()).toEqual({ 1: ['c', 'b', 'a'], 2: [] })
  const first = await lane('L')
  await place(b, { stepId: two, swimlaneId: first.id })
  await place(a, { stepId: two })
  expect(await cards()).toEqual({ 1: ['c'], 2: ['b', 'a'] })
  const kept = await place(b, { stepId: two, afterKey: a })
  expect(kept.body.data.swimlaneId).toBe(first.id)
  const none = await place(b, { stepId: two, swimlaneId: null })
  expect(none.body.data.swimlaneId).toBeNull()
  expect(await cards()).toEqual({ 1: ['c'], 2: ['a', 'b'] })
})

test('a placement without a change writes nothing, and a move records the previous place', async () => {
  const { world, id, place, remove, one, two, a, b } = await createBoard()
  await place(a, { stepId: one })
  await place(b, { stepId: one })
  for (const json of [{ stepId: one }, { stepId: one, beforeKey: b }, { stepId: one, swimlaneId: null }]) {
    expect([json, (await place(a, json)).cost.rowsWritten]).toEqual([json, 0])
  }
  await place(a, { stepId: two })
  await remove(`cards/${a}`)
  expect((await remove(`cards/${a}`)).body.error?.code).toBe('user_story_not_found')
  const events = (await eventsOf(world, 'story_map.card')).filter(({ data }) => data.externalKey === a)
  expect(events.map(({ type, resourceKey, data, previous }) => [type, resourceKey, data, previous])).toEqual([
    [
      'story_map.card_placed',
      String(id),
      { externalKey: a, stepId: one, swimlaneId: null, beforeKey: null, afterKey: null },
      null,
    ],
    [
      'story_map.card_placed',
      String(id),
      { externalKey: a, stepId: two, swimlaneId: null, beforeKey: null, afterKey: null },
      { stepId: one },
    ],
    ['story_map.card_removed', String(id), { externalKey: a, stepId: two, swimlaneId: null }, null],
  ])
})

test('a card can be placed only on steps, swimlanes and beside cards of the map', async () => {
  const { client, at, place, cards, one, two, a, b, world, activity } = await createBoard()
  const other = await createMapScenario()
  const theirs = await other.activity('T')
  const foreign = await other.step(theirs.id, 'S')
  await activity('Only here')
  await place(a, { stepId: one })
  for (const [json, path] of [
    [{}, '/stepId'],
    [{ stepId: 0 }, '/stepId'],
    [{ stepId: two + 99 }, '/stepId'],
    [{ stepId: foreign.id + 1_000 }, '/stepId'],
    [{ stepId: one, swimlaneId: 99 }, '/swimlaneId'],
    [{ stepId: two, beforeKey: a }, '/beforeKey'],
    [{ stepId: one, afterKey: 'US-99' }, '/afterKey'],
    [{ stepId: one, afterKey: '__proto__' }, '/afterKey'],
    [{ stepId: one, beforeKey: b }, '/beforeKey'],
  ] as const) {
    const { status, body } = await place(b, json as object)
    expect([json, status, body.error?.issues[0]?.path]).toEqual([json, 400, path])
  }
  const epic = await client<{ externalKey: string }>('POST', `/api/initiatives/${world.product.externalKey}/epics`, {
    json: { summary: 'x' },
  })
  for (const key of ['US-99', epic.body.data.externalKey, '__proto__']) {
    const { status, body } = await client('PUT', `${at}/cards/${key}`, { json: { stepId: one } })
    expect([key, status, body.error?.code]).toEqual([key, 404, 'user_story_not_found'])
  }
  expect(await cards()).toEqual({ 1: ['a'], 2: [] })
})

test('parallel placements lose and repeat no card', async () => {
  const { place, story, cards, map, one, two, a, b, world } = await createBoard()
  await place(a, { stepId: one })
  await place(b, { stepId: one })
  const names = Array.from({ length: 12 }, (_, n) => `n${n}`)
  const keys = await Promise.all(names.map((name) => story(name)))
  const answers = await Promise.all(keys.map((key) => place(key, { stepId: one, afterKey: a, beforeKey: b })))
  expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200))
  const { 1: placed = [] } = await cards()
  expect([placed[0], placed.at(-1)]).toEqual(['a', 'b'])
  expect(placed.slice(1, -1).toSorted()).toEqual(names.toSorted())
  const { results } = await env.DB.prepare('SELECT rank FROM story_map_cards WHERE subscription_id = ?')
    .bind(world.subscriptionId)
    .all<{ rank: string }>()
  expect(new Set(results.map(({ rank }) => rank)).size).toBe(14)
  // Parallel requests place a story several times, and move all stories to different steps.
  const twice = await Promise.all([one, two, one, two].map((stepId) => place(keys[0] ?? '', { stepId })))
  expect(twice.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  await Promise.all(keys.map((key, n) => place(key, { stepId: n % 2 ? one : two, beforeKey: n % 2 ? a : undefined })))
  const whole = await map()
  const all = whole.activities.flatMap(({ steps }) => steps.flatMap(({ cards }) => cards))
  expect(all.map(({ summary }) => summary).toSorted()).toEqual([...names, 'a', 'b'].toSorted())
  expect(whole.unplaced).toBe(2)
})

test('a step that is removed during placements loses no card', async () => {
  const { place, story, remove, map, one, two, a } = await createBoard()
  await place(a, { stepId: one })
  const keys = await Promise.all(Array.from({ length: 8 }, (_, n) => story(`n${n}`)))
  const [removed, ...placed] = await Promise.all([
    remove(`steps/${one}?moveTo=${two}`),
    ...keys.map((key, n) => place(key, { stepId: n % 2 ? one : two })),
  ])
  expect(removed?.status).toBe(200)
  const late = placed.filter(({ status }) => status !== 200)
  expect(late.map(({ body }) => body.error?.issues[0]?.path)).toEqual(late.map(() => '/stepId'))
  const whole = await map()
  const cards = whole.activities.flatMap(({ steps }) => steps.flatMap(({ cards }) => cards))
  expect(cards).toHaveLength(1 + keys.length - late.length)
  expect(whole.activities[0]?.steps.map(({ id }) => id)).toEqual([two])
  // Three stories of the board and the late stories are not placed.
  expect(whole.unplaced).toBe(3 + late.length)
})

test('long ranks of cards are shortened in the same order', async () => {
  const { place, cards, one, a, b, c, d, world } = await createBoard()
  for (const key of [a, b, c]) await place(key, { stepId: one })
  const set = (name: string, rank: string) =>
    env.DB.prepare(
      `UPDATE story_map_cards SET rank = ?1 WHERE subscription_id = ?2 AND work_item_id =
        (SELECT id FROM work_items WHERE subscription_id = ?2 AND summary = ?3)`,
    )
      .bind(rank, world.subscriptionId, name)
      .run()
  await set('a', `k10000000001${'V'.repeat(47)}`)
  await set('b', `k10000000001${'V'.repeat(48)}`)
  await place(d, { stepId: one, afterKey: a })
  expect((await cards())[1]).toEqual(['a', 'd', 'b', 'c'])
  const { results } = await env.DB.prepare('SELECT rank FROM story_map_cards WHERE subscription_id = ? ORDER BY rank')
    .bind(world.subscriptionId)
    .all<{ rank: string }>()
  expect(results.map(({ rank }) => rank.length)).toEqual([12, 12, 12, 12])
  await place(c, { stepId: one, beforeKey: a })
  await place(b, { stepId: one, afterKey: d })
  expect((await cards())[1]).toEqual(['c', 'a', 'd', 'b'])
})

test('a full map refuses new cards and still moves its cards', async () => {
  const { place, one, two, a, b, id } = await createBoard()
  await place(a, { stepId: one })
  await env.DB.prepare('UPDATE story_maps SET card_count = 5000, part_count = 10000 WHERE id = ?').bind(id).run()
  const refused = await place(b, { stepId: one })
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('5000')])
  expect((await place(a, { stepId: two })).status).toBe(200)
})
