import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { call, send } from '../client'
import { createUniqueId } from '../unique'
import { type Board, type Headers, openBoard, post, show, signIn } from './visitors'

const OWN_PAGE = { 'sec-fetch-site': 'same-origin', origin: 'https://groundwork.test' }
const PIXEL = Uint8Array.of(
  0x89,
  0x50,
  0x4e,
  0x47,
  13,
  10,
  26,
  10,
  0,
  0,
  0,
  13,
  0x49,
  0x48,
  0x44,
  0x52,
  0,
  0,
  0,
  1,
  0,
  0,
  0,
  1,
)

/** Sends the form as a browser does. */
async function sendForm(path: string, fields: Record<string, string>, files: File[], headers: Headers) {
  const raw = new FormData()
  for (const [name, value] of Object.entries(fields)) raw.set(name, value)
  for (const file of files) raw.append('files', file)
  const { response, cost } = await send('POST', path, { raw, headers: { ...OWN_PAGE, ...headers } })
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    html: await response.text(),
    cost,
  }
}

const ideaOf = ({ product }: Board) => ({
  ...{ title: 'With files', text: 'See the plan.', product: product.externalKey, compared: 'yes' },
})

const listObjects = async ({ subscriptionId }: Board) =>
  (await env.FILES.list({ prefix: `${subscriptionId}/` })).objects.length

const filesIn = (html: string) => Array.from(html.matchAll(/href="(\/api\/v2\/portal\/[^"]*)"/g), ([, url = '']) => url)

const readFile = (path: string, headers: Headers = {}) => send('GET', path.replaceAll('&amp;', '&'), { headers })

async function listEvents({ subscriptionId }: Board, type: string) {
  const { results } = await env.DB.prepare(
    'SELECT type, origin, actor_user_id AS actor, data FROM log WHERE subscription_id = ? AND type = ? ORDER BY place',
  )
    .bind(subscriptionId, type)
    .all<{ type: string; origin: string; actor: number; data: string }>()
  return results
}

