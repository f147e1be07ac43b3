import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { deriveSignInCodes, deriveSignInTokens } from '../../../src/http/sign-in-token'
import { call, send } from '../../client'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { fakeResend, RESEND, simulateQueue } from '../../people/mail/queue-simulation'
import { createUniqueId } from '../../unique'

const address = () => `${createUniqueId()}@example.com`
// A browser sends these with a form of a page without a referrer.
const SAME_SITE = { 'sec-fetch-site': 'same-origin', origin: 'null' }

async function createPerson({ client }: Workspace, email: string, role = 'member') {
  return (await client<{ id: number }>('POST', '/api/v2/users', { json: { email, role } })).body.data.id
}

const ask = (email: string) => call<object>('POST', '/api/v2/sign-in', { json: { email } })

interface SignedIn {
  signedIn: boolean
  workspaces: { id: number; name: string; role: string }[]
}

const tryCode = (email: string, code: string, workspaceId?: number) =>
  call<SignedIn>('POST', '/api/v2/sign-in/code', { json: { email, code, ...(workspaceId && { workspaceId }) } })

/** The code and the link of the mail, computed as the mail computes them. */
async function readMail({ subscriptionId }: Workspace) {
  const row = await env.DB.prepare(
    `SELECT variables FROM email_recipients WHERE subscription_id = ? ORDER BY email_id DESC LIMIT 1`,
  )
    .bind(subscriptionId)
    .first<string>('variables')
  const { signIn: nonce } = JSON.parse(row ?? '{}') as { signIn: string }
  const [code = ''] = await deriveSignInCodes(env.SIGNING_SECRETS, nonce)
  const [token = ''] = await deriveSignInTokens(env.SIGNING_SECRETS, nonce)
  return { code, token, nonce }
}

const otherCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

async function prepare(role = 'member') {
  const here = await createWorkspace()
  const email = address()
  const userId = await createPerson(here, email, role)
  expect((await ask(email)).status).toBe(200)
  return { here, email, userId, ...(await readMail(here)) }
}

const cookieOf = (answer: { headers: Headers }) => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''

