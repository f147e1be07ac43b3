import { env } from 'cloudflare:workers'
import { Webhook as Standard } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { EVENT_TYPES } from '../../src/resources'
import { readClock } from '../clock'
import { MESSAGE, simulateQueue } from '../people/mail/queue-simulation'
import { prepareRecords, sampleUpload } from '../world'
import { deliverySchemaOf, document, expectConforms } from './document'
import { eventsDuring } from './log'
import { callOperation, createScenario, eachOperation, isWrite } from './table'

const { here, records } = await createScenario()
const url = 'https://hooks.example.com/'
const { body } = await here.client<{ secret: string }>('POST', '/api/v2/webhooks', { json: { url } })
const verifier = new Standard(body.data.secret)

interface DeliveredEvent {
  id: string
  type: string
  data: object
}

const deliveredEvents: DeliveredEvent[] = []
const simulation = simulateQueue({}, async (input, init) => {
  if (String(input) === url) {
    const headers = Object.fromEntries(new Headers(init?.headers))
    const payload = verifier.verify(String(init?.body), headers) as DeliveredEvent
    deliveredEvents.push({ ...payload, id: headers['webhook-id'] ?? '' })
  }
  return new Response(null, { status: String(input).includes('gone') ? 410 : 204 })
})

async function deliverEvents() {
  simulation.now = readClock()
  simulation.enqueue({ kind: 'webhook.wake', subscriptionId: here.subscriptionId })
  while (simulation.queue.some(({ due }) => due <= simulation.now)) await simulation.step()
}

const seenTypes = new Set<string>()

test.each(eachOperation(isWrite))('%s delivers its events in the documented format', async (_, op) => {
  const path = await (await prepareRecords(op, records)).path(op.path)
  const [{ status }, events] = await eventsDuring(here, () => callOperation(op, records, { path }))
  expect(status).toBe(op.status ?? 200)
  expect(events.length).toBeGreaterThan(0)
  deliveredEvents.length = 0
  await deliverEvents()
  for (const { id, type, data } of events) {
    const name = `evt_${here.subscriptionId}_${id}`
    expect(deliveredEvents).toContainEqual(expect.objectContaining({ id: name, type, data }))
  }
  for (const { id: _, ...payload } of deliveredEvents) {
    seenTypes.add(payload.type)
    expectConforms(deliverySchemaOf(payload.type), payload)
  }
})

test('other forms of these operations and the queue deliver events in the documented format', async () => {
  const own = records.withFresh('storyMapId')
  const at = await own.path('/api/initiatives/{product_external_key}/storyMap/{storyMapId}')
  const make = async (path: string, json: object) =>
    (await here.client<{ id: number }>('POST', path, { json })).body.data
  const removeTo = (what: string, moveTo: number | string) => here.client('DELETE', `${at}/${what}?moveTo=${moveTo}`)
  const { activities, swimlanes } = await own.data<{
    activities: [{ id: number; steps: [{ id: number; cards: [{ externalKey: string }] }] }]
    swimlanes: [{ id: number }]
  }>('storyMapId')
  const [{ id, steps }] = activities
  const activityId = (await make(`${at}/activities`, { title: 'Ship' })).id
  await here.client('PUT', `${at}/cards/${steps[0].cards[0].externalKey}`, {
    json: { stepId: steps[0].id, swimlaneId: swimlanes[0].id },
  })
  await removeTo(`swimlanes/${swimlanes[0].id}`, (await make(`${at}/swimlanes`, { title: 'Later' })).id)
  await removeTo(`steps/${steps[0].id}`, (await make(`${at}/steps`, { title: 'Choose', activityId: id })).id)
  await removeTo(`activities/${id}`, activityId)

  const kpis = await records.path('/api/initiatives/{product_external_key}/kpi')
  const { externalKey } = (
    await here.client<{ externalKey: string }>('POST', kpis, {
      json: { title: 'A KPI', benchmark: '10', benchmarkType: 'MORE' },
    })
  ).body.data
  const { inserted } = (
    await here.client<{ inserted: { firstId: number; lastId: number } }>(
      'POST',
      `${kpis}/${externalKey}/insert-kpi-records?include=inserted`,
      { raw: sampleUpload({ part: 'metrics', json: true }) },
    )
  ).body.data
  const range = `${inserted.firstId}?through=${inserted.lastId}`
  await here.client('DELETE', `${kpis}/${externalKey}/records/${range}`)

  const vote = await records.path('/api/feedback-items/{feedback_external_key}/vote')
  for (const type of ['up', 'down', 'none']) await make(vote, { type, email: 'changes@example.com' })
  await here.client('POST', await records.path('/api/v2/segments/{segmentId}/email'), { json: MESSAGE })
  await simulation.cron()
  const exportId = (await make('/api/v2/exports', {})).id
  await env.DB.prepare('UPDATE exports SET attempts = 1000 WHERE subscription_id = ? AND id = ?')
    .bind(here.subscriptionId, (await make('/api/v2/exports', {})).id)
    .run()
  for (const id of [exportId, exportId + 1])
    simulation.enqueue({ kind: 'export.run', subscriptionId: here.subscriptionId, exportId: id })
  await make('/api/v2/webhooks', { url: 'https://gone.example.com/' })
  await here.client('POST', kpis, { json: { title: 'Tells the one that is gone' } })
  deliveredEvents.length = 0
  await deliverEvents()
  await deliverEvents()
  for (const { id: _, ...payload } of deliveredEvents) {
    seenTypes.add(payload.type)
    expectConforms(deliverySchemaOf(payload.type), payload)
  }
})

test('the document has every event type with a valid example', () => {
  expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES])
  for (const type of EVENT_TYPES) {
    const { example } = document.webhooks[type]?.post.requestBody.content['application/json'] ?? {}
    expectConforms(deliverySchemaOf(type), example)
  }
  // Links in mails and long imports emit these events, with data like related events. Mail events, sign-ins and the
  // event of a restore, which needs an empty workspace, have tests of their own.
  const elsewhere = [
    'workspace.restored',
    'session.created',
    'segment.users_confirmed',
    'member.joined',
    'member.unsubscribed',
    'member.mail_preferences_updated',
    'import.failed',
    'import.undo_accepted',
    'mail_provider.down',
    'mail_provider.restored',
  ]
  expect(
    EVENT_TYPES.filter((type) => !seenTypes.has(type)),
    'Add record.emit(…) of the event to the statements of its write, or take the event out of src/resources.ts.',
  ).toEqual(elsewhere)
})
