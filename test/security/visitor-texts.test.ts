import { expect, test } from 'vitest'
import { send } from '../client'
import { type Board, createIdea, type Headers, openBoard, post, show, signIn } from '../portal/visitors'
import { HOSTILE_MARKUP, HOSTILE_TARGETS } from './hostile'
import { findActiveMarkup } from './markup'

const TEXTS_PER_BOARD = 8
const slices = Array.from(
  { length: Math.ceil(HOSTILE_MARKUP.length / TEXTS_PER_BOARD) },
  (_, n) => [n, HOSTILE_MARKUP.slice(n * TEXTS_PER_BOARD, (n + 1) * TEXTS_PER_BOARD)] as const,
)

async function expectHarmless(path: string, headers: Headers = {}) {
  const { html } = await show(path, headers)
  expect([path, findActiveMarkup(html)]).toEqual([path, []])
}

/** Posts a form, and looks at the page that answers. */
async function postHarmless(path: string, fields: Record<string, string>, headers: Headers) {
  const answer = await post(path, fields, headers)
  expect([path, findActiveMarkup(answer.html)]).toEqual([path, []])
  return answer
}

/** The name of a file, which browsers send without line breaks. */
async function sendFile({ path, product }: Board, text: string, headers: Headers) {
  const raw = new FormData()
  for (const [name, value] of Object.entries({ title: 'Named', product: product.externalKey, compared: 'yes' }))
    raw.set(name, value)
  raw.append('files', new File(['x'], text.replaceAll(/[\0\r\n]/g, '')))
  const own = { 'sec-fetch-site': 'same-origin', origin: 'https://groundwork.test' }
  const { response } = await send('POST', `${path}/submit`, { raw, headers: { ...own, ...headers } })
  expect([text, response.status]).toEqual([text, 303])
  await expectHarmless(response.headers.get('location') ?? '', headers)
}

/** An idea that waits for an approval. */
async function changeOwnIdea({ client, path: base, product }: Board, text: string, headers: Headers) {
  const fields = { title: 'Waiting', text: '', product: product.externalKey, compared: 'yes' }
  const path = (await post(`${base}/submit`, fields, headers)).location?.split('?')[0] ?? ''
  await client('PUT', `/api/feedback-items/${path.split('/').at(-1)}`, { json: { visibility_level: 'pending' } })
  const changed = await postHarmless(`${path}/edit`, { title: `x ${text}`, text, category: text }, headers)
  expect([text, changed.status]).toEqual([text, 303])
  for (const page of [path, `${path}/edit`]) await expectHarmless(page, headers)
  await postHarmless(`${path}/edit`, { title: '', text, category: text }, headers)
}

async function writeEverywhere(board: Board, text: string) {
  const { headers } = await signIn(board, 'Ada')
  const named = await postHarmless(`${board.path}/profile`, { firstName: text, lastName: text }, headers)
  const submitted = await postHarmless(
    `${board.path}/submit`,
    { title: `x ${text}`, text, product: board.product.externalKey, compared: 'yes' },
    headers,
  )
  expect([text, submitted.status]).toEqual([text, 303])
  const path = submitted.location?.split(/[?#]/)[0] ?? ''
  const comment = await postHarmless(`${path}/comments`, { text }, headers)
  expect([text, comment.status]).toEqual([text, 303])
  const [, id = ''] = /#comment-(\d+)$/.exec(comment.location ?? '') ?? []
  await postHarmless(`${path}/comments/${id}`, { text: `${text}\n\n${text}` }, headers)
  await postHarmless(`${path}/comments`, { text, parent: id }, headers)
  // Forms with a problem show again what they were sent.
  await postHarmless(`${path}/comments`, { text: text + 'x'.repeat(10_000) }, headers)
  await postHarmless(`${board.path}/submit`, { title: '', text, product: text, category: text }, headers)
  await changeOwnIdea(board, text, headers)
  await sendFile(board, text, headers)
  await postHarmless(`${board.path}/sign-in`, { email: text, return: text, vote: text }, {})
  await postHarmless(`${board.path}/sign-in/code`, { email: text, code: text, return: text, vote: text }, {})
  await postHarmless(`${board.path}/profile`, { firstName: text + 'x'.repeat(500), lastName: text }, headers)
  expect(named.status).toBeLessThan(500)
  const query = new URLSearchParams({ title: text, q: text, return: text, vote: text, label: text })
  for (const caller of [headers, {}])
    for (const page of [board.path, path, `${path.replace('/ideas/', '/de/ideas/')}`, `${board.path}/roadmap`])
      await expectHarmless(page, caller)
  for (const page of ['/submit', '/similar', '/sign-in', '/profile', '/profile/mail', ''])
    await expectHarmless(`${board.path}${page}?${query}`, headers)
}

test.each(slices)('no text of a visitor runs on a page of the portal (part %i)', async (_, texts) => {
  const board = await openBoard()
  for (const text of texts) await writeEverywhere(board, text)
})

test('no form of the portal leads to another site', async () => {
  const board = await openBoard()
  const key = await createIdea(board, 'Dark theme')
  const { headers } = await signIn(board, 'Ada')
  for (const target of HOSTILE_TARGETS) {
    const fields = { type: 'up', return: target }
    const leadsInside = (path: string) => path === board.path || path.startsWith(`${board.path}/`)
    const places = [
      (await post(`${board.path}/ideas/${key}/vote`, fields, headers)).location,
      (await post(`${board.path}/ideas/${key}/vote`, fields)).location,
      (await post(`${board.path}/sign-out`, fields, { ...headers, cookie: 'a=b' })).location,
    ]
    for (const place of places) {
      const url = new URL(place ?? '', 'https://groundwork.test')
      expect([target, place, url.origin, leadsInside(url.pathname)]).toEqual([
        target,
        place,
        'https://groundwork.test',
        true,
      ])
      const back = url.searchParams.get('return')
      if (back !== null)
        expect([target, leadsInside(new URL(back, 'https://groundwork.test').pathname)]).toEqual([target, true])
    }
    const { html } = await show(`${board.path}/sign-in?${new URLSearchParams({ return: target })}`)
    const [, value] = /name="return" value="([^"]*)"/.exec(html) ?? []
    expect([target, value]).toEqual([target, board.path])
  }
})