test('a person signs in with the code of a mail, with the scopes of the role', async () => {
  const { here, email, userId, code } = await prepare('viewer')
  const answer = await tryCode(email, code)
  expect(answer.body.data).toEqual({
    signedIn: true,
    workspaces: [{ id: here.subscriptionId, name: 'Test', role: 'viewer' }],
  })
  expect(answer.headers.get('set-cookie')).toMatch(/; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const headers = { cookie: cookieOf(answer) }
  const me = await call<{ user: { id: number }; scopes: string[] }>('GET', '/api/v2/me', { headers })
  expect(me.body.data).toMatchObject({ user: { id: userId }, scopes: expect.arrayContaining(['backlog:read']) })
  const { body } = await here.client<{ type: string; actor: object; data: object }[]>(
    'GET',
    '/api/v2/events?type=session.*',
  )
  expect(body.data).toMatchObject([{ type: 'session.created', actor: { userId }, data: { userId } }])
})

test('the mail has the code and the link, goes to suppressed addresses too, and shows neither to a key', async () => {
  const { here, email, code, token } = await prepare()
  const provider = fakeResend()
  const simulation = simulateQueue(RESEND, provider.fetch)
  await here.client('POST', '/api/v2/suppressions', { json: { email } })
  const { subscriptionId } = here
  const randomName = await env.DB.prepare("SELECT reference FROM emails WHERE subscription_id = ? AND kind = 'sign_in'")
    .bind(subscriptionId)
    .first<string>('reference')
  simulation.now = readClock()
  simulation.enqueue({ kind: 'mail.accepted', subscriptionId, randomName: String(randomName) })
  while (simulation.queue.some(({ due }) => due <= simulation.now)) await simulation.step()
  const [mail] = provider.accepted.filter(({ to }) => to.includes(email))
  expect(mail?.html).toContain(code)
  expect(mail?.html).toContain(`/sign-in/${token}?next=%2F`)
  expect(mail?.headers['List-Unsubscribe']).toBeUndefined()
  const { body } = await here.client<{ id: number; kind: string }[]>('GET', '/api/v2/emails?kind=sign_in')
  const shown = await here.client('GET', `/api/v2/emails/${body.data[0]?.id}/recipients/0`)
  expect(JSON.stringify(shown.body)).not.toContain(code)
  expect(JSON.stringify(shown.body)).not.toContain(token)
})

test('a workspace of a person cannot cancel the mail that signs the person in', async () => {
  const { here } = await prepare()
  const { body } = await here.client<{ id: number }[]>('GET', '/api/v2/emails?kind=sign_in')
  const path = `/api/v2/emails/${body.data[0]?.id}`
  expect((await here.client('POST', `${path}/cancel`)).status).toBe(409)
  expect((await here.client('GET', path)).body.data).toMatchObject({ status: 'queued' })
})

test('only `npm start` without a mail service shows the code, to a key with every scope', async () => {
  const { here, code } = await prepare()
  const { body } = await here.client<{ id: number }[]>('GET', '/api/v2/emails?kind=sign_in')
  const path = `/api/v2/emails/${body.data[0]?.id}/recipients/0`
  const local = { MAIL_PROVIDER: 'outbox', LOCAL_URL: 'http://localhost:8787' }
  const text = async (options: object) => JSON.stringify((await here.client('GET', path, options)).body)
  expect(await text({ env: local })).toContain(code)
  expect(await text({ env: { ...local, LOCAL_URL: undefined } })).not.toContain(code)
  expect(await text({ env: { ...local, MAIL_PROVIDER: 'resend' } })).not.toContain(code)
  expect(await text({ env: local, apiKey: await here.key({ scopes: ['mail:read'] }) })).not.toContain(code)
})

test('the answer does not tell whether an address is known', async () => {
  const here = await createWorkspace()
  const [known, visitor, unknown] = [address(), address(), address()]
  await createPerson(here, known)
  await createPerson(here, visitor, 'idm_member')
  const normal = ({ status, headers, body, cost }: Awaited<ReturnType<typeof ask>>) => {
    const kept = [...headers].filter(([name]) => !['x-request-id', 'server-timing', 'x-d1-bookmark'].includes(name))
    return { status, headers: kept, body, trips: cost.roundTrips, statements: cost.statements }
  }
  for (let n = 0; n < 6; n++) {
    const answers = [await ask(known), await ask(visitor), await ask(unknown)].map(normal)
    const [first, ...others] = answers.map((one) => ({ ...one, body: { ...one.body, error: one.body.error?.code } }))
    for (const other of others) expect(other).toEqual(first)
    expect(first?.status).toBe(n < 5 ? 200 : 429)
  }
  const mails = await here.client<object[]>('GET', '/api/v2/emails?kind=sign_in')
  expect(mails.body.data).toHaveLength(5)
  const wrong = async (email: string) => normal(await tryCode(email, '000000'))
  const [one, two, three] = [await wrong(known), await wrong(unknown), await wrong(address())]
  const strip = ({ body, ...rest }: typeof one) => ({ ...rest, code: body.error?.code })
  expect(strip(two)).toEqual(strip(one))
  expect(strip(three)).toEqual(strip(one))
})

test('a code takes five tries, also in parallel', async () => {
  const { email, code } = await prepare()
  const wrong = await Promise.all(Array.from({ length: 5 }, () => tryCode(email, otherCode(code))))
  expect(wrong.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
  expect((await tryCode(email, code)).status).toBe(401)
})

test('a code and a link work once, also in parallel', async () => {
  const { here, email, code, token } = await prepare()
  const answers = await Promise.all([tryCode(email, code), tryCode(email, code)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
  expect((await tryCode(email, code)).status).toBe(401)
  expect((await send('GET', `/sign-in/${token}`)).response.status).toBe(410)
  const sessions = await env.DB.prepare(
    "SELECT count(*) AS n FROM api_keys WHERE subscription_id = ? AND kind = 'session'",
  )
    .bind(here.subscriptionId)
    .first('n')
  expect(sessions).toBe(1)
})

test('a code ends after ten minutes, and with the next mail', async () => {
  const { here, email, code, nonce } = await prepare()
  await env.DB.prepare('UPDATE sign_ins SET expires_at = ? WHERE nonce = ?').bind(readClock(), nonce).run()
  expect((await tryCode(email, code)).status).toBe(401)
  await ask(email)
  const next = await readMail(here)
  if (next.code !== code) expect((await tryCode(email, code)).status).toBe(401)
  expect((await tryCode(email, next.code)).status).toBe(200)
})

test('a code belongs to its address, and an ended role signs in nowhere', async () => {
  const { here, email, userId, code } = await prepare()
  const other = address()
  await createPerson(here, other)
  expect((await tryCode(other, code)).status).toBe(401)
  await here.client('PUT', `/api/v2/users/${userId}`, { json: { role: 'idm_member' } })
  expect((await tryCode(email, code)).status).toBe(401)
})

test('a person of several workspaces chooses one', async () => {
  const { here, email, code } = await prepare()
  const second = await createWorkspace()
  await createPerson(second, email, 'admin')
  const third = await createWorkspace()
  await createPerson(third, email, 'idm_member')
  for (let n = 0; n < 6; n++) {
    const listed = await tryCode(email, code)
    expect(listed.headers.get('set-cookie')).toBeNull()
    expect(listed.body.data).toEqual({
      signedIn: false,
      workspaces: [
        { id: here.subscriptionId, name: 'Test', role: 'member' },
        { id: second.subscriptionId, name: 'Test', role: 'admin' },
      ],
    })
  }
  expect((await tryCode(email, code, third.subscriptionId)).status).toBe(401)
  const chosen = await tryCode(email, code, second.subscriptionId)
  expect(chosen.body.data).toEqual({
    signedIn: true,
    workspaces: [{ id: second.subscriptionId, name: 'Test', role: 'admin' }],
  })
})

const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = SAME_SITE) =>
  send('POST', path, { raw: new URLSearchParams(fields), headers })

test('the pages sign in without scripts, by the code and by the link', async () => {
  const { here, email, code, token } = await prepare()
  const form = await post('/sign-in', { email: address(), next: '/p/ideas' })
  expect(await form.response.text()).toContain('name="next" value="/p/ideas"')
  const signedIn = await post('/sign-in/code', { email, code, next: '/p/ideas?sort=new' })
  expect([signedIn.response.status, signedIn.response.headers.get('location')]).toEqual([303, '/p/ideas?sort=new'])
  expect(signedIn.response.headers.get('set-cookie')).toContain('__Host-groundwork-session=')
  const used = await post('/sign-in/code', { email, code, next: '/' })
  expect(used.response.status).toBe(400)
  await ask(email)
  const mail = await readMail(here)
  expect(mail.token).not.toBe(token)
  // A scanner opens the link.
  for (let n = 0; n < 3; n++)
    expect(await (await send('GET', `/sign-in/${mail.token}?next=/p/ideas`)).response.text()).toContain(
      `Sign in as ${email}?`,
    )
  const followed = await post(`/sign-in/${mail.token}`, { next: '/p/ideas' })
  expect([followed.response.status, followed.response.headers.get('location')]).toEqual([303, '/p/ideas'])
  expect((await post(`/sign-in/${mail.token}`, { next: '/' })).response.status).toBe(410)
  const forged = mail.token.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))
  expect((await send('GET', `/sign-in/${forged}`)).response.status).toBe(410)
})

test('pages of other sites neither send mails nor sign in', async () => {
  const { email, code, token } = await prepare()
  const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  for (const [path, fields] of [
    ['/sign-in', { email, next: '/' }],
    ['/sign-in/code', { email, code, next: '/' }],
    [`/sign-in/${token}`, { next: '/' }],
  ] as const) {
    for (const headers of [foreign, { origin: 'https://evil.example' }, {}]) {
      const { response, cost } = await post(path, fields, headers)
      expect([path, response.status, cost.roundTrips]).toEqual([path, 403, 0])
    }
  }
  for (const path of ['/api/v2/sign-in', '/api/v2/sign-in/code']) {
    const answer = await call('POST', path, { json: { email, code }, headers: foreign })
    expect([path, answer.status, answer.cost.roundTrips]).toEqual([path, 403, 0])
  }
  expect((await tryCode(email, code)).status).toBe(200)
})

test('a sign-in goes to a path of this service only', async () => {
  for (const next of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/\t/evil.example',
    'javascript:x',
    '/a\\b',
  ]) {
    const { email, code } = await prepare()
    const { response } = await post('/sign-in/code', { email, code, next })
    expect([next, response.headers.get('location')]).toEqual([next, '/'])
    expect((await call('POST', '/api/v2/sign-in', { json: { email, next } })).status).toBe(400)
  }
})

