import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { EVENT_DATA } from '../../../src/event-data'
import { signUnsubscribeToken } from '../../../src/http/link-token'
import { send } from '../../client'
import { acceptMailing, createSegment, fakeResend, MESSAGE, RESEND, simulateQueue } from '../mail/queue-simulation'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

type Space = Awaited<ReturnType<typeof createSegment>>

const ONE_CLICK = {
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  raw: 'List-Unsubscribe=One-Click',
}

const createLink = async (subscriptionId: number, emailId: number, position = 0) =>
  `/unsubscribe/${await signUnsubscribeToken(env.SIGNING_SECRETS, { subscriptionId, emailId, position })}`

async function createMailing(size: number) {
  const space = await createSegment(size)
  const { emailId } = await acceptMailing(space)
  return { ...space, emailId, link: await createLink(space.subscriptionId, emailId) }
}

async function openLink(method: string, path: string) {
  const { response, cost } = await send(method, path, method === 'POST' ? ONE_CLICK : {})
  return { status: response.status, text: await response.text(), cost, headers: response.headers }
}

async function listSuppressions({ subscriptionId }: Space) {
  const { results } = await env.DB.prepare(
    'SELECT email, segment_id FROM suppressions WHERE subscription_id = ? ORDER BY email, segment_id',
  )
    .bind(subscriptionId)
    .all()
  return results
}

async function addSecondSegment({ subscriptionId, row }: Space, name: string, fields: object = {}) {
  const stamps = { created_at: 0, updated_at: 0 }
  const segmentId = await row('segments', {
    subscription_id: subscriptionId,
    name,
    user_count: 1,
    ...stamps,
    ...fields,
  })
  await env.DB.prepare(
    "INSERT INTO segment_members SELECT ?1, ?2, id, 0 FROM users WHERE subscription_id = ?1 AND email = 'm0@example.com'",
  )
    .bind(subscriptionId, segmentId)
    .run()
  return segmentId
}

const ALL_FORM = '<form method="post" action="?all=true">'

test('the unsubscribe link asks on GET and acts once on POST, without a key', async () => {
  const space = await createMailing(2)
  const { client, segmentId, link } = space
  const asked = await openLink('GET', link)
  expect([asked.status, asked.cost.roundTrips, asked.headers.get('content-type')]).toEqual([
    200,
    1,
    'text/html; charset=utf-8',
  ])
  expect(asked.text).toContain('<form method="post">')
  expect(asked.text).toContain('m0@example.com')
  expect([await listSuppressions(space), asked.cost.rowsWritten]).toEqual([[], 0])

  for (let n = 0; n < 2; n++) {
    const done = await openLink('POST', link)
    expect([done.status, done.cost.roundTrips, done.cost.rowsWritten > 0]).toEqual([200, 1, n === 0])
    expect(done.text).toContain('m0@example.com gets no more of these e-mails.')
    expect(done.text).not.toContain('<form')
  }
  expect(await listSuppressions(space)).toEqual([{ email: 'm0@example.com', segment_id: segmentId }])
  // A repeated visit shows the result without a form.
  const again = await openLink('GET', link)
  expect(again.text).toContain('m0@example.com gets no more of these e-mails.')
  expect([again.text.includes('<form'), again.cost.rowsWritten]).toEqual([false, 0])
  const events = await client<{ data: object }[]>('GET', '/api/v2/events?type=member.unsubscribed')
  expect(events.body.data).toMatchObject([{ data: { email: 'm0@example.com', segmentId } }])
  expect(EVENT_DATA['member.unsubscribed'].strict().parse(events.body.data[0]?.data)).toEqual(events.body.data[0]?.data)
  const stored = await env.DB.prepare("SELECT * FROM log WHERE type = 'member.unsubscribed' AND subscription_id = ?")
    .bind(space.subscriptionId)
    .first()
  expect(JSON.stringify(stored)).not.toContain('@example.com')

  const next = await client('POST', `/api/v2/segments/${segmentId}/email`, { json: MESSAGE })
  expect(next.body.data).toEqual([{ email: 'm1@example.com' }])
})