test('a visitor submits an idea with files, which everybody reads who sees the idea', async () => {
  const board = await openBoard()
  const ada = await signIn(board, 'Ada')
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const files = [
    new File([PIXEL], '../pixel ü.png', { type: 'text/html' }),
    new File([svg], '<img src=x>.svg', { type: 'image/svg+xml' }),
  ]
  const sent = await sendForm(`${board.path}/submit`, ideaOf(board), files, ada.headers)
  // The database admits the person before the files are stored.
  expect([sent.status, sent.cost.roundTrips]).toEqual([303, 2])
  const path = sent.location.split('?')[0] ?? ''
  const { html } = await show(path)
  const [image = '', drawing = ''] = filesIn(html).filter((url) => url.includes('/files/'))
  expect(html).toContain('pixel ü.png')
  expect(html).toContain('&lt;img src=x&gt;.svg')
  const seen = (await readFile(image)).response
  expect(new Uint8Array(await seen.arrayBuffer())).toEqual(PIXEL)
  expect([seen.headers.get('content-type'), seen.headers.get('content-disposition')]).toEqual([
    'image/png',
    `inline; filename="pixel _.png"; filename*=UTF-8''pixel%20%C3%BC.png`,
  ])
  const code = (await readFile(drawing)).response
  await code.text()
  expect(code.headers.get('content-disposition')).toMatch(/^attachment;/)
  for (const { headers } of [seen, code]) {
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  const events = await listEvents(board, 'asset.created')
  expect(events.map(({ origin, actor }) => [origin, actor])).toEqual([
    ['portal', ada.userId],
    ['portal', ada.userId],
  ])
  const key = path.split('/').at(-1)
  const assets = `/api/initiatives/${board.product.externalKey}/assets`
  const listed = await board.client<{ id: number; usedAt: string }[]>('GET', `${assets}?artifactKey=${key}`)
  expect(listed.body.data.map(({ usedAt }) => usedAt)).toEqual(['feedback', 'feedback'])
  const shown = await board.client<object>('GET', `${assets}/${listed.body.data.at(-1)?.id}`)
  expect(JSON.parse(events[0]?.data ?? '')).toEqual(shown.body.data)
})

test('a program submits an idea with files as base64', async () => {
  const board = await openBoard()
  const ada = await signIn(board, 'Ada')
  const apiKey = await board.key({ userId: ada.userId, scopes: ['feedback:read', 'feedback:write'] })
  const at = `/api/v2/portal/${board.slug}/ideas`
  const { compared, ...idea } = ideaOf(board)
  const submit = (files: object[]) => call<{ key: string }>('POST', at, { apiKey, json: { ...idea, files } })
  const { status, body, cost } = await submit([
    { name: 'note.txt', type: 'text/plain', content: btoa('Hello') },
    { name: 'pixel.png', content: btoa(String.fromCharCode(...PIXEL)) },
  ])
  expect([status, cost.roundTrips]).toEqual([201, 2])
  const read = await call<{ files: { id: number; name: string; type: string; size: number }[] }>(
    'GET',
    `${at}/${body.data.key}`,
  )
  expect(read.body.data.files).toMatchObject([
    { name: 'note.txt', type: 'text/plain', size: 5 },
    { name: 'pixel.png', type: 'image/png', size: PIXEL.length },
  ])
  const { response } = await readFile(`/api/v2/portal/${board.slug}/files/${read.body.data.files[0]?.id}`)
  expect(await response.text()).toBe('Hello')
  const before = await listObjects(board)
  for (const [files, path] of [
    [[{ name: 'a', content: 'no base64!' }], '/files/0/content'],
    [[{ name: 'a', content: '====' }], '/files/0/content'],
    [[{ name: '', content: 'QQ==' }], '/files/0/name'],
    [[{ name: 'a', content: 'QQ=='.repeat(1_747_628) }], '/files/0/content'],
    [Array.from({ length: 6 }, () => ({ name: 'a', content: 'QQ==' })), '/files'],
  ] as const) {
    const refused = await submit(files as object[])
    expect([path, refused.status, refused.body.error?.issues[0]?.path]).toEqual([path, 400, path])
  }
  const large = await submit([{ name: 'large', content: 'A'.repeat(6_990_508) }])
  expect(large.status).toBe(201)
  expect(await listObjects(board)).toBe(before + 1)
})

test('nobody but the author reads the files of an idea that waits', async () => {
  const board = await openBoard()
  await board.client('PUT', '/api/v2/settings', { json: { feedback: { moderation: true } } })
  const [ada, bob] = [await signIn(board, 'Ada'), await signIn(board, 'Bob')]
  const sent = await sendForm(`${board.path}/submit`, ideaOf(board), [new File(['a,b'], 'a.csv')], ada.headers)
  const [file = ''] = filesIn((await show(sent.location, ada.headers)).html).filter((url) => url.includes('/files/'))
  const statusFor = async (headers: Headers) => {
    const { response } = await readFile(file, headers)
    await response.text()
    return response.status
  }
  expect([await statusFor(ada.headers), await statusFor(bob.headers), await statusFor({})]).toEqual([200, 404, 404])
  const key = sent.location.split('?')[0]?.split('/').at(-1)
  await board.client('PUT', `/api/feedback-items/${key}`, { json: { visibility_level: 'approved' } })
  expect(await statusFor({})).toBe(200)
})

test('a refused request leaves neither a file nor what was typed behind', async () => {
  const board = await openBoard()
  const { headers } = await signIn(board, 'Ada')
  const path = `${board.path}/submit`
  const idea = ideaOf(board)
  const file = () => new File(['content'], 'a.txt', { type: 'text/plain' })
  const kept = (html: string) => ['value="With files"', '>See the plan.</textarea>'].every((one) => html.includes(one))
  const refused = 'Choose at most 5 files. Each file has content, and at most 5 MB.'
  for (const files of [
    [new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'large.bin'), file()],
    [file(), new File([], 'empty.txt')],
    Array.from({ length: 6 }, file),
    Array.from({ length: 5 }, () => new File([new Uint8Array(5.5 * 1024 * 1024)], 'large.bin')),
  ]) {
    const answer = await sendForm(path, idea, files, headers)
    expect([answer.status, answer.html.includes(refused), kept(answer.html)]).toEqual([400, true, true])
  }
  const again = 'Choose your files again'
  const unknown = await sendForm(path, { ...idea, product: 'GW-OTHER' }, [file()], headers)
  expect([unknown.status, unknown.html.includes(again), kept(unknown.html)]).toEqual([400, true, true])
  const short = await sendForm(path, { ...idea, title: 'x' }, [file()], headers)
  expect([short.status, short.html.includes(again)]).toEqual([400, true])
  expect(await listObjects(board)).toBe(0)
  expect(await listEvents(board, 'asset.created')).toEqual([])
  const without = await sendForm(path, idea, [new File([], '')], headers)
  expect([without.status, without.cost.roundTrips]).toEqual([303, 1])
  const similar = await sendForm(path, { ...idea, compared: '' }, [file()], headers)
  expect([similar.status, similar.html.includes('similar idea'), similar.html.includes(again)]).toEqual([
    200,
    true,
    true,
  ])
  expect(await listObjects(board)).toBe(0)
})

test('a person who may not write stores nothing', async () => {
  const board = await openBoard()
  const ada = await signIn(board, 'Ada')
  const stranger = await sendForm(`${board.path}/submit`, ideaOf(board), [new File(['x'], 'a.txt')], {})
  expect([stranger.status, stranger.location.includes('/sign-in?')]).toEqual([303, true])
  const { compared, ...idea } = ideaOf(board)
  const json = { ...idea, files: [{ name: 'a', content: 'QQ==' }] }
  for (const headers of [{}, { 'idempotency-key': createUniqueId() }])
    expect((await call('POST', `/api/v2/portal/${board.slug}/ideas`, { json, headers })).status).toBe(401)
  await env.DB.prepare('UPDATE users SET deleted_at = 1 WHERE id = ?').bind(ada.userId).run()
  const removed = await sendForm(`${board.path}/submit`, ideaOf(board), [new File(['x'], 'a.txt')], ada.headers)
  expect([removed.status, removed.location.includes('/sign-in?')]).toEqual([303, true])
  expect(await listObjects(board)).toBe(0)
  const other = await post(`${board.path}/submit`, ideaOf(board), { ...ada.headers, 'sec-fetch-site': 'cross-site' })
  expect(other.status).toBe(403)
})