test('each sign-in has a token of its own, and a planted cookie is worth nothing', async () => {
  const { here, email, code } = await prepare()
  const planted = (await here.session()).headers.cookie
  const first = await send('POST', '/sign-in/code', {
    raw: new URLSearchParams({ email, code, next: '/' }),
    headers: { ...SAME_SITE, cookie: planted },
  })
  const one = (first.response.headers.get('set-cookie') ?? '').split(';')[0]
  await ask(email)
  const two = cookieOf(await tryCode(email, (await readMail(here)).code))
  expect(new Set([planted, one, two]).size).toBe(3)
})

test('a change of the role by an import ends the sessions', async () => {
  const { here, email, userId, code } = await prepare('viewer')
  const headers = { cookie: cookieOf(await tryCode(email, code)) }
  expect((await call('GET', '/api/v2/me', { headers })).status).toBe(200)
  await env.DB.prepare("UPDATE users SET role = 'member', updated_at = ? WHERE id = ?")
    .bind(readClock() - 1, userId)
    .run()
  expect((await call('GET', '/api/v2/me', { headers })).status).toBe(401)
  expect(here.subscriptionId).toBeGreaterThan(0)
})

test('the database holds neither the address nor the code', async () => {
  const { email, code } = await prepare()
  const { results } = await env.DB.prepare('SELECT * FROM sign_ins').all()
  expect(results.length).toBeGreaterThan(0)
  expect(JSON.stringify(results)).not.toContain(email)
  expect(results.flatMap((row) => Object.values(row).map(String))).not.toContain(code)
})

