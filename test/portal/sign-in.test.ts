import { expect, test } from 'vitest'
import { createUniqueId } from '../unique'
import { createIdea, openBoard, post, readCode, show, signIn } from './visitors'

const mailTo = () => `${createUniqueId()}@example.com`
const cookieOf = (headers: Headers) => headers.get('set-cookie')?.split(';')[0] ?? ''

test('a customer signs in with the code of the mail, and signs out', async () => {
  const board = await openBoard()
  const key = await createIdea(board, 'Dark theme')
  const returnTo = `${board.path}/ideas/${key}`
  const page = await show(`${board.path}/sign-in?return=${encodeURIComponent(returnTo)}`)
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  const email = mailTo()
  const sent = await post(`${board.path}/sign-in`, { email: ` ${email.toUpperCase()}`, return: returnTo })
  expect([sent.status, sent.html.includes(`If ${email} may sign in here`)]).toEqual([200, true])
  const code = await readCode()
  const wrong = await post(`${board.path}/sign-in/code`, {
    email,
    code: code === '123456' ? '1' : '123456',
    return: returnTo,
  })
  expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([400, null])
  expect(wrong.html).toContain('This code is wrong or has expired.')
  expect(wrong.html).toContain(`value="${returnTo}"`)
  const done = await post(`${board.path}/sign-in/code`, { email, code: ` ${code} `, return: returnTo })
  expect([done.status, done.location]).toEqual([303, returnTo])
  expect(done.headers.get('set-cookie')).toMatch(/^__Host-.*HttpOnly; Secure; SameSite=Lax$/)
  const cookie = cookieOf(done.headers)
  expect((await show(returnTo, { cookie })).html).toContain(`Account of ${email}`)
  expect((await show(returnTo)).html).not.toContain('Account of')
  const again = await post(`${board.path}/sign-in/code`, { email, code, return: returnTo })
  expect(again.status).toBe(400)
  const out = await post(`${board.path}/sign-out`, {}, { cookie })
  expect([out.status, out.location, cookieOf(out.headers)]).toEqual([303, board.path, '__Host-groundwork-session='])
  const ended = await show(`${returnTo}?x=1`, { cookie })
  expect([ended.status, ended.headers.get('location')]).toEqual([303, `${returnTo}?x=1`])
  expect(cookieOf(ended.headers)).toBe('__Host-groundwork-session=')
})

test('a vote without a session asks for the sign-in, and counts after it', async () => {
  const board = await openBoard()
  const key = await createIdea(board, 'Dark theme')
  const asked = await post(`${board.path}/de/ideas/${key}/vote`, { type: 'up', return: `${board.path}/de?sort=top` })
  const query = new URLSearchParams({ return: `${board.path}/de?sort=top`, vote: key })
  expect([asked.status, asked.location]).toEqual([303, `${board.path}/de/sign-in?${query}`])
  const page = await show(asked.location ?? '')
  expect(page.html).toContain('Ihre Stimme zählt')
  expect(page.html).toContain(`name="vote" value="${key}"`)
  expect((await show(board.path)).html).toContain('data-votes="0"')
  const email = mailTo()
  const fields = { email, return: `${board.path}/de?sort=top`, vote: key }
  await post(`${board.path}/de/sign-in`, fields)
  const done = await post(`${board.path}/de/sign-in/code`, { ...fields, code: await readCode() })
  expect([done.status, done.location]).toEqual([303, `${board.path}/de?sort=top`])
  expect((await show(board.path)).html).toContain('data-votes="1"')
  const other = { email, return: board.path, vote: 'IDEA-99999' }
  await post(`${board.path}/sign-in`, other)
  expect((await post(`${board.path}/sign-in/code`, { ...other, code: await readCode() })).status).toBe(303)
})

test.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/p/another', '/sign-in', '/api/v2/members'])(
  'a sign-in that should lead to %s leads to the portal',
  async (target) => {
    const board = await openBoard()
    const { html } = await show(`${board.path}/sign-in?return=${encodeURIComponent(target)}`)
    expect(html).toContain(`name="return" value="${board.path}"`)
    const email = mailTo()
    await post(`${board.path}/sign-in`, { email, return: target })
    const done = await post(`${board.path}/sign-in/code`, { email, return: target, code: await readCode() })
    expect([done.status, done.location]).toEqual([303, board.path])
    const { headers } = await signIn(board, 'Ada')
    const key = await createIdea(board, 'Dark theme')
    const voted = await post(`${board.path}/ideas/${key}/vote`, { type: 'up', return: target }, headers)
    expect(voted.location).toBe(board.path)
  },
)

test('the answer does not say whether an address is known, and mails to an address are limited', async () => {
  const board = await openBoard({ signUp: 'members' })
  const { email } = await signIn(board, 'Ada')
  const answers: string[] = []
  for (const address of [email, mailTo()])
    answers.push((await post(`${board.path}/sign-in`, { email: address })).html.replaceAll(address, 'X'))
  expect(answers[0]).toBe(answers[1])
  for (let n = 1; n < 5; n++) await post(`${board.path}/sign-in`, { email })
  const sixth = await post(`${board.path}/sign-in`, { email })
  expect([sixth.status, sixth.html.includes('Too many mails to this address')]).toEqual([429, true])
  const none = await post(`${board.path}/sign-in`, { email: 'nobody' })
  expect([none.status, none.html.includes('value="nobody"')]).toEqual([400, true])
  expect(none.html).toContain('Write an address like you@company.com.')
})

test('strangers sign in to a private portal, whose name they do not see', async () => {
  const segment = await openBoard({ visibility: 'private', name: 'Secret name' })
  const page = await show(`${segment.path}/sign-in`)
  expect([page.status, page.html.includes('Secret name')]).toEqual([200, false])
  const { email } = await signIn(segment, 'Ada')
  await post(`${segment.path}/sign-in`, { email })
  const done = await post(`${segment.path}/sign-in/code`, { email, code: await readCode() })
  expect(done.status).toBe(303)
  expect((await show(segment.path, { cookie: cookieOf(done.headers) })).html).toContain('Secret name')
  const other = await openBoard()
  const { headers } = await signIn(other, 'Bob')
  expect((await show(segment.path, headers)).headers.get('location')).toContain('/sign-in?return=')
  expect((await show('/p/no-such-portal/sign-in')).status).toBe(404)
})

test('a person who is not invited to a private portal can sign in with another address', async () => {
  const board = await openBoard()
  const made = await board.client<{ id: number }>('POST', '/api/v2/segments', { json: { name: 'Readers' } })
  const json = { visibility: 'private', segments: [made.body.data.id] }
  expect((await board.client('PUT', '/api/v2/settings/portal', { json })).status).toBe(200)
  const { headers } = await signIn(board, 'Ada')
  const refused = await show(board.path, headers)
  expect(refused.status).toBe(403)
  expect(refused.html).toContain(`href="${board.path}/sign-in"`)
  expect((await show(`${board.path}/sign-in`, headers)).status).toBe(200)
  expect((await post(`${board.path}/sign-out`, {}, headers)).status).toBe(303)
})
