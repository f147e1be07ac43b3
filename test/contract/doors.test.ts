import { expect, test } from 'vitest'
import { PEOPLE } from '../../src/http/auth'
import type { AnyOperation } from '../../src/http/operation'
import { AREAS, allows, SCOPES } from '../../src/http/token'
import { type CallOptions, send } from '../client'
import { MAKERS } from '../world'
import { nextOf } from './pages'
import { areaOf, type Marker, plant } from './plant'
import { addressedTo, otherProduct, QUIET, stage, table, target, valid, writes } from './table'

const { here, records } = await stage()
const { client, row, subscriptionId } = here
const other = await otherProduct(here)
const garden = await plant(table, { here, records })

const done = async (method: string, path: string, json: object) => {
  const answer = await client<Record<string, never>>(method, await records.path(path), { json })
  if (!answer.body.success) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

const somebody = (who: string, ...also: Marker['also']) => ({
  name: garden.mark(`${who}'s name`, 'products', [...PEOPLE, ...also.filter((area) => area !== 'mail')]),
  email: `${garden.mark(`${who}'s address`, 'products', [...PEOPLE, ...also])}@example.com`,
})

// The records are linked to each other, because the test looks for data of linked records in responses.
const IDEAS = '/api/feedback-items'
const P = '/api/initiatives/{product_external_key}'
// Author of the ideas and of all comments, and a recipient of the mailing.
const author = somebody('The author', 'feedback', 'backlog', 'mail')
// A recipient of the mailing, and the user in bodies of ideas.
const known = somebody('A member', 'feedback', 'mail')
const hidden = somebody('An anonymous author')
const hiding = somebody('An author who hides')
const owner = { firstName: author.name, lastName: author.name, email: author.email }
await done('PUT', `/api/v2/users/${here.userId}`, owner)
await done('POST', '/api/v2/segments/{segmentId}/create-users', [known])
await done('PUT', '/api/v2/teams/{teamId}', { members: [here.userId] })
const files = [{ file: { id: await records.value('assetId') } }]
const links = { kpis: [await records.value('kpi_external_key')], files, userId: [here.userId] }
for (const [name, { path }] of Object.entries(MAKERS)) {
  if (name.endsWith('external_key') && MAKERS[name]?.table === 'work_items')
    await done('PUT', `${path}/{${name}}`, links)
}
const tags = [garden.mark('The tag of an idea', 'feedback', ['products'])]
await done('POST', `${P}/tags`, { name: tags[0] })
await done('PUT', `${IDEAS}/{feedback_external_key}`, { category_id: await records.value('categoryId'), tags })
const idea = { title: 'Hush', product: here.product.externalKey }
await done('POST', IDEAS, { ...idea, user: hidden, is_anonymous: true })
const late = await done('POST', IDEAS, { ...idea, user: hiding })
await done('PUT', `${IDEAS}/${late.external_key}`, { title: 'Still here' })
await done('PUT', `${IDEAS}/${late.external_key}`, { is_anonymous: true })
await done('POST', '/api/v2/segments/{segmentId}/email', { subject: 'Hi', html: '<p>Hi</p>' })

const stamps = { created_at: 1, updated_at: 1 }
const userId = await row('users', {
  subscription_id: subscriptionId,
  email: 'k@example.com',
  role: 'member',
  ...stamps,
})

/**
 * The body of a call. An empty modify returns the record unchanged, and a body with an address gets the address of a
 * known user.
 */
async function sensible(op: AnyOperation, email = known.email): Promise<CallOptions> {
  if (op.upload || !op.body) return valid(op, records)
  if (op.method === 'put' && op.body.safeParse({}).success) return { json: {} }
  return { json: addressedTo((await valid(op, records)).json, email) }
}

/** Collects the response of every page, or the responses of a POST and its retry. */
async function answersOf(op: AnyOperation, apiKey: string, path: string): Promise<{ sent: string; told: string }> {
  const options = await sensible(op)
  const headers: Record<string, string> = op.method === 'post' ? { 'idempotency-key': crypto.randomUUID() } : {}
  const told: string[] = []
  let next: string | undefined = path
  for (let n = 0; next && n < 50; n++) {
    const raw = op.upload ? (await valid(op, records)).raw : undefined
    const { response } = await send(op.method.toUpperCase(), next, {
      ...options,
      ...(raw && { raw }),
      headers,
      apiKey,
      env: QUIET,
    })
    told.push(JSON.stringify([...response.headers]), new TextDecoder().decode(await response.arrayBuffer()))
    next = op.method === 'post' && n === 0 ? path : nextOf(response.headers)
  }
  return { sent: `${path} ${JSON.stringify(options.json)}`, told: told.join('\n') }
}

const seen = new Set<string>()
const actingLinks = new Set<string>()
const shownSecrets = new Set<string>()

/** The paths for an operation: with the usual records, and with each record that has markers. */
async function pathsOf(op: AnyOperation, own: boolean): Promise<string[]> {
  const path = own ? await target(op, records) : await records.path(op.path)
  if (writes(op)) return [path]
  const others = Object.entries(garden.places).flatMap(([name, values]) =>
    op.path.includes(`{${name}}`) ? values.map((value) => ({ [name]: value })) : [],
  )
  return [path, ...(await Promise.all(others.map((other) => records.path(op.path, other))))]
}

/** The markers of the responses, without the markers of the requests. */
async function found(op: AnyOperation, apiKey: string, { own = false } = {}): Promise<Marker[]> {
  const markers: Marker[] = []
  for (const path of await pathsOf(op, own)) {
    const { sent, told } = await answersOf(op, apiKey, path)
    for (const [link] of told.matchAll(/\/(?:unsubscribe|invitations)\/[\w.~-]+/g)) actingLinks.add(link)
    for (const text of garden.secrets) if (told.toLowerCase().includes(text)) shownSecrets.add(`${op.id}: ${text}`)
    const without = garden.in(sent)
    for (const text of garden.in(told)) {
      const marker = garden.planted.get(text)
      seen.add(text)
      if (marker && !without.has(text)) markers.push(marker)
    }
  }
  return markers
}

const single = SCOPES.filter((scope) => scope !== '*').map((scope) => [scope])
const withEvents = AREAS.map((area) => ['events:read', `${area}:read`])

test.each([...single, ...withEvents].map((scopes) => [scopes.join(' and '), scopes] as const))(
  '%s shows nothing of any other area',
  async (_, scopes) => {
    const apiKey = await here.key({ scopes, userId })
    const mayCall = (op: AnyOperation) => !op.scope || allows(scopes, op.scope)
    const leaks: string[] = []
    // Any other operation answers 403, which test/contract/scopes.test.ts checks.
    for (const op of table.filter(mayCall)) {
      const written = writes(op) ? areaOf(op) : undefined
      const shows = ({ home, also }: Marker) =>
        home === written || [home, ...also].some((area) => allows(scopes, `${area}:read`))
      for (const marker of await found(op, apiKey, { own: true })) {
        if (!shows(marker)) leaks.push(`${op.id}: ${marker.where}`)
      }
    }
    expect(leaks).toEqual([])
  },
)

test('a key that is limited to another product is shown nothing of this one', async () => {
  const apiKey = await here.key({ products: [other], userId })
  const leaks: string[] = []
  for (const op of table) {
    for (const marker of await found(op, apiKey, { own: true })) {
      if (marker.ofProduct) leaks.push(`${op.id}: ${marker.where}`)
    }
  }
  expect(leaks).toEqual([])
})

test('a link in an answer acts for nobody', async () => {
  expect(actingLinks.size).toBeGreaterThan(0)
  for (const link of actingLinks) expect([link, (await send('POST', link)).response.status]).toEqual([link, 404])
})

test('a secret that was given is shown to nobody', () => {
  expect(garden.secrets.size).toBeGreaterThan(0)
  expect([...shownSecrets]).toEqual([])
})

test('whoever may do everything is shown every marker, and every area has some', async () => {
  const apiKey = await here.key()
  seen.clear()
  for (const op of table) if (!writes(op)) await found(op, apiKey)
  const unseen = [...garden.planted].flatMap(([text, { where }]) => (seen.has(text) ? [] : [where]))
  // Fields without an effect: a story keeps its type, an epic has no story fields, a first name wins over a name, and
  // the first names of a persona's notes win over the second.
  const nowhere = (where: string) =>
    where.endsWith('UserStory.type') ||
    [
      'upsertWorkItem.firstChild',
      'upsertWorkItem.storyPoint',
      'upsertWorkItem.remainingTime',
      'createMember.name',
      'modifyDocumentation.summary',
      'modifyDocumentation.description',
    ].includes(where)
  expect(unseen.filter((where) => !nowhere(where))).toEqual([])
  const homes = new Set([...garden.planted.values()].map(({ home }) => home))
  expect(AREAS.filter((area) => !homes.has(area))).toEqual(['events'])
  expect([...garden.planted.values()].filter(({ ofProduct }) => ofProduct).length).toBeGreaterThan(20)
})
