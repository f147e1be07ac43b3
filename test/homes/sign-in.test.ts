import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { rememberMove } from '../../src/homes'
import { deriveSignInCodes } from '../../src/http/sign-in-token'
import { call } from '../client'
import { createWorkspace } from '../factories'
import { EU_NUMBER, openTwoHomes, TWO_HOMES } from '../homes'
import { finishMove, requestMove } from './moving'

const bindings = await openTwoHomes()
const HOMES = { env: { HOMES: TWO_HOMES } }

test.each(['chosen', 'mailing'] as const)(
  'a person of two workspaces signs in to the other workspace in an isolate that does not know that the %s workspace has moved',
  async (moving) => {
    const spaces = { mailing: await createWorkspace(), chosen: await createWorkspace() }
    const moved = spaces[moving].subscriptionId
    const clock = { now: Date.now() }
    await requestMove(env.DB, moved, EU_NUMBER, clock.now)
    await finishMove(bindings, clock)

    const email = `${crypto.randomUUID()}@example.com`
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
