import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { deriveSignInCodes, deriveSignInTokens } from '../../src/http/sign-in-token'
import { call, send } from '../client'
import { createWorkspace } from '../factories'
import { createUniqueId } from '../unique'
import { begin, claimsFor, comeBack, connectProvider, stubProvider } from '../workspace/sessions/stub-provider'
import { HOSTILE_TARGETS } from './hostile'

afterEach(() => {
  vi.restoreAllMocks()
})

const SAME_SITE = { 'sec-fetch-site': 'same-origin' }
const post = async (path: string, fields: Record<string, string>) =>
  (await send('POST', path, { raw: new URLSearchParams(fields), headers: SAME_SITE })).response
const show = async (path: string) => (await send('GET', path)).response.text()

const nextFields = (html: string) => Array.from(html.matchAll(/name="next" value="([^"]*)"/g), ([, value]) => value)
const linkedTargets = (html: string) =>
  Array.from(
    html.matchAll(/href="([^"]*)"/g),
    ([, href = '']) => new URL(href.replaceAll('&amp;', '&'), 'https://groundwork.test'),
  ).filter((url) => url.pathname.startsWith('/sign-in'))

async function createPerson() {
  const here = await createWorkspace()
  const email = `${createUniqueId()}@example.com`
  await here.client('POST', '/api/v2/users', { json: { email, role: 'member' } })
  return { here, email }
}

async function askForSecrets({ here, email }: Awaited<ReturnType<typeof createPerson>>) {
  await env.DB.prepare('DELETE FROM sign_ins WHERE subscription_id = ?').bind(here.subscriptionId).run()
  await call('POST', '/api/v2/sign-in', { json: { email } })
  const nonce = await env.DB.prepare('SELECT nonce FROM sign_ins WHERE subscription_id = ?')
    .bind(here.subscriptionId)
    .first<string>('nonce')
  const [[code = ''], [token = '']] = await Promise.all([
    deriveSignInCodes(env.SIGNING_SECRETS, String(nonce)),
    deriveSignInTokens(env.SIGNING_SECRETS, String(nonce)),
  ])
  return { code, token }
}

/** Every way in that takes `next`; each returns where it leads to. */
const DOORS: Record<string, (next: string, person: Awaited<ReturnType<typeof createPerson>>) => Promise<unknown[]>> = {
  'the page for the address': async (next) => nextFields(await show(`/sign-in?${new URLSearchParams({ next })}`)),
  'the page for the code': async (next) => {
    const html = await (await post('/sign-in', { email: `${createUniqueId()}@example.com`, next })).text()
    return [...nextFields(html), ...linkedTargets(html).map((url) => url.searchParams.get('next'))]
  },
  'a wrong code': async (next, { email }) => {
    const html = await (await post('/sign-in/code', { email, code: 'x', next })).text()
    return [...nextFields(html), ...linkedTargets(html).map((url) => url.searchParams.get('next'))]
  },
  'a code': async (next, person) => {
    const { code } = await askForSecrets(person)
    return [(await post('/sign-in/code', { email: person.email, code, next })).headers.get('location')]
  },
  'a link': async (next, person) => {
    const { token } = await askForSecrets(person)
    const html = await show(`/sign-in/${token}?${new URLSearchParams({ next })}`)
    return [...nextFields(html), (await post(`/sign-in/${token}`, { next })).headers.get('location')]
  },
  'a link that has ended': async (next) => {
    const html = await show(
      `/sign-in/00000000-0000-0000-0000-000000000000.${'A'.repeat(43)}?${new URLSearchParams({ next })}`,
    )
    return linkedTargets(html).map((url) => url.searchParams.get('next'))
  },
}

test.each(Object.entries(DOORS))('%s leads to no other site', async (_, open) => {
  const person = await createPerson()
  const good = await open('/p/ideas?sort=new', person)
  expect(good.length).toBeGreaterThan(0)
  for (const target of good) expect(target).toBe('/p/ideas?sort=new')
  for (const next of HOSTILE_TARGETS) {
    const targets = await open(next, person)
    expect([next, targets]).toEqual([next, targets.map(() => '/')])
    expect(targets).toHaveLength(good.length)
  }
})

test('a provider leads back to no other site', async () => {
  const here = await createWorkspace()
  const domain = `r${here.subscriptionId}.example`
  const provider = await stubProvider({ issuer: `https://login.${domain}` })
  await connectProvider(here, provider, { domain })
  const email = `ada@${domain}`
  for (const next of ['/p/ideas', ...HOSTILE_TARGETS]) {
    const page = await (await post('/sign-in', { email, next })).text()
    const expected = next === '/p/ideas' ? next : '/'
    expect([next, linkedTargets(page).map((url) => url.searchParams.get('next'))]).toEqual([next, [expected]])
    const began = await begin(email, next)
    provider.answers.idToken = await provider.signToken(claimsFor(provider, began, email))
    const { response } = await comeBack(began)
    expect([next, response.headers.get('location')]).toEqual([next, expected])
  }
})
