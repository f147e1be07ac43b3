import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { checkDomains } from '../../../src/workspace/sign-in-settings/checks/check'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { connectProvider, SETTINGS, stubProvider } from '../sessions/stub-provider'

afterEach(() => {
  vi.restoreAllMocks()
})

const DAY = 86_400_000
const PUBLIC_URL = 'https://groundwork.test'

interface Settings {
  domains: string[]
  verifiedDomains: string[]
  domainChecks: { domain: string; checkedAt: string | null; missingSince: string | null }[]
}

const check = (now: number, settings: object = {}) =>
  checkDomains({ store: openStore(env.DB, now), settings: { ...env, PUBLIC_URL, ...settings } })

const read = async ({ client }: Workspace) => (await client<Settings>('GET', SETTINGS)).body.data

async function prepare(intercept?: (url: URL) => Response | Promise<Response> | undefined) {
  // Domains of other tests are not due.
  await env.DB.prepare('UPDATE sign_in_domains SET next_check_at = 8640000000000000').run()
  const here = await createWorkspace()
  const domain = `c${here.subscriptionId}.example`
  const answers: { intercept: typeof intercept } = { intercept: undefined }
  const provider = await stubProvider({
    issuer: `https://login.${domain}`,
    intercept: (url) => (url.hostname === 'cloudflare-dns.com' ? answers.intercept?.(url) : undefined),
  })
  await connectProvider(here, provider, { domain })
  answers.intercept = intercept
  const lookups = () => provider.requests.filter(({ url }) => url.includes('cloudflare-dns')).length
  return { here, domain, provider, lookups, start: readClock() }
}

test('a domain is looked up daily, and stays verified while its record is there', async () => {
  const { here, domain, lookups, start } = await prepare()
  const before = lookups()
  await check(start)
  expect(lookups()).toBe(before)
  for (let day = 1; day <= 5; day++) for (let n = 0; n < 2; n++) await check(start + day * DAY + day * 1_000 + n)
  expect(lookups()).toBe(before + 5)
  const { verifiedDomains, domainChecks } = await read(here)
  expect(verifiedDomains).toEqual([domain])
  expect(domainChecks).toEqual([
    { domain, checkedAt: new Date(start + 5 * DAY + 5_000).toISOString(), missingSince: null },
  ])
})

test('a record that is missing for three days ends the verification, with an event', async () => {
  const { here, domain, provider, start } = await prepare()
  provider.answers.txt = ['"v=spf1 -all"']
  const at = (day: number) => start + day * (DAY + 1_000)
  for (let day = 1; day <= 3; day++) await check(at(day))
  expect(await read(here)).toMatchObject({
    verifiedDomains: [domain],
    domainChecks: [{ domain, missingSince: new Date(at(1)).toISOString() }],
  })
  await check(at(4))
  expect(await read(here)).toMatchObject({ domains: [domain], verifiedDomains: [], domainChecks: [] })
  const { body } = await here.client<object[]>('GET', '/api/v2/events?type=sign_in_settings.updated&order=newest')
  expect(body.data[0]).toMatchObject({ data: { verifiedDomains: [] }, previous: { verifiedDomains: [domain] } })
  provider.answers.txt = [`"groundwork-verification=groundwork.test/${here.subscriptionId}"`]
  await here.client('PUT', SETTINGS, { json: { domains: [domain] } })
  expect((await read(here)).verifiedDomains).toEqual([domain])
})

test('a record that returns in time starts the count again', async () => {
  const { here, domain, provider, start } = await prepare()
  const record = provider.answers.txt
  for (let day = 1; day <= 9; day++) {
    provider.answers.txt = day % 3 === 0 ? record : []
    await check(start + day * (DAY + 1_000))
  }
  expect(await read(here)).toMatchObject({ verifiedDomains: [domain], domainChecks: [{ missingSince: null }] })
})

test.each([
  ['an error', () => new Response('', { status: 503 })],
  ['no JSON', () => new Response('<html>')],
  ['a failure of the name server', () => Response.json({ Status: 2 })],
  ['nothing', () => Promise.reject(new Error('refused'))],
])('a resolver that answers %s ends no verification', async (_, answer) => {
  const { here, domain, lookups, start } = await prepare(answer)
  const before = lookups()
  for (let hour = 24; hour < 24 * 8; hour += 2) await check(start + hour * 3_600_000 + hour * 1_000)
  expect(lookups()).toBeGreaterThan(before + 50)
  expect(await read(here)).toMatchObject({
    verifiedDomains: [domain],
    domainChecks: [{ checkedAt: null, missingSince: null }],
  })
})

test('a change of the settings keeps the checks of domains that stay', async () => {
  const { here, domain, provider, start } = await prepare()
  provider.answers.txt = []
  await check(start + DAY + 1_000)
  const { domainChecks } = await read(here)
  expect(domainChecks[0]?.missingSince).not.toBeNull()
  provider.answers.txt = [`"groundwork-verification=groundwork.test/${here.subscriptionId}"`]
  await here.client('PUT', SETTINGS, { json: { domains: [domain, `x${domain}`] } })
  expect((await read(here)).domainChecks).toEqual([
    ...domainChecks,
    { domain: `x${domain}`, checkedAt: null, missingSince: null },
  ])
})

test('a run looks up at most 20 domains, and a service without an address none', async () => {
  const { here, provider, lookups, start } = await prepare()
  const domains = Array.from({ length: 20 }, (_, n) => `d${n}-${here.subscriptionId}.example`)
  const other = await createWorkspace()
  await here.client('PUT', SETTINGS, { json: { domains } })
  provider.answers.txt = [`"groundwork-verification=groundwork.test/${other.subscriptionId}"`]
  await other.client('PUT', SETTINGS, {
    json: { domains: domains.map((name) => `o${name}`) },
  })
  const before = lookups()
  await check(start + 2 * DAY, { PUBLIC_URL: '' })
  expect(lookups()).toBe(before)
  await check(start + 2 * DAY)
  expect(lookups()).toBe(before + 20)
  await check(start + 2 * DAY)
  expect(lookups()).toBe(before + 40)
})
