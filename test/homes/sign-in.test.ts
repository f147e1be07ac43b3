import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { rememberMove } from '../../src/homes'
import { deriveSignInCodes, deriveSignInTokens } from '../../src/http/sign-in-token'
import { call, send } from '../client'
import { readClock } from '../clock'
import { createWorkspace } from '../factories'
import { EU_NUMBER, openTwoHomes, TWO_HOMES } from '../homes'
import { createUniqueId } from '../unique'
import { finishMove, requestMove } from './moving'

const bindings = await openTwoHomes()
const HOMES = { env: { HOMES: TWO_HOMES } }

test.each(['chosen', 'mailing'] as const)(
  'a person of two workspaces signs in to the other workspace in an isolate that does not know that the %s workspace has moved',
  async (moving) => {
    const spaces = { mailing: await createWorkspace(), chosen: await createWorkspace() }
    const moved = spaces[moving].subscriptionId
    const clock = { now: readClock() }
    await requestMove(env.DB, moved, EU_NUMBER, clock.now)
    await finishMove(bindings, clock)

    const email = `${createUniqueId()}@example.com`
    const addPerson = (name: keyof typeof spaces) =>
      spaces[name].client('POST', '/api/v2/users', { json: { email, role: 'member' }, ...HOMES })
    const ask = (json: object, path = '') => call('POST', `/api/v2/sign-in${path}`, { json, ...HOMES })
    await addPerson('mailing')
    expect((await ask({ email })).status).toBe(200)
    const nonce = await (moving === 'mailing' ? env.DB_EU : env.DB)
      .prepare('SELECT nonce FROM sign_ins WHERE subscription_id = ?')
      .bind(spaces.mailing.subscriptionId)
      .first<string>('nonce')
    const [code] = await deriveSignInCodes(env.SIGNING_SECRETS, nonce ?? '')
    await addPerson('chosen')

    const signIn = () => {
      rememberMove(moved, 0)
      return ask({ email, code, workspaceId: spaces.chosen.subscriptionId }, '/code')
    }
    expect((await signIn()).status).toBe(200)
    expect((await signIn()).status).toBe(401)
  },
)

test('an address that changes in one home ends the sign-in there, and opens no workspace of the other home', async () => {
  const spaces = { moved: await createWorkspace(), victim: await createWorkspace() }
  const clock = { now: readClock() }
  await requestMove(env.DB, spaces.moved.subscriptionId, EU_NUMBER, clock.now)
  await finishMove(bindings, clock)
  rememberMove(spaces.moved.subscriptionId, EU_NUMBER)
  const [mine, theirs] = [`${createUniqueId()}@example.com`, `${createUniqueId()}@example.com`]
  const json = { email: mine, role: 'member' }
  const { body } = await spaces.moved.client<{ id: number }>('POST', '/api/v2/users', { json, ...HOMES })
  await spaces.victim.client('POST', '/api/v2/users', { json: { email: theirs, role: 'owner' }, ...HOMES })
  const open = async () => {
    expect((await call('POST', '/api/v2/sign-in', { json: { email: mine }, ...HOMES })).status).toBe(200)
    const nonce = await env.DB_EU.prepare('SELECT nonce FROM sign_ins WHERE subscription_id = ?')
      .bind(spaces.moved.subscriptionId)
      .first<string>('nonce')
    const [[code = ''], [token = '']] = await Promise.all([
      deriveSignInCodes(env.SIGNING_SECRETS, nonce ?? ''),
      deriveSignInTokens(env.SIGNING_SECRETS, nonce ?? ''),
    ])
    return { code, link: `/sign-in/${token}` }
  }
  const { code, link } = await open()
  expect((await send('GET', link, HOMES)).response.status).toBe(200)
  await spaces.moved.client('PUT', `/api/v2/users/${body.data.id}`, { json: { email: theirs }, ...HOMES })
  expect((await send('GET', link, HOMES)).response.status).toBe(410)
  for (const email of [mine, theirs])
    for (const { subscriptionId } of Object.values(spaces)) {
      const answer = await call('POST', '/api/v2/sign-in/code', {
        json: { email, code, workspaceId: subscriptionId },
        ...HOMES,
      })
      expect(answer.status).toBe(401)
    }
})
