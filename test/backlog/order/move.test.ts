import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { MAX_RANK_CHARACTERS } from '../../../src/backlog/order/respace'
import type { ApiResponse } from '../../client'
import { createWorkItemScenario } from '../work-items/scenario'

interface Place {
  externalKey: string
  epicId: number
  featureId: number
  beforeKey: string | null
  afterKey: string | null
}

async function createStories(count: number) {
  const here = await createWorkItemScenario()
  for (let n = 1; n <= count; n++) await here.create('storyMap/card', { summary: `S${n}` })
  const move = (key: string, json: object) => here.client<Place>('POST', `${here.at}/backlog/${key}/move`, { json })
  const order = async (path = 'storyMap/card') => {
    const found: string[] = []
    let next: string | undefined = `${here.at}/${path}?sort=order&limit=100&fields=externalKey`
    while (next) {
      const { body, headers }: ApiResponse<{ externalKey: string }[]> = await here.client('GET', next)
      found.push(...body.data.map(({ externalKey }) => externalKey.replace('US-', '')))
      next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]
    }
    return found.join(' ')
  }
  const ranks = async () =>
    (
      await env.DB.prepare('SELECT rank FROM work_items WHERE subscription_id = ? ORDER BY rank, id')
        .bind(here.subscriptionId)
        .all<{ rank: string }>()
    ).results.map(({ rank }) => rank)
  return { ...here, move, order, ranks }
}

test('a move to any position takes one round trip and writes one row', async () => {
  const { move, order, events } = await createStories(5)
  const cases: [string, object, string, (string | null)[]][] = [
    ['US-1', { afterKey: 'US-3' }, '2 3 1 4 5', ['US-3', 'US-4']],
    ['US-5', { beforeKey: 'US-2' }, '5 2 3 1 4', [null, 'US-2']],
    ['US-4', { beforeKey: 'US-5' }, '4 5 2 3 1', [null, 'US-5']],
    ['US-2', { afterKey: 'US-1' }, '4 5 3 1 2', ['US-1', null]],
    ['US-5', { afterKey: 'US-2' }, '4 3 1 2 5', ['US-2', null]],
    ['US-5', { afterKey: 'US-4', beforeKey: 'US-3' }, '4 5 3 1 2', ['US-4', 'US-3']],
    ['US-2', { afterKey: 'US-4', beforeKey: 'US-1' }, '4 2 5 3 1', ['US-4', 'US-5']],
  ]
  for (const [key, json, expected, [afterKey, beforeKey]] of cases) {
    const answer = await move(key, json)
    expect([json, answer.status, answer.cost.roundTrips]).toEqual([json, 200, 1])
    expect(answer.body.data).toEqual({ externalKey: key, epicId: 0, featureId: 0, afterKey, beforeKey })
    expect([json, await order()]).toEqual([json, expected])
  }
  expect((await events('US-1')).at(-1)).toMatchObject({
    type: 'userstory.updated',
    previous: { afterKey: null, beforeKey: 'US-2' },
  })
  expect((await events('US-2')).length).toBe(3)
  // The item is at the position already.
  for (const json of [{ afterKey: 'US-4' }, { beforeKey: 'US-5' }]) {
    const { status, cost } = await move('US-2', json)
    expect([status, cost.rowsWritten]).toEqual([200, 0])
  }
})

test('a new item comes last, even after moves to the end', async () => {
  const { move, order, create } = await createStories(3)
  for (let n = 0; n < 70; n++) await move(`US-${1 + (n % 3)}`, { afterKey: `US-${1 + ((n + 2) % 3)}` })
  const before = await order()
  await create('storyMap/card', { summary: 'New' })
  expect(await order()).toBe(`${before} 4`)
  for (let n = 0; n < 70; n++)
    await move(`US-${1 + (n % 3)}`, {
      beforeKey: (await order()).split(' ')[0] === String(1 + (n % 3)) ? 'US-4' : `US-${(await order()).split(' ')[0]}`,
    })
  expect((await order()).split(' ').at(-1)).toBe('4')
})