async function openPortal(here: Workspace, settings: object = {}) {
  const slug = `ideas-${here.subscriptionId}`
  const { externalKey } = here.product
  const saved = await here.client('PUT', '/api/v2/settings/portal', {
    json: { slug, products: [externalKey], ...settings },
  })
  expect(saved.status).toBe(200)
  return slug
}

test('a visitor signs in to a portal with a code, and becomes a member with the code only', async () => {
  const here = await createWorkspace()
  const portal = await openPortal(here)
  const email = address()
  const countPeople = async () => (await here.client<object[]>('GET', `/api/v2/users?email=${email}`)).body.data.length
  const asked = await call('POST', '/api/v2/sign-in', { json: { email, portal } })
  const { code, token } = await readMail(here)
  expect([asked.status, await countPeople()]).toEqual([200, 0])
  expect((await tryCode(email, code)).status).toBe(401)
  expect((await send('GET', `/sign-in/${token}`)).response.status).toBe(410)
  const { response } = await post('/sign-in/code', { email, code, portal, next: `/p/${portal}` })
  expect([response.status, response.headers.get('location'), await countPeople()]).toEqual([303, `/p/${portal}`, 1])
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  expect((await call<object[]>('GET', '/api/v2/sessions', { headers: { cookie } })).body.data).toHaveLength(1)
  expect((await call('GET', '/api/v2/feedback-statuses', { headers: { cookie } })).status).not.toBe(200)
  const { body } = await here.client<{ type: string }[]>('GET', '/api/v2/events?order=newest')
  expect(body.data.map(({ type }) => type).slice(0, 2)).toEqual(['session.created', 'member.created'])
  expect((await post('/sign-in/code', { email, code, portal, next: '/' })).response.status).toBe(400)
})

test('a portal for members mails and admits known people only, with the same answer', async () => {
  const here = await createWorkspace()
  const portal = await openPortal(here, { signUp: 'members' })
  const [known, unknown] = [address(), address()]
  await createPerson(here, known, 'idm_member')
  const answers = [known, unknown].map((email) => call('POST', '/api/v2/sign-in', { json: { email, portal } }))
  const [one, two] = await Promise.all(answers)
  expect([one?.status, one?.body, one?.cost.statements]).toEqual([two?.status, two?.body, two?.cost.statements])
  const mails = await here.client<object[]>('GET', '/api/v2/emails?kind=sign_in')
  expect(mails.body.data).toHaveLength(1)
  const { code } = await readMail(here)
  const json = { email: known, code, portal }
  expect((await call('POST', '/api/v2/sign-in/code', { json: { ...json, portal: 'other' } })).status).toBe(401)
  expect((await call('POST', '/api/v2/sign-in/code', { json })).status).toBe(200)
})

test('a code and a link outlive a new signing secret', async () => {
  const rotated = {
    env: { SIGNING_SECRETS: `later:${btoa('a-secret-that-comes-later-0000001')},${env.SIGNING_SECRETS}` },
  }
  const [first, second] = [await prepare(), await prepare()]
  const sent = await call('POST', '/api/v2/sign-in/code', {
    json: { email: first.email, code: first.code },
    ...rotated,
  })
  expect(sent.status).toBe(200)
  const page = await send('GET', `/sign-in/${second.token}`, rotated)
  expect([page.response.status, await page.response.text()]).toEqual([200, expect.stringContaining(second.email)])
  const foreign = { env: { SIGNING_SECRETS: `later:${btoa('a-secret-that-comes-later-0000001')}` } }
  expect((await send('GET', `/sign-in/${second.token}`, foreign)).response.status).toBe(410)
})
