import { expect, test } from 'vitest'
import { seededRandom } from '../../files/read-file'
import { baseOf, createMapScenario, eventsOf, type StoryMap } from './scenario'

interface Document {
  title: string
  description: string | null
  activities: {
    title: string
    color: string | null
    steps: { title: string; color: string | null; cards: { externalKey: string; swimlaneId: number | null }[] }[]
  }[]
  swimlanes: { id: number; title: string; versionKey: string | null }[]
}

const TITLES = ['Pay', '=1+1', '<b>', '"quoted"', 'ß 漢字 🎉', "O'Brien", '{"a":1}', 'null']

function randomDocument(seed: number, stories: readonly string[]): Document {
  const { below: roll } = seededRandom(seed)
  const left = [...stories]
  const title = () => `${TITLES[roll(TITLES.length)]} ${roll(100)}`
  const many = <T>(most: number, make: (n: number) => T) => Array.from({ length: roll(most + 1) }, (_, n) => make(n))
  const color = () => (roll(2) ? '#2f80ed' : null)
  const swimlanes = many(4, (n) => ({ id: n + 1, title: title(), versionKey: roll(2) ? 'SV-1' : null }))
  const card = () => {
    const [externalKey = ''] = left.splice(roll(left.length), 1)
    return { externalKey, swimlaneId: roll(swimlanes.length + 1) || null }
  }
  const cards = () => many(Math.min(4, left.length), card)
  const steps = () => many(4, () => ({ title: title(), color: color(), cards: cards() }))
  const activities = many(5, () => ({ title: title(), color: color(), steps: steps() }))
  return { title: title(), description: roll(2) ? '<p>All of it</p>' : null, activities, swimlanes }
}

test('an exported map is imported as the same map', async () => {
  const { world, client, made, story } = await createMapScenario()
  const at = `${baseOf(world)}/storyMap`
  await made(`${baseOf(world)}/solution-versions`, { name: 'V' })
  const stories = await Promise.all(Array.from({ length: 30 }, (_, n) => story(`Story ${n}`)))
  for (let seed = 1; seed <= 12; seed++) {
    const document = randomDocument(seed, stories)
    const first = await made<StoryMap>(`${at}/import`, document)
    const exported = await client<Document>('GET', `${at}/${first.id}/export`)
    expect([seed, exported.body.data]).toEqual([seed, document])
    expect(exported.cost.roundTrips).toBe(1)
    // The import accepts an export's response with the envelope.
    const second = await made<StoryMap>(`${at}/import`, exported.body)
    expect((await client('GET', `${at}/${second.id}/export`)).body.data).toEqual(document)
  }
})

test('an import returns the whole map in one round trip, and a retrieved map can be imported', async () => {
  const { world, client, at, activity, step, lane, place, story, map } = await createMapScenario()
  const { id } = await step((await activity('A', { color: 'red' })).id, '1')
  const { id: swimlaneId } = await lane('L')
  const key = await story('a')
  await place(key, { stepId: id, swimlaneId })
  const source = await map()
  const imports = `${baseOf(world)}/storyMap/import`
  const answer = await client<StoryMap>('POST', imports, { json: source })
  const { data } = answer.body
  expect([answer.status, answer.cost.roundTrips]).toEqual([201, 1])
  expect(answer.headers.get('location')).toBe(`${baseOf(world)}/storyMap/${data.id}`)
  expect(data.activities[0]?.steps[0]?.cards).toEqual([
    { externalKey: key, summary: 'a', progress: 'to-do', swimlaneId: data.swimlanes[0]?.id },
  ])
  expect(data.swimlanes[0]?.id).not.toBe(swimlaneId)
  expect((await client('GET', `${baseOf(world)}/storyMap/${data.id}`)).body.data).toEqual(data)
  expect((await eventsOf(world, 'story_map.created')).at(-1)?.data).toEqual(data)
  // An imported map accepts new parts like any map.
  const added = await client('POST', `${baseOf(world)}/storyMap/${data.id}/activities`, {
    json: { title: 'B', beforeId: data.activities[0]?.id },
  })
  expect(added.status).toBe(201)
  expect(await map()).toEqual({ ...source, unplaced: 0 })
  expect(at).toContain(String(source.id))
})