test('a move can change the parent, and the children follow', async () => {
  const here = await createStories(2)
  const one = await here.create('epics', { summary: 'One' })
  const two = await here.create('epics', { summary: 'Two' })
  const feature = await here.create('features', { summary: 'F', epicId: one.epicId })
  const parents = async (key: string, json: object) => {
    const { body } = await here.move(key, json)
    return [body.data.epicId, body.data.featureId]
  }
  expect(await parents('US-1', { parentKey: 'FE-1' })).toEqual([one.epicId, feature.featureId])
  expect(await parents('FE-1', { parentKey: 'EP-2' })).toEqual([two.epicId, 0])
  expect((await here.detail('storyMap/card/US-1')).epicId).toBe(two.epicId)
  expect((await here.events('US-1')).at(-1)).toMatchObject({ previous: { epicId: one.epicId } })
  expect(await parents('US-1', { parentKey: 'EP-1', afterKey: 'US-2' })).toEqual([one.epicId, 0])
  expect(await parents('US-1', { parentKey: null })).toEqual([0, 0])
  expect(await here.order()).toBe('2 1')
  expect((await here.events('US-1')).at(-1)).toMatchObject({
    type: 'userstory.updated',
    data: { epicId: 0 },
    previous: { epicId: one.epicId },
  })
})

test('a move to an invalid place lists all errors and moves nothing', async () => {
  const here = await createStories(3)
  await here.create('epics', { summary: 'E' })
  await here.create('features', { summary: 'F' })
  const stranger = await createStories(9)
  const other = await here.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  await here.client('POST', `/api/initiatives/${other.body.data.externalKey}/storyMap/card`, { json: { summary: 'X' } })
  await here.client('DELETE', `${here.at}/storyMap/card/US-3`)
  const cases: [string, object, string[]][] = [
    ['US-1', {}, ['']],
    ['US-1', { afterKey: 'US-1' }, ['/afterKey']],
    ['US-1', { afterKey: 'FE-1' }, ['/afterKey']],
    ['US-1', { afterKey: 'US-3' }, ['/afterKey']],
    ['US-1', { afterKey: 'US-4' }, ['/afterKey']],
    ['US-1', { afterKey: 'US-9' }, ['/afterKey']],
    ['US-1', { afterKey: null }, ['/afterKey']],
    [
      'US-1',
      { beforeKey: '__proto__', afterKey: "' OR 1", parentKey: 'US-2' },
      ['/beforeKey', '/afterKey', '/parentKey'],
    ],
    ['US-1', { parentKey: 'US-2' }, ['/parentKey']],
    ['FE-1', { parentKey: 'FE-1' }, ['/parentKey']],
    ['EP-1', { parentKey: 'FE-1' }, ['/parentKey']],
    ['EP-1', { parentKey: 'EP-1' }, ['/parentKey']],
    ['US-1', { parentKey: 7 }, ['/parentKey']],
    ['US-1', { afterKey: 'US-2', beforeKey: 'US-2' }, ['/beforeKey']],
  ]
  for (const [key, json, paths] of cases) {
    const { status, body, cost } = await here.move(key, json)
    expect([json, status, body.error?.issues.map(({ path }) => path).sort()]).toEqual([json, 400, paths.sort()])
    expect(cost.rowsWritten).toBe(0)
  }
  expect((await stranger.client('POST', `${here.at}/backlog/US-1/move`, { json: { afterKey: 'US-2' } })).status).toBe(
    404,
  )
  expect((await here.move('US-3', { afterKey: 'US-2' })).status).toBe(404)
})

test('parallel moves lose no item, and each item lands where it was moved', async () => {
  const { move, order, ranks } = await createStories(24)
  const all = Array.from({ length: 24 }, (_, n) => String(n + 1))
  const moves = all.slice(2).map((n) => move(`US-${n}`, { afterKey: 'US-1' }))
  for (const { status, body } of await Promise.all(moves)) {
    expect(status).toBe(200)
    expect(body.data.afterKey).toBe('US-1')
  }
  const found = (await order()).split(' ')
  expect(found.toSorted()).toEqual(all.toSorted())
  expect([found[0], found.at(-1)]).toEqual(['1', '2'])
  expect(new Set(await ranks()).size).toBe(24)
})

test('long ranks are shortened in the same order', async () => {
  const { move, order, ranks } = await createStories(40)
  let longest = 0
  const expected = (await order()).split(' ')
  for (let n = 0; n < 300; n++) {
    // Every move goes into the gap after the first item, and halves the gap.
    const key = expected.pop() ?? ''
    expected.splice(1, 0, key)
    expect((await move(`US-${key}`, { afterKey: 'US-1' })).status).toBe(200)
    longest = Math.max(longest, ...(await ranks()).map(({ length }) => length))
  }
  expect(await order()).toBe(expected.join(' '))
  // Without respacing, the longest rank would be twice as long.
  expect(longest).toBe(MAX_RANK_CHARACTERS)
  expect(new Set(await ranks()).size).toBe(40)
})
