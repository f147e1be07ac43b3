import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { clearPeople, fillInPerson } from '../../../src/workspace/events/people'
import { createWorkspace, type Workspace } from '../../factories'

interface Event {
  data: Record<string, unknown>
  previous: Record<string, unknown> | null
}

const STORED = String.raw`{"title":"Hi","user":{"firstName":"\u0000firstName","lastName":"\u0000lastName","email":"\u0000email"}}`

test('a person is filled in only at the places of a person', () => {
  const person = { firstName: 'Ad"a\\', lastName: '$& $1 Lovelace', email: 'ada@example.com' }
  const lookalikes = [
    String.raw`"\u0000firstName"`,
    String.raw`\u0000email`,
    String.raw`\"\u0000lastName"`,
    'firstName',
    String.raw`x","user":"\u0000email"`,
  ]
  const data = { id: 1, lookalikes, nested: [{ firstName: '\u0000firstName' }], email: '\u0000email', none: null }
  const filled = JSON.parse(fillInPerson(JSON.stringify(data), person))
  expect(filled).toEqual({ ...data, nested: [{ firstName: person.firstName }], email: person.email })
  const emptied = JSON.parse(clearPeople(JSON.stringify(data)))
  expect(emptied).toEqual({ ...data, nested: [{ firstName: null }], email: null })
  expect(JSON.parse(fillInPerson(STORED, person))).toEqual({ title: 'Hi', user: person })
})

async function appendUserEvent({ subscriptionId, product }: Workspace, person: number | null) {
  await env.DB.prepare(
    `INSERT INTO append_event (subscription_id, id, product_id, person_id, type, resource_key, data, previous, created_at)
     SELECT ?1, coalesce(max(id), 0) + 1, ?2, ?3, 'user.updated', 'x', ?4, ?4, 0 FROM log WHERE subscription_id = ?1`,
  )
    .bind(subscriptionId, product.id, person, STORED)
    .run()
}

test('an event shows the present name of its person, and no name after removal or purge', async () => {
  const world = await createWorkspace()
  const stranger = await createWorkspace()
  const stamps = { created_at: 0, updated_at: 0 }
  const row = { subscription_id: world.subscriptionId, role: 'member', ...stamps }
  const ada = { firstName: 'Ada', lastName: '', email: 'ada@example.com' }
  const there = await world.row('users', { ...row, first_name: ada.firstName, email: ada.email })
  const removed = await world.row('users', { ...row, first_name: 'Gone', email: 'g@example.com', deleted_at: 1 })
  for (const person of [world.userId, there, removed, 1_000_000_000, stranger.userId, null])
    await appendUserEvent(world, person)
  const owner = { firstName: 'Olga', lastName: 'Owner', email: 'owner@example.com' }
  const nobody = { firstName: '', lastName: '', email: '' }
  const limited = await world.key({ products: [world.product.id] })
  for (const apiKey of [await world.key(), limited]) {
    for (const query of ['', '?type=user.updated', '?key=x']) {
      const { body, cost } = await world.client<Event[]>('GET', `/api/v2/events${query}`, { apiKey })
      expect(body.data.map(({ data }) => data.user)).toEqual([owner, ada, nobody, nobody, nobody, nobody])
      expect(body.data.map(({ previous }) => previous?.user)).toEqual(
        Array(6).fill({ firstName: null, lastName: null, email: null }),
      )
      expect(cost.roundTrips).toBe(1)
    }
  }
})
