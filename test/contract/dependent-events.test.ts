import { beforeAll, expect, test } from 'vitest'
import type { PathValues } from '../world'
import { nameEvents, readEventsAfter } from './changed-records'
import { countEvents, createScenario } from './table'

const { here, records } = await createScenario()
const P = `/api/initiatives/${here.product.externalKey}`

async function send<D = PathValues>(method: string, path: string, json?: object): Promise<D> {
  const { body } = await here.client<D>(method, path, { ...(json && { json }) })
  expect(body.success, body.message).toBe(true)
  return body.data
}

/** The events of a request, in the order of the log. */
async function readEventsOf(method: string, path: string, json?: object) {
  const after = await countEvents(here)
  await send(method, path, json)
  return readEventsAfter(here, after)
}

let experiment: PathValues
let persona: PathValues

beforeAll(async () => {
  const values = {
    kpi: await records.value('kpi_external_key'),
    opportunity: await records.value('opportunity_external_key'),
  }
  experiment = await send('POST', `${P}/experiments`, { title: 'A test', ...values })
  persona = await send('POST', '/api/v2/persona', {
    name: 'Nora',
    boardSegmentId: await records.value('boardSegmentId'),
  })
})

test.each([
  ['kpi', `${P}/kpi/{kpi_external_key}`, 'kpi_external_key'],
  ['opportunity', '/api/v2/opportunities/{opportunity_external_key}', 'opportunity_external_key'],
] as const)('an experiment emits an event when its %s is removed or restored', async (member, template, parameter) => {
  const path = await records.path(template)
  const isOfExperiment = ({ type }: { type: string }) => type === 'experiment.updated'
  const removal = (await readEventsOf('DELETE', path)).find(isOfExperiment)
  expect(removal).toMatchObject({ resourceKey: experiment.externalKey, data: { [member]: null } })
  expect(await send('GET', `${P}/experiments/${experiment.externalKey}`)).toEqual(removal?.data)
  const restoration = (await readEventsOf('POST', `${path}/restore`)).find(isOfExperiment)
  expect(restoration?.data).toMatchObject({ [member]: await records.value(parameter) })
  expect(await send('GET', `${P}/experiments/${experiment.externalKey}`)).toEqual(restoration?.data)
})

test('a persona emits an event when its board segment is removed or restored', async () => {
  const path = await records.path('/api/v2/persona-board/segments/{boardSegmentId}')
  for (const [method, at] of [['DELETE', path] as const, ['POST', `${path}/restore`] as const]) {
    const event = (await readEventsOf(method, at)).find(({ type }) => type === 'persona.updated')
    expect(event?.data).toEqual(await send('GET', `/api/v2/persona/${persona.externalKey}`))
  }
})

test('an opportunity emits an event when its persona changes the product', async () => {
  const at = await records.path('/api/v2/persona/{persona_external_key}')
  const events = await readEventsOf('PUT', at, { product: here.product.externalKey })
  expect(nameEvents(events)).toEqual(
    ['persona.updated', 'opportunity.updated'].map((name) => expect.stringContaining(name)),
  )
  expect(events.at(-1)?.data).toEqual(
    await send('GET', await records.path('/api/v2/opportunities/{opportunity_external_key}')),
  )
})

test('a step emits an event when it moves to another activity with the removal of its activity', async () => {
  const map = await records.path(`${P}/storyMap/{storyMapId}`)
  const create = () => send<{ id: number }>('POST', `${map}/activities`, { title: 'Pay' })
  const [from, to] = [await create(), await create()]
  const { id } = await send('POST', `${map}/steps`, { activityId: from.id, title: 'Choose' })
  const events = await readEventsOf('DELETE', `${map}/activities/${from.id}?moveTo=${to.id}`)
  const event = events.find(({ type }) => type === 'story_map_step.updated')
  expect(event).toMatchObject({ data: { id, activityId: to.id }, previous: { activityId: from.id } })
})
