import { expect, test } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { lastParameter, type PathValues, parameterFor } from '../world'
import { type Counts, contentLists, expectCascades, RESOURCE_BY_LIST, workspaceLists } from './listed-content'
import { eventsDuring, type LoggedEvent } from './log'
import { callOperation, createScenario, eachOperation, operationAt, operationTable } from './table'

const { here, records } = await createScenario()
const { client } = here

test('every list below a product, an idea, a persona or a content record is a list of content', () => {
  const parameters = contentLists.map(({ path }) => path.match(/\{(\w+)\}/g)?.at(-1))
  const others = operationTable.filter(
    ({ id, method, path }) =>
      method === 'get' &&
      /^list/.test(id) &&
      !(id in RESOURCE_BY_LIST) &&
      parameters.some((name) => name && path.includes(name)),
  )
  // These lists show records by a likeness or a link, or a second time.
  expect(others.map(({ id }) => id).toSorted()).toEqual([
    'listMergedFeedbackItems',
    'listPersonaExperiments',
    'listPortalComments',
    'listSimilarFeedbackItems',
  ])
})

const ok = async (method: string, path: string, json: object = {}) => {
  const { body } = await client<{ id: number; external_key: string; externalKey: string }>(method, path, { json })
  if (!body.success) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
  return body.data
}

const ITEM_PARAMETERS = ['epic_external_key', 'feature_external_key', 'card_external_key']
const ITEMS = '/api/initiatives/{product_external_key}/backlog'

async function addItemContent(of: typeof records, key: string) {
  const path = `${await of.path(ITEMS)}/${key}`
  await ok('POST', `${path}/comments`, { text: '<p>Is this still wanted?</p>' })
  await ok('POST', `${path}/links`, { type: 'relates', to: await records.value('item_external_key') })
}

async function addIdeaContent(key: string) {
  const path = `/api/feedback-items/${key}`
  const { id } = await ok('POST', `${path}/comments`, { text: '<p>Yes, please.</p>' })
  await ok('POST', `/api/feedback-items/comments/${id}/reply`, { text: '<p>Soon.</p>' })
  await ok('DELETE', `/api/feedback-items/comments/${id}`)
  await ok('POST', `${path}/comments`, { text: '<p>A secret.</p>', isPrivate: true })
  for (const [email, type] of Object.entries({ 'a@example.com': 'up', 'b@example.com': 'down', 'c@example.com': 'up' }))
    await ok('POST', `${path}/vote`, { type, email })
  await ok('POST', `${path}/status-updates`, { status: 'planned', notify: 'none' })
}

async function addPersonaContent(key: string) {
  const path = `/api/v2/persona/${key}/summaries`
  const { id } = await ok('POST', path, { type: 'pain', text: 'Hurts' })
  await ok('POST', path, { type: 'gain', text: 'Helps' })
  await ok('POST', `${path}/${id}/opportunities`, { valuePropositionName: 'An opportunity' })
}

/** Content that the makers of the records do not create; returns path parameters of that content. */
const ADD_CONTENT: Record<string, (of: typeof records) => Promise<PathValues>> = {
  product_external_key: async (of) => {
    const product = String(await of.value('product_external_key'))
    const idea = await ok('POST', '/api/feedback-items', { title: 'An idea', product })
    const persona = await ok('POST', '/api/v2/persona', { name: 'A persona', product })
    const given = { feedback_external_key: idea.external_key, persona_external_key: persona.externalKey }
    await addIdeaContent(given.feedback_external_key)
    await addPersonaContent(given.persona_external_key)
    await addItemContent(of, String(await of.value('item_external_key')))
    return given
  },
  feedback_external_key: async (of) => {
    await addIdeaContent(String(await of.value('feedback_external_key')))
    return {}
  },
  persona_external_key: async (of) => {
    await addPersonaContent(String(await of.value('persona_external_key')))
    return {}
  },
  ...Object.fromEntries(
    ITEM_PARAMETERS.map((name) => [
      name,
      async (of: typeof records) => {
        const key = String(await of.value(name))
        await addItemContent(of, key)
        return { item_external_key: key }
      },
    ]),
  ),
}