test('the link in a mail is short, holds no address, and is the same in every attempt', async () => {
  const space = await createSegment(2)
  const { emailId, name } = await acceptMailing(space)
  const resend = fakeResend()
  const seen: string[][] = []
  resend.before = (batch) => {
    seen.push(batch.map(({ headers }) => headers['List-Unsubscribe'] ?? ''))
    return seen.length < 2 ? new Response('', { status: 429 }) : undefined
  }
  const simulation = simulateQueue(RESEND, resend.fetch)
  for (let n = 0; n < 2; n++) {
    await simulation.handle([{ kind: 'mail.chunk', ...name, chunk: 0 }])
    simulation.now += 3_600_000
  }
  const links = await Promise.all(
    [0, 1].map(async (n) => `<https://groundwork.test${await createLink(space.subscriptionId, emailId, n)}>`),
  )
  expect(seen).toEqual([links, links])
  for (const link of links) {
    const token = /unsubscribe\/(.+)>$/.exec(link)?.[1] ?? ''
    expect(token.length).toBeLessThan(80)
    const readable = token.split(/[.-]/).map((part) => {
      try {
        return atob(part.replaceAll('-', '+').replaceAll('_', '/'))
      } catch {
        return ''
      }
    })
    expect([token, ...readable].join()).not.toMatch(/example|m\d@/)
  }
})

test('the page lists the other segments with mail, and one click stops all mail', async () => {
  const space = await createMailing(1)
  const { client, segmentId, subscriptionId, link } = space
  const beta = await addSecondSegment(space, 'News <b>&</b> notes')
  await addSecondSegment(space, 'Alpha')
  await addSecondSegment(space, 'Removed', { deleted_at: 1 })
  const left = await addSecondSegment(space, 'Left before')
  await env.DB.prepare(
    "INSERT INTO suppressions (subscription_id, email, segment_id, reason, created_at) VALUES (?, 'm0@example.com', ?, 'unsubscribe', 0)",
  )
    .bind(subscriptionId, left)
    .run()
  await space.row('segments', { subscription_id: subscriptionId, name: 'Not a member', created_at: 0, updated_at: 0 })
  await addSecondSegment(await createSegment(1), 'Elsewhere')

  const others = 'You still get e-mails from other lists: Alpha, News &lt;b&gt;&amp;&lt;/b&gt; notes.'
  for (const method of ['GET', 'POST']) {
    const { text, cost } = await openLink(method, link)
    expect([method, text.includes(others), text.includes(ALL_FORM), cost.roundTrips]).toEqual([method, true, true, 1])
    for (const name of ['Removed', 'Left before', 'Not a member', 'Elsewhere', 'Beta']) expect(text).not.toContain(name)
  }
  expect(await listSuppressions(space)).toHaveLength(2)
  for (let n = 0; n < 2; n++) {
    const all = await openLink('POST', `${link}?all=true`)
    expect([all.status, all.cost.rowsWritten > 0]).toEqual([200, n === 0])
    expect(all.text).toContain('m0@example.com gets no more e-mails.')
    expect(all.text).not.toContain('<form')
  }
  expect(await listSuppressions(space)).toContainEqual({ email: 'm0@example.com', segment_id: 0 })
  expect((await openLink('GET', link)).text).not.toContain('still get')
  for (const segment of [segmentId, beta]) {
    expect((await client('POST', `/api/v2/segments/${segment}/email`, { json: MESSAGE })).body.data).toEqual([])
  }
})

test('the page lists at most ten other segments', async () => {
  const space = await createMailing(1)
  for (let n = 0; n < 10; n++) await addSecondSegment(space, `List ${n}`)
  expect((await openLink('GET', space.link)).text).toContain('List 8, List 9.')
  await addSecondSegment(space, 'List last')
  const { text } = await openLink('GET', space.link)
  expect(text).toContain('List 9 and others.')
  expect(text).not.toContain('List last')
})

test('only all=true stops all mail, and so does the link of a mailing without a segment', async () => {
  const space = await createMailing(1)
  for (const query of ['?all=false', '?all', '?all=1', '?utm_source=mail']) {
    expect((await openLink('POST', `${space.link}${query}`)).status).toBe(200)
  }
  expect(await listSuppressions(space)).toEqual([{ email: 'm0@example.com', segment_id: space.segmentId }])

  await addSecondSegment(space, 'Alpha')
  await env.DB.prepare('UPDATE emails SET segment_id = NULL WHERE id = ?').bind(space.emailId).run()
  expect((await openLink('GET', space.link)).text).not.toContain('still get')
  await openLink('POST', space.link)
  expect(await listSuppressions(space)).toContainEqual({ email: 'm0@example.com', segment_id: 0 })
})

