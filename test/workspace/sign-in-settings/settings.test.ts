import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { unsealSecret } from '../../../src/http/sealed-secret'
import { ROLE_SCOPES, USER_ROLES } from '../../../src/roles'
import { resealClientSecrets } from '../../../src/workspace/sign-in-settings/reseal'
import { call } from '../../client'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { interleave, interruptedDatabase } from '../../interleaving'
import { connectProvider, SETTINGS, stubProvider } from '../sessions/stub-provider'

afterEach(() => {
  vi.restoreAllMocks()
})

interface Settings {
  issuer: string | null
  hasClientSecret: boolean
  domains: string[]
  verifiedDomains: string[]
}

const domainFor = ({ subscriptionId }: Workspace, name = 's') => `${name}${subscriptionId}.example`
const recordFor = ({ subscriptionId }: Workspace) => `groundwork-verification=groundwork.test/${subscriptionId}`

test('the settings keep a secret that nobody reads, and an event says what changed', async () => {
  const here = await createWorkspace()
  const { body: before } = await here.client<Settings>('GET', SETTINGS)
  const empty = {
    issuer: null,
    clientId: null,
    hasClientSecret: false,
    domains: [],
    verifiedDomains: [],
    domainChecks: [],
  }
  expect(before.data).toEqual({ ...empty, role: 'member', onlyProvider: false })
  const domains = [domainFor(here).toUpperCase(), domainFor(here)]
  await stubProvider({ issuer: 'https://login.example.com' })
  const json = { issuer: 'https://login.example.com', clientId: 'one', clientSecret: 'very secret', domains }
  const saved = await here.client<Settings>('PUT', SETTINGS, { json })
  expect(saved.body.data).toMatchObject({ issuer: json.issuer, hasClientSecret: true, domains: [domainFor(here)] })
  const events = await here.client<object[]>('GET', '/api/v2/events?type=sign_in_settings.*')
  expect(events.body.data).toMatchObject([{ data: saved.body.data, previous: { hasClientSecret: false, domains: [] } }])
  const stored = await env.DB.prepare('SELECT * FROM sign_in_settings WHERE subscription_id = ?')
    .bind(here.subscriptionId)
    .first()
  for (const place of [saved.body, events.body, stored]) expect(JSON.stringify(place)).not.toContain('very secret')
  const nothing = { issuer: null, clientId: null, clientSecret: null, domains: [] }
  expect((await here.client('PUT', SETTINGS, { json: nothing })).body.data).toEqual(before.data)
  const again = await here.client('PUT', SETTINGS, { json: nothing })
  expect([again.status, again.cost.rowsWritten]).toEqual([200, 0])
})

test('only somebody with every scope changes who an address belongs to', async () => {
  const here = await createWorkspace()
  for (const role of USER_ROLES) {
    const { headers } = await here.session({ scopes: ROLE_SCOPES[role] })
    const { status } = await call('PUT', SETTINGS, { headers, json: { role: 'viewer' } })
    expect([role, status]).toEqual([role, role === 'owner' ? 200 : 403])
  }
})

test('an issuer is a public address with https', async () => {
  const here = await createWorkspace()
  for (const issuer of [
    'http://login.example.com',
    'https://login.example.com?x=1',
    'https://login.example.com#x',
    'https://localhost',
    'https://10.0.0.1',
    'https://[::1]',
    'https://metadata.internal',
    'https://login.example.com:8443',
    'https://user:pass@login.example.com',
    'https://groundwork.test',
    'javascript:alert(1)',
  ])
    expect([issuer, (await here.client('PUT', SETTINGS, { json: { issuer } })).status]).toEqual([issuer, 400])
  for (const domain of [
    'example',
    'a..example',
    '-a.example',
    'a.example/x',
    'a@b.example',
    '1.2.3.4',
    '*.example.com',
  ])
    expect([domain, (await here.client('PUT', SETTINGS, { json: { domains: [domain] } })).status]).toEqual([
      domain,
      400,
    ])
})