/** Creates a record of the parameter, with content. */
async function createTarget(name: string) {
  const of = records.withFresh(name)
  for (const { path } of contentLists) await of.value(parameterFor(path) ?? name)
  await of.value(name)
  return { here, of, given: (await ADD_CONTENT[name]?.(of)) ?? {} }
}

const CASCADES: Record<string, Counts> = {
  removeProduct: {
    ...{ epic: 2, feature: 1, userstory: 2, work_item_comment: 2, work_item_link: 2, tag: 1, asset: 1 },
    ...{ story_map: 1, story_map_activity: 1, story_map_step: 1, story_map_swimlane: 1, solution_version: 1 },
    ...{ feedback: 1, vote: 3, comment: 2, status_update: 1, kpi: 1, kpi_record: 2, document: 1, experiment: 1 },
    ...{ persona: 1, summary: 2, opportunity: 1 },
  },
  removeEpic: { work_item_comment: 1, work_item_link: 1 },
  removeFeature: { work_item_comment: 1, work_item_link: 1 },
  removeUserStory: { work_item_comment: 1, work_item_link: 1 },
  removeStoryMap: { story_map_activity: 1, story_map_step: 1, story_map_swimlane: 1 },
  removeFeedbackItem: { vote: 4, comment: 3, status_update: 2 },
  removeKpi: { kpi_record: 2 },
  removePersona: { summary: 3, opportunity: 2 },
}

const restoreOperationOf = (op: AnyOperation) => operationAt('post', `${op.path}/restore`)

test.each(eachOperation((op) => op.method === 'delete' && op.path.endsWith('}') && restoreOperationOf(op)))(
  '%s and its restore count the content that leaves and returns',
  async (_, op) => {
    const target = await createTarget(lastParameter(op.path))
    const path = await target.of.path(op.path)
    const deleted = await expectCascades(target, () => callOperation(op, records, { path }))
    const restorer = restoreOperationOf(op) as AnyOperation
    const restored = await expectCascades(target, () => callOperation(restorer, records, { path: `${path}/restore` }))
    const cascades = [...deleted, ...restored].flatMap(({ cascade }) => (cascade ? [cascade] : []))
    const expected = CASCADES[op.id]
    expect(cascades).toEqual(expected ? [expected, expected] : [])
  },
)

const createIdea = () => createTarget('feedback_external_key')
const BULK_IDEAS = '/api/feedback-items/bulk'

test('a merge counts the votes and status updates that stay with the idea, and an unmerge too', async () => {
  const target = { ...(await createIdea()), lists: workspaceLists }
  const path = await target.of.path('/api/feedback-items/{feedback_external_key}')
  const into = await records.value('feedback_external_key')
  const counted = { vote: 4, status_update: 2 }
  const merged = await expectCascades(target, () => client('POST', `${path}/merge`, { json: { into } }))
  expect(merged.find(({ type }) => type === 'feedback.deleted')?.cascade).toEqual(counted)
  const unmerged = await expectCascades(target, () => client('POST', `${path}/unmerge`, { json: {} }))
  expect(unmerged.find(({ type }) => type === 'feedback.restored')?.cascade).toEqual(counted)
})

test('a bulk of ideas counts the content of each removed idea', async () => {
  const target = await createIdea()
  const externalKey = await target.of.value('feedback_external_key')
  const json = [{ op: 'delete', externalKey }]
  const [deleted] = await expectCascades(target, () => client('PUT', BULK_IDEAS, { json }))
  expect(deleted?.cascade).toEqual(CASCADES.removeFeedbackItem)
})

test('a bulk of work items counts the content of each removed item', async () => {
  const target = await createTarget('epic_external_key')
  const json = [{ op: 'delete', type: 'epic', externalKey: await target.of.value('epic_external_key') }]
  const path = `${await target.of.path(ITEMS)}/bulk`
  const events = await expectCascades(target, () => client('POST', path, { json }))
  expect(events.find(({ type }) => type === 'epic.deleted')?.cascade).toEqual(CASCADES.removeEpic)
})