test.each([
  ['the recipient', 'DELETE FROM email_recipients WHERE subscription_id = ?'],
  ['the mailing', 'DELETE FROM emails WHERE subscription_id = ?'],
  ['the person', "DELETE FROM users WHERE email LIKE 'm_@%' AND subscription_id = ?"],
])('the link answers 410 without names or writes when %s is no longer stored', async (_, forget) => {
  const space = await createMailing(1)
  await env.DB.prepare(forget).bind(space.subscriptionId).run()
  for (const [method, query] of [
    ['GET', ''],
    ['POST', ''],
    ['POST', '?all=true'],
  ] as const) {
    const { status, text, cost } = await openLink(method, space.link + query)
    expect([method, status, cost.roundTrips, cost.rowsWritten]).toEqual([method, 410, 1, 0])
    expect(text).toContain('no longer stored')
    expect(text).not.toMatch(/example\.com|<form/)
  }
  expect(await listSuppressions(space)).toEqual([])
})

test('a removed, renamed or recreated person can still unsubscribe', async () => {
  for (const change of [
    'UPDATE users SET deleted_at = 1 WHERE',
    "UPDATE users SET email = 'new@example.com' WHERE",
    'UPDATE users SET id = 1000000 + id WHERE',
  ]) {
    const space = await createMailing(1)
    await env.DB.prepare(`${change} subscription_id = ? AND email = 'm0@example.com'`).bind(space.subscriptionId).run()
    const done = await openLink('POST', space.link)
    expect([change, done.status]).toEqual([change, 200])
    expect(done.text).not.toContain('new@example.com')
    const emails = ['m0@example.com', ...(change.includes('new@') ? ['new@example.com'] : [])]
    expect(await listSuppressions(space)).toEqual(emails.map((email) => ({ email, segment_id: space.segmentId })))
    const events = await space.client<object[]>('GET', '/api/v2/events?type=member.unsubscribed')
    expect(events.body.data).toHaveLength(1)
    expect(JSON.stringify(events.body.data)).not.toContain('new@example.com')
  }
})

test('a forged unsubscribe token does nothing and reveals nothing', async () => {
  const space = await createMailing(2)
  const { subscriptionId, emailId, key } = space
  const link = { subscriptionId, emailId, position: 0 }
  const token = await signUnsubscribeToken(env.SIGNING_SECRETS, link)
  const signature = token.split('.')[1] ?? ''
  const other = env.SIGNING_SECRETS.replaceAll(/:[^,]+/g, `:${btoa('another secret of thirty-two bytes!')}`)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const tokens = [
    'nonsense',
    '%00',
    `${subscriptionId}-${emailId}-0.`,
    `${subscriptionId}-${emailId}-1.${signature}`,
    `${subscriptionId}-${emailId + 1}-0.${signature}`,
    `${subscriptionId + 1}-${emailId}-0.${signature}`,
    `${subscriptionId}-${emailId}-00.${signature}`,
    `0${token}`,
    `${token}=`,
    token.slice(0, -1),
    ...[...alphabet].map((letter) => token.slice(0, -1) + letter).filter((spelling) => spelling !== token),
    await signUnsubscribeToken(other, link),
    (await key()).replace('Bearer ', ''),
  ]
  for (const bad of tokens) {
    for (const method of ['GET', 'POST']) {
      const { status, text, cost } = await openLink(method, `/unsubscribe/${bad}`)
      expect([bad, method, status, cost.roundTrips]).toEqual([bad, method, 404, 0])
      expect(text).not.toContain('example.com')
    }
  }
  const { response } = await send('GET', '/api/initiatives', { apiKey: `Bearer ${token}` })
  expect(response.status).toBe(401)
  expect(await listSuppressions(space)).toEqual([])

  const older = await signUnsubscribeToken(env.SIGNING_SECRETS.split(',').reverse().join(), link)
  expect((await openLink('GET', `/unsubscribe/${older}`)).status).toBe(200)
})

