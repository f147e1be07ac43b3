import { expect, test } from 'vitest'
import { PEOPLE_AREAS } from '../../src/http/auth'
import type { AnyOperation } from '../../src/http/operation'
import { hasScope, SCOPE_AREAS, SCOPES } from '../../src/http/token'
import { type CallOptions, send } from '../client'
import { createUniqueId } from '../unique'
import { MAKERS } from '../world'
import { areaOf, type Marker, sendMarkedWrites } from './markers'
import { nextPageUrl } from './pages'
import {
  createScenario,
  insertSecondProduct,
  isWrite,
  operationTable,
  replaceAddresses,
  UNLIMITED,
  validPath,
  validRequest,
} from './table'

const { here, records } = await createScenario()
const { client, row, subscriptionId } = here
const secondProductId = await insertSecondProduct(here)
const markerStore = await sendMarkedWrites(operationTable, { here, records })

const expectSuccess = async (method: string, path: string, json: object) => {
  const answer = await client<Record<string, never>>(method, await records.path(path), { json })
  if (!answer.body.success) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

const createMarkedPerson = (who: string, ...also: Marker['sharedWith']) => ({
  name: markerStore.addMarker(`${who}'s name`, 'products', [
    ...PEOPLE_AREAS,
    ...also.filter((area) => area !== 'mail'),
  ]),
  email: `${markerStore.addMarker(`${who}'s address`, 'products', [...PEOPLE_AREAS, ...also])}@example.com`,
})

// The records are linked to each other, because the test looks for data of linked records in responses.
const IDEAS = '/api/feedback-items'
const PRODUCT_PATH = '/api/initiatives/{product_external_key}'
// Author of the ideas and of all comments, and a recipient of the mailing.
const author = createMarkedPerson('The author', 'feedback', 'backlog', 'mail')
// A recipient of the mailing, and the user in bodies of ideas.
const knownMember = createMarkedPerson('A member', 'feedback', 'mail')
const anonymousAuthor = createMarkedPerson('An anonymous author')
const lateAnonymousAuthor = createMarkedPerson('An author who hides')
const owner = { firstName: author.name, lastName: author.name, email: author.email }
await expectSuccess('PUT', `/api/v2/users/${here.userId}`, owner)
await expectSuccess('POST', '/api/v2/segments/{segmentId}/create-users', [knownMember])
await expectSuccess('PUT', '/api/v2/teams/{teamId}', { members: [here.userId] })
const files = [{ file: { id: await records.value('assetId') } }]
const links = { kpis: [await records.value('kpi_external_key')], files, userId: [here.userId] }
for (const [name, { path }] of Object.entries(MAKERS)) {
  if (name.endsWith('external_key') && MAKERS[name]?.table === 'work_items')
    await expectSuccess('PUT', `${path}/{${name}}`, links)
}
const tags = [markerStore.addMarker('The tag of an idea', 'feedback', ['products'])]
await expectSuccess('POST', `${PRODUCT_PATH}/tags`, { name: tags[0] })
await expectSuccess('PUT', `${IDEAS}/{feedback_external_key}`, { category_id: await records.value('categoryId'), tags })
const idea = { title: 'Hush', product: here.product.externalKey }
await expectSuccess('POST', IDEAS, { ...idea, user: anonymousAuthor, is_anonymous: true })
const lateAnonymousIdea = await expectSuccess('POST', IDEAS, { ...idea, user: lateAnonymousAuthor })
await expectSuccess('PUT', `${IDEAS}/${lateAnonymousIdea.external_key}`, { title: 'Still here' })
await expectSuccess('PUT', `${IDEAS}/${lateAnonymousIdea.external_key}`, { is_anonymous: true })
await expectSuccess('POST', '/api/v2/segments/{segmentId}/email', { subject: 'Hi', html: '<p>Hi</p>' })

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
async function createOptions(op: AnyOperation, email = knownMember.email): Promise<CallOptions> {
  if (op.upload || !op.body) return validRequest(op, records)
  if (op.method === 'put' && op.body.safeParse({}).success) return { json: {} }
  // Other names would replace the markers of the known member.
  if (op.id === 'upsertMember') return { json: { email } }
  return { json: replaceAddresses((await validRequest(op, records)).json, email) }
}

/** Collects the response of every page, or the responses of a POST and its retry. */
async function collectResponses(
  op: AnyOperation,
  apiKey: string,
  path: string,
): Promise<{ sent: string; received: string }> {
  const options = await createOptions(op)
  const headers: Record<string, string> = op.method === 'post' ? { 'idempotency-key': createUniqueId() } : {}
  const receivedTexts: string[] = []
  let next: string | undefined = path
  for (let n = 0; next && n < 50; n++) {
    const raw = op.upload ? (await validRequest(op, records)).raw : undefined
    const { response } = await send(op.method.toUpperCase(), next, {
      ...options,
      ...(raw && { raw }),
      headers,
      apiKey,
      env: UNLIMITED,
    })
    receivedTexts.push(JSON.stringify([...response.headers]), new TextDecoder().decode(await response.arrayBuffer()))
    next = op.method === 'post' && n === 0 ? path : nextPageUrl(response.headers)
  }
  return { sent: `${path} ${JSON.stringify(options.json)}`, received: receivedTexts.join('\n') }
}

const seenMarkers = new Set<string>()
const actingLinks = new Set<string>()
const shownSecrets = new Set<string>()

/** The paths for an operation: with the usual records, and with each record that has markers. */
async function listPaths(op: AnyOperation, own: boolean): Promise<string[]> {
  const path = own ? await validPath(op, records) : await records.path(op.path)
  if (isWrite(op)) return [path]
  const others = Object.entries(markerStore.markedRecords).flatMap(([name, values]) =>
    op.path.includes(`{${name}}`) ? values.map((value) => ({ [name]: value })) : [],
  )
  return [path, ...(await Promise.all(others.map((other) => records.path(op.path, other))))]
}

/** The markers of the responses, without the markers of the requests. */
async function findForeignMarkers(op: AnyOperation, apiKey: string, { own = false } = {}): Promise<Marker[]> {
  const markers: Marker[] = []
  for (const path of await listPaths(op, own)) {
    const { sent, received } = await collectResponses(op, apiKey, path)
    for (const [link] of received.matchAll(/\/(?:unsubscribe|invitations|confirmations)\/[\w.~-]+/g))
      actingLinks.add(link)
    for (const text of markerStore.secrets)
      if (received.toLowerCase().includes(text)) shownSecrets.add(`${op.id}: ${text}`)
    const without = markerStore.findIn(sent)
    for (const text of markerStore.findIn(received)) {
      const marker = markerStore.markers.get(text)
      seenMarkers.add(text)
      if (marker && !without.has(text)) markers.push(marker)
    }
  }
  return markers
}

const TITLED_OPERATIONS = ['getPortal', 'getPortalAtomFeed', 'getPortalJsonFeed']

const singleScopes = SCOPES.filter((scope) => scope !== '*').map((scope) => [scope])
const scopesWithEvents = SCOPE_AREAS.map((area) => ['events:read', `${area}:read`])

test.each([...singleScopes, ...scopesWithEvents].map((scopes) => [scopes.join(' and '), scopes] as const))(
  'a key with %s sees no content of other areas',
  async (_, scopes) => {
    const apiKey = await here.key({ scopes, userId })
    const mayCall = (op: AnyOperation) => !op.scope || hasScope(scopes, op.scope)
    const leaks: string[] = []
    // Any other operation answers 403, which test/contract/scopes.test.ts checks.
    // The title of a portal and the names of its products are for its readers.
    for (const op of operationTable.filter((op) => mayCall(op) && !TITLED_OPERATIONS.includes(op.id))) {
      const written = isWrite(op) ? areaOf(op) : undefined
      const shows = ({ area: home, sharedWith }: Marker) =>
        home === written || [home, ...sharedWith].some((area) => hasScope(scopes, `${area}:read`))
      for (const marker of await findForeignMarkers(op, apiKey, { own: true })) {
        if (!shows(marker)) leaks.push(`${op.id}: ${marker.source}`)
      }
    }
    expect(leaks).toEqual([])
  },
)

test('a key that is limited to another product sees no content of this product', async () => {
  const apiKey = await here.key({ products: [secondProductId], userId })
  const leaks: string[] = []
  for (const op of operationTable) {
    for (const marker of await findForeignMarkers(op, apiKey, { own: true })) {
      if (marker.belongsToProduct) leaks.push(`${op.id}: ${marker.source}`)
    }
  }
  expect(leaks).toEqual([])
})

test('an unsubscribe or invitation link in a response does not work', async () => {
  expect(actingLinks.size).toBeGreaterThan(0)
  for (const link of actingLinks) expect([link, (await send('POST', link)).response.status]).toEqual([link, 404])
})

test('a secret never appears in a later response', () => {
  expect(markerStore.secrets.size).toBeGreaterThan(0)
  expect([...shownSecrets]).toEqual([])
})

test('a key with every scope sees every marker, and every area has markers', async () => {
  const apiKey = await here.key()
  seenMarkers.clear()
  for (const op of operationTable) if (!isWrite(op)) await findForeignMarkers(op, apiKey)
  const unseen = [...markerStore.markers].flatMap(([text, { source }]) => (seenMarkers.has(text) ? [] : [source]))
  // Fields without an effect: a story keeps its type, an epic has no story fields, a first name wins over a name, and
  // the first names of a persona's notes win over the second. A marker is no key of an item that a bulk changes, and no
  // id of a comment.
  const nowhere = (where: string) =>
    where.endsWith('UserStory.type') ||
    where.startsWith('bulkFeedbackItems.') ||
    [
      'upsertWorkItem.firstChild',
      'upsertWorkItem.storyPoint',
      'upsertWorkItem.remainingTime',
      'createMember.name',
      'modifyDocumentation.summary',
      'modifyDocumentation.description',
    ].includes(where) ||
    where.endsWith('Comment.parentExternalId')
  expect(unseen.filter((where) => !nowhere(where))).toEqual([])
  const homes = new Set([...markerStore.markers.values()].map(({ area }) => area))
  expect(SCOPE_AREAS.filter((area) => !homes.has(area))).toEqual(['events'])
  expect([...markerStore.markers.values()].filter(({ belongsToProduct }) => belongsToProduct).length).toBeGreaterThan(
    20,
  )
})