test('an epic that is removed with its items leaves the content of each item to its event', async () => {
  const { of } = await createTarget('epic_external_key')
  const epicKey = String(await of.value('epic_external_key'))
  const { epicId } = await of.data('epic_external_key')
  const features = '/api/initiatives/{product_external_key}/features'
  const { externalKey: featureKey } = await ok('POST', await of.path(features), { summary: 'Pay by card', epicId })
  await addItemContent(of, String(featureKey))
  const path = await of.path('/api/initiatives/{product_external_key}/epics/{epic_external_key}')
  for (const [method, at] of [
    ['DELETE', `${path}?cascade=true`],
    ['POST', `${path}/restore`],
  ] as const) {
    const [, events] = await eventsDuring(here, () => client(method, at))
    const cascadeByKey = Object.fromEntries(events.map(({ resourceKey, cascade }) => [resourceKey, cascade]))
    expect(cascadeByKey).toMatchObject({ [epicKey]: CASCADES.removeEpic, [String(featureKey)]: CASCADES.removeFeature })
  }
})

test('a converted item keeps its content', async () => {
  const { of } = await createTarget('epic_external_key')
  const path = await of.path(`${ITEMS}/{epic_external_key}/convert`)
  const [{ status }, events] = await eventsDuring(here, () => client('POST', path, { json: { type: 'feature' } }))
  expect(status).toBe(200)
  expect(events.map(({ type, cascade }) => [type, cascade])).toEqual(
    expect.arrayContaining([
      ['epic.deleted', null],
      ['feature.created', null],
    ]),
  )
})

test('a link to a removed item does not return with an item', async () => {
  const { of } = await createTarget('card_external_key')
  const other = records.withFresh('card_external_key')
  const story = '/api/initiatives/{product_external_key}/storyMap/card/{card_external_key}'
  const [path, otherPath] = [await of.path(story), await other.path(story)]
  const link = { type: 'relates', to: await other.value('card_external_key') }
  await ok('POST', await of.path(`${ITEMS}/{card_external_key}/links`), link)
  const [, [deleted]] = await eventsDuring(here, () => client('DELETE', path))
  await ok('DELETE', otherPath)
  const [, [restored]] = await eventsDuring(here, () => client('POST', `${path}/restore`))
  expect([deleted?.cascade, restored?.cascade]).toEqual([
    { work_item_comment: 1, work_item_link: 2 },
    { work_item_comment: 1, work_item_link: 1 },
  ])
})

test('a count above the limit is the limit and one', async () => {
  const { of } = await createTarget('kpi_external_key')
  const path = await of.path('/api/initiatives/{product_external_key}/kpi/{kpi_external_key}')
  const lines = Array.from({ length: 10_005 }, (_, n) => `${n},${new Date(n * 60_000).toISOString()}`)
  const raw = new FormData()
  raw.set('metrics', new File([`value,createdAt\n${lines.join('\n')}\n`], 'records.csv', { type: 'text/csv' }))
  const { body } = await client('POST', `${path}/insert-kpi-records?mode=insert`, { raw })
  expect(body.success).toBe(true)
  const [, [deleted]] = await eventsDuring(here, () => client('DELETE', path))
  expect(deleted?.cascade).toEqual({ kpi_record: 10_001 })
})

test('a key sees the counts of the areas that it can read', async () => {
  const { of } = await createTarget('product_external_key')
  await ok('DELETE', await of.path('/api/initiatives/{product_external_key}'))
  const read = async (...scopes: string[]) => {
    const apiKey = await here.key({ scopes: ['events:read', ...scopes] })
    const { body } = await client<LoggedEvent[]>('GET', '/api/v2/events?order=newest&limit=1', { apiKey })
    const event = body.data[0]
    expect(event?.type).toBe('product.deleted')
    return event?.cascade
  }
  expect(await read('products:read')).toEqual({ tag: 1 })
  expect(await read('products:read', 'personas:read', 'files:read')).toEqual({
    ...{ tag: 1, asset: 1, document: 1, persona: 1, summary: 2, opportunity: 1 },
  })
  expect(await read('feedback:read')).toBeNull()
})