test('the unsubscribe page shows an address as text', async () => {
  const { subscriptionId, link } = await createMailing(1)
  await env.DB.prepare('UPDATE email_recipients SET email = ? WHERE subscription_id = ?')
    .bind(`"<img src=x onerror='alert(1)'>"@example.com`, subscriptionId)
    .run()
  for (const method of ['GET', 'POST']) {
    const { text, headers } = await openLink(method, link)
    expect(text).not.toContain('<img')
    expect(text).toContain('&lt;img src=x onerror=&#39;alert(1)&#39;&gt;')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  }
})

test('the pages of the link are not cached, allow no frames or scripts, and refuse other methods', async () => {
  const { link: path } = await createMailing(1)
  for (const [method, at, status] of [
    ['GET', path, 200],
    ['POST', path, 200],
    ['POST', `${path}?all=true`, 200],
    ['HEAD', path, 200],
    ['GET', '/unsubscribe/nonsense', 404],
    ['POST', `${path}.${'x'.repeat(5000)}`, 404],
  ] as const) {
    const { response } = await send(method, at)
    const headers = ['content-type', 'cache-control', 'referrer-policy', 'content-security-policy', 'x-request-id']
    const headerValues = headers.map((name) => response.headers.get(name))
    expect([method, response.status, ...headerValues]).toEqual([
      method,
      status,
      'text/html; charset=utf-8',
      'no-store',
      'no-referrer',
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      expect.any(String),
    ])
    expect((await response.text()).startsWith('<!doctype html>')).toBe(method !== 'HEAD')
  }
  const { response } = await send('DELETE', path)
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST, HEAD'])
})

test('the page lists dynamic segments with the person too, in a second round trip', async () => {
  const space = await createMailing(1)
  const { client, subscriptionId, link } = space
  await env.DB.prepare(
    `UPDATE users SET attributes = '{"plan":"pro"}' WHERE subscription_id = ? AND email = 'm0@example.com'`,
  )
    .bind(subscriptionId)
    .run()
  const dynamic = async (name: string, value: string) => {
    const rules = { match: 'all', conditions: [{ attribute: 'attributes.plan', operator: 'eq', value }] }
    return (await client<{ id: number }>('POST', '/api/v2/segments', { json: { name, type: 'dynamic', rules } })).body
      .data.id
  }
  await addSecondSegment(space, 'News')
  await dynamic('On pro', 'pro')
  await dynamic('On free', 'free')
  const left = await dynamic('Left before', 'pro')
  await client('POST', '/api/v2/suppressions', { json: { email: 'm0@example.com', segmentId: left } })
  for (const method of ['GET', 'POST']) {
    const { text, cost } = await openLink(method, link)
    expect([method, text.includes('You still get e-mails from other lists: News, On pro.'), cost.roundTrips]).toEqual([
      method,
      true,
      2,
    ])
  }
})

test('the link of a test mail stops nothing, and the link of a mailing without segment means all mail', async () => {
  const space = await createSegment(1)
  const { subscriptionId } = space
  const to = { to: ['m0@example.com', 'stranger@example.com'] }
  const tested = await acceptMailing(space, RESEND, to, '/api/v2/emails/test')
  for (const method of ['GET', 'POST']) {
    for (const position of [0, 1]) {
      const { status, text, cost } = await openLink(method, await createLink(subscriptionId, tested.emailId, position))
      expect([status, text.includes('This was a test'), text.includes('<form'), cost.rowsWritten]).toEqual([
        200,
        true,
        false,
        0,
      ])
    }
  }
  expect(await listSuppressions(space)).toEqual([])
  const chosen = await acceptMailing(space, RESEND, { emails: ['m0@example.com'] }, '/api/v2/segments/email-members')
  const link = await createLink(subscriptionId, chosen.emailId)
  expect((await openLink('GET', link)).text).toContain('Do you want to stop all e-mails to m0@example.com?')
  expect((await openLink('POST', link)).text).toContain('m0@example.com gets no more e-mails.')
  expect(await listSuppressions(space)).toEqual([{ email: 'm0@example.com', segment_id: 0 }])
})
