import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore } from '../../src/db/client/client'
import { findPortal, findPortalOfHost, findPortalWithEndUser } from '../../src/db/client/portal-lookup'
import { listHomes } from '../../src/homes'
import { findProviderOfDomain, findProviderOfPortal } from '../../src/workspace/sessions/oidc/queries'
import { findVisitor } from '../../src/workspace/sessions/sign-in/queries/portal'
import { findPerson, listWorkspaces } from '../../src/workspace/sessions/sign-in/queries/team'
import { readClock } from '../clock'
import { createWorkspace } from '../factories'
import { EU_NUMBER, openTwoHomes } from '../homes'

listHomes(await openTwoHomes())

const store = openStore(env.DB, readClock())
// Each round asks for the portal at another time, because isolates remember portals.
let now = readClock()

test.each([
  ['requested', true],
  ['leaving', true],
  ['moved', false],
  ['arriving', false],
])('lookups find a workspace that is %s: %s', async (state, isFound) => {
  const { client, subscriptionId } = await createWorkspace()
  const [slug, email, host] = [
    `lookup-${subscriptionId}`,
    `${subscriptionId}@example.com`,
    `${subscriptionId}.example.com`,
  ]
  await client('POST', '/api/v2/users', { json: { email, role: 'member' } })
  await client('PUT', '/api/v2/settings/portal', { json: { slug, visibility: 'public' } })
  await env.DB.prepare('UPDATE portals SET domain = ?, domain_verified = 1 WHERE subscription_id = ?')
    .bind(host, subscriptionId)
    .run()
  await env.DB.prepare('UPDATE sign_in_settings SET issuer = ?, client_id = ? WHERE subscription_id = ?')
    .bind('https://issuer.example.com', 'client', subscriptionId)
    .run()
  await env.DB.prepare('INSERT INTO sign_in_domains (subscription_id, domain) VALUES (?, ?)')
    .bind(subscriptionId, host)
    .run()
  await env.DB.prepare(
    'INSERT INTO workspace_moves (workspace_id, state, home, created_at, updated_at) VALUES (?, ?, ?, 1, 1)',
  )
    .bind(subscriptionId, state, EU_NUMBER)
    .run()
  now += 3_600_000
  const endUser = { sub: 'someone', email }
  const open = { addressHash: 'hash', email, nonce: 'nonce', mailedBy: subscriptionId }
  const found = [
    await findPortalWithEndUser(store, { slug, endUser }, now),
    await findPortal(store, slug, now + 1_800_000),
    await findPortalOfHost(store, host, now),
    await findPerson(store, email),
    await findVisitor(store, { slug, email }),
    (await listWorkspaces(store, open))[0],
    await findProviderOfDomain(store, host),
    await findProviderOfPortal(store, slug),
  ]
  expect(found.map((one) => one !== undefined)).toEqual(found.map(() => isFound))
})
