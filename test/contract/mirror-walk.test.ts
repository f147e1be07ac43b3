import { expect, test } from 'vitest'
import { applyEvent } from '../../clients/typescript/src'
import { buildOpenApiDocument } from '../../src/openapi/document'
import { operations } from '../../src/operations'
import { createMirrorClient, readAll, readEventsSince, shuffleDeliveries } from '../mirror/app-mirror'
import { findDifferences } from '../mirror/compare'
import type { WalkedDocument } from '../mirror/walk/document'
import { type Send, Walk } from '../mirror/walk/walk'
import { readDocument } from '../outside/document'
import { seededRandom } from '../random'
import { createScenario } from './table'

const SEED = 28
const STEPS_BEFORE_LIST = 50
const STEPS = 350
/** Operations of this test that are accepted at least once. `npm run check:mirror` takes more steps, and asks for nearly all. */
const ACCEPTED_PERCENT = 80

const { here } = await createScenario()

const sendToApp: Send = async ({ method, path, json, form, headers }) => {
  const answer = await here.client<unknown>(method, path, {
    ...(json !== undefined && { json }),
    ...(form && { raw: form }),
    ...(headers && { headers }),
  })
  const { status, body } = answer
  return { status, location: answer.headers.get('location'), data: body.data, message: body.message }
}

test(`a mirror equals the lists after ${STEPS} random writes, in order and shuffled with duplicates`, async () => {
  const client = await createMirrorClient(here)
  const document = readDocument<WalkedDocument>(buildOpenApiDocument(operations))
  const walk = new Walk({ document, random: seededRandom(SEED), send: sendToApp })
  await walk.begin(here.product.externalKey)
  for (let n = 0; n < STEPS_BEFORE_LIST; n++) await walk.step()
  const inOrder = await readAll(client)
  const shuffled = await readAll(client)
  for (let n = 0; n < STEPS; n++) await walk.step()

  const events = await readEventsSince(client, inOrder.readPosition() ?? 0)
  for (const event of events) await applyEvent(client, inOrder, event, event.id)
  for (const event of shuffleDeliveries(events, seededRandom(SEED))) await applyEvent(client, shuffled, event)
  const listed = (await readAll(client)).listVisible()
  expect(findDifferences(inOrder.listVisible(), listed)).toEqual([])
  expect(findDifferences(shuffled.listVisible(), listed)).toEqual([])
  const neverAccepted = walk.listNeverAccepted()
  expect(neverAccepted.length, neverAccepted.join('\n')).toBeLessThan(
    (walk.counts.size * (100 - ACCEPTED_PERCENT)) / 100,
  )
})