test('a domain works with the record of this workspace only', async () => {
  const here = await createWorkspace()
  const other = await createWorkspace()
  const provider = await stubProvider({ issuer: 'https://login.example.com' })
  const [one, two] = [domainFor(here), domainFor(here, 't')]
  const verify = async (txt: string[]) => {
    provider.answers.txt = txt
    const { body } = await here.client<Settings>('PUT', SETTINGS, { json: { domains: [one, two] } })
    return { verified: body.data.verifiedDomains, message: body.message }
  }
  for (const txt of [
    [],
    ['"v=spf1 -all"'],
    [`"${recordFor(other)}"`],
    [`"${recordFor(here)}0"`],
    [`" ${recordFor(here)}"`],
    [`"${recordFor(here).replace('groundwork.test', 'other.test')}"`],
  ]) {
    const { verified, message } = await verify(txt)
    expect([txt, verified]).toEqual([txt, []])
    expect(message).toContain(`Publish the TXT record ${recordFor(here)} for ${one}, ${two}`)
  }
  const record = recordFor(here)
  const { verified, message } = await verify(['"v=spf1 -all"', `"${record.slice(0, 9)}" "${record.slice(9)}"`])
  expect([verified, message]).toEqual([[one, two], 'Settings saved'])
  const asked = provider.requests.map(({ url }) => new URL(url).searchParams.get('name'))
  expect(new Set(asked)).toEqual(new Set([one, two]))
  expect((await verify([])).verified).toEqual([one, two])
  expect((await here.client('PUT', SETTINGS, { json: { clientId: 'one' } })).cost.roundTrips).toBe(1)
  await here.client('PUT', SETTINGS, { json: { domains: [one] } })
  const returned = await here.client<Settings>('PUT', SETTINGS, { json: { domains: [one, two] } })
  expect(returned.body.data.verifiedDomains).toEqual([one])
})

test('a verified domain belongs to one workspace', async () => {
  const [here, other] = [await createWorkspace(), await createWorkspace()]
  const provider = await stubProvider({ issuer: 'https://login.example.com' })
  const domain = domainFor(here)
  expect((await connectProvider(here, provider, { domain })).body.data.verifiedDomains).toEqual([domain])
  expect((await connectProvider(other, provider, { domain })).status).toBe(409)
  await here.client('PUT', SETTINGS, { json: { domains: [] } })
  expect((await connectProvider(other, provider, { domain })).body.data.verifiedDomains).toEqual([domain])
})

test('a resolver that fails verifies nothing', async () => {
  for (const answer of [
    () => new Response('', { status: 503 }),
    () => Response.json({ Answer: 'none' }),
    () => Promise.reject(new Error('refused')),
  ]) {
    const here = await createWorkspace()
    const provider = await stubProvider({ issuer: 'https://login.example.com', intercept: answer })
    const { status, body } = await connectProvider(here, provider, { domain: domainFor(here) })
    expect([status, body.data.verifiedDomains]).toEqual([200, []])
  }
})

test('the secret is encrypted again with a new signing secret', async () => {
  const here = await createWorkspace()
  await here.client('PUT', SETTINGS, { json: { clientSecret: 'very secret' } })
  const SIGNING_SECRETS = `newest:${'bmV3ZXN0LXNlY3JldC1vZi10aGUtdGVzdC1zdWl0ZTE'},${env.SIGNING_SECRETS}`
  for (let n = 0; n < 2; n++)
    await resealClientSecrets({ store: openStore(env.DB, readClock()), settings: { ...env, SIGNING_SECRETS } })
  const row = await env.DB.prepare('SELECT client_secret, sealed_by FROM sign_in_settings WHERE subscription_id = ?')
    .bind(here.subscriptionId)
    .first<{ client_secret: string; sealed_by: string }>()
  expect(row?.sealed_by).toBe('newest')
  expect(await unsealSecret(SIGNING_SECRETS, here.subscriptionId, row?.client_secret ?? '')).toBe('very secret')
})

test('a secret that changes while secrets are encrypted again stays', async () => {
  const SIGNING_SECRETS = `newest:${'bmV3ZXN0LXNlY3JldC1vZi10aGUtdGVzdC1zdWl0ZTE'},${env.SIGNING_SECRETS}`
  const readSecret = async ({ subscriptionId }: Workspace) => {
    const row = env.DB.prepare('SELECT client_secret FROM sign_in_settings WHERE subscription_id = ?')
    const sealed = await row.bind(subscriptionId).first<string>('client_secret')
    return unsealSecret(SIGNING_SECRETS, subscriptionId, sealed ?? '')
  }
  const attempts = await interleave(async (interruption) => {
    const [here, other] = [await createWorkspace(), await createWorkspace()]
    for (const { client } of [here, other]) await client('PUT', SETTINGS, { json: { clientSecret: 'old' } })
    interruption.write = () => here.client('PUT', SETTINGS, { json: { clientSecret: 'new' } })
    const store = openStore(interruptedDatabase(env.DB, interruption), readClock())
    await resealClientSecrets({ store, settings: { ...env, SIGNING_SECRETS } })
    expect([await readSecret(here), await readSecret(other)]).toEqual([interruption.hasWritten ? 'new' : 'old', 'old'])
    await resealClientSecrets({ store: openStore(env.DB, readClock()), settings: { ...env, SIGNING_SECRETS } })
  })
  expect(attempts).toBeGreaterThan(2)
})