test('a retry with the same Idempotency-Key creates no second map', async () => {
  const { world, client, story } = await createMapScenario()
  const key = await story('a')
  const json = { title: 'M', activities: [{ title: 'A', steps: [{ title: '1', cards: [{ externalKey: key }] }] }] }
  const headers = { 'idempotency-key': 'one' }
  const imports = `${baseOf(world)}/storyMap/import`
  const answers = [await client('POST', imports, { json, headers }), await client('POST', imports, { json, headers })]
  expect(answers[1]?.body).toEqual(answers[0]?.body)
  expect((await client<object[]>('GET', `${baseOf(world)}/storyMap`)).body.data).toHaveLength(2)
})

test('all errors of a document are listed, and no map is created', async () => {
  const { world, client, story } = await createMapScenario()
  const other = await createMapScenario()
  const key = await story('a')
  const foreign = await other.story('theirs')
  const count = async () => (await client<object[]>('GET', `${baseOf(world)}/storyMap`)).body.data.length
  const step = (...cards: object[]) => ({ title: 'M', activities: [{ title: 'A', steps: [{ title: '1', cards }] }] })
  const at = '/activities/0/steps/0/cards'
  for (const [json, paths] of [
    [{}, ['/title']],
    [{ title: 'M', activities: [{ title: '', steps: [{}] }] }, ['/activities/0/title', '/activities/0/steps/0/title']],
    [step({ externalKey: 'EP-1' }, {}), [`${at}/0/externalKey`, `${at}/1/externalKey`]],
    [step({ externalKey: key }, { externalKey: key }), [`${at}/1/externalKey`]],
    [step({ externalKey: key, swimlaneId: 1 }), [`${at}/0/swimlaneId`]],
    [
      step({ externalKey: key }, { externalKey: 'US-98' }, { externalKey: 'US-99' }),
      [1, 2].map((n) => `${at}/${n}/externalKey`),
    ],
    [
      {
        title: 'M',
        swimlanes: [
          { id: 1, title: 'L' },
          { id: 1, title: 'M' },
        ],
      },
      ['/swimlanes/1/id'],
    ],
    [{ title: 'M', swimlanes: [{ title: 'L', versionKey: 'SV-9' }] }, ['/swimlanes/0/versionKey']],
    [{ title: 'M', activities: { __proto__: [] } }, ['/activities']],
    [{ success: true, data: [] }, ['']],
  ] as const) {
    const { status, body } = await client('POST', `${baseOf(world)}/storyMap/import`, { json })
    expect([json, status, body.error?.issues.map(({ path }) => path)]).toEqual([json, 400, paths])
  }
  const theirs = await other.client('POST', `${baseOf(other.world)}/storyMap/import`, {
    json: step({ externalKey: foreign }, { externalKey: 'US-2' }),
  })
  expect(theirs.status).toBe(400)
  expect(await count()).toBe(1)
})

test('a large map is exported and imported', async () => {
  const { world, client, made } = await createMapScenario()
  const P = baseOf(world)
  const { results } = await insertStories(world.subscriptionId, world.product.id, 1_500)
  const activities = Array.from({ length: 10 }, (_, a) => ({
    title: `Activity ${a} ${'漢'.repeat(150)}`,
    color: null,
    steps: Array.from({ length: 15 }, (_, s) => ({
      title: `Step ${s} ${'漢'.repeat(150)}`,
      color: null,
      cards: results
        .slice((a * 15 + s) * 10, (a * 15 + s + 1) * 10)
        .map((externalKey) => ({ externalKey, swimlaneId: null })),
    })),
  }))
  const document = { title: 'Large', description: null, activities, swimlanes: [] }
  const { id, unplaced } = await made<StoryMap>(`${P}/storyMap/import`, document)
  expect(unplaced).toBe(0)
  expect((await client('GET', `${P}/storyMap/${id}/export`)).body.data).toEqual(document)
})

async function insertStories(subscription: number, product: number, count: number) {
  const { env } = await import('cloudflare:workers')
  const results = Array.from({ length: count }, (_, n) => `US-${1_000 + n}`)
  await env.DB.prepare(
    `INSERT INTO work_items (subscription_id, product_id, type, external_key, rank, summary, created_at, updated_at)
     SELECT ?1, ?2, 'userstory', value, value, value, 0, 0 FROM json_each(?3)`,
  )
    .bind(subscription, product, JSON.stringify(results))
    .run()
  return { results }
}
