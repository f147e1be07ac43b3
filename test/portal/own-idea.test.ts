import { expect, test } from 'vitest'
import { type Board, type Headers, openBoard, post, show, signIn } from './visitors'

const openModeratedBoard = async (json: object = {}) => {
  const board = await openBoard(json)
  await board.client('PUT', '/api/v2/settings', { json: { feedback: { moderation: true } } })
  return board
}

async function submit({ path, product }: Board, headers: Headers, fields: Record<string, string> = {}) {
  const idea = { title: 'Waiting idea', text: 'First.\n\nSecond & <b>', product: product.externalKey, compared: 'yes' }
  const { location } = await post(`${path}/submit`, { ...idea, ...fields }, headers)
  return location?.split('?')[0] ?? ''
}

const decide = ({ client }: Board, path: string, visibility_level: string) =>
  client('PUT', `/api/feedback-items/${path.split('/').at(-1)}`, { json: { visibility_level } })

test('an author sees the own idea that waits, with a form to change title, text and category', async () => {
  const board = await openModeratedBoard()
  const { id: category } = (
    await board.client<{ id: number }>('POST', '/api/feedback-items/categories', { json: { name: 'Reports' } })
  ).body.data
  const ada = await signIn(board, 'Ada')
  const path = await submit(board, ada.headers)
  const page = await show(path, ada.headers)
  expect(page.html).toContain('Only you see this idea until the team has approved it.')
  expect(page.html).toContain(`<a href="${path}/edit">Change your idea</a>`)
  expect((await show(`${board.path}/profile`, ada.headers)).html).toMatch(/Waiting idea[\s\S]*Waits for the team/)
  const form = await show(`${path}/edit`, ada.headers)
  expect([form.status, form.cost.roundTrips, form.headers.get('cache-control')]).toEqual([200, 1, 'private, no-store'])
  expect(form.html).toContain('>First.\n\nSecond &amp; &lt;b&gt;</textarea>')
  const fields = { title: 'Changed', text: 'Third <i>', category: String(category) }
  const saved = await post(`${path}/edit`, fields, ada.headers)
  expect([saved.status, saved.location, saved.cost.roundTrips]).toEqual([303, `${path}?saved=yes`, 1])
  const after = await show(saved.location ?? '', ada.headers)
  for (const text of ['Your changes are saved.', '<h1>Changed</h1>', '<span>Reports</span>'])
    expect(after.html).toContain(text)
  expect(after.html).toMatch(/<p>Third &(lt|#x3C);i>?(&gt;)?<\/p>/)
  expect((await show(path, ada.headers)).html).not.toContain('Your changes are saved.')
  expect((await post(`${path}/edit`, fields, ada.headers)).cost.rowsWritten).toBe(0)
})

test('nobody else sees or changes an idea that waits: it is like an unknown idea', async () => {
  const board = await openModeratedBoard()
  const [ada, bob] = [await signIn(board, 'Ada'), await signIn(board, 'Bob')]
  const path = await submit(board, ada.headers)
  const unknown = `${board.path}/ideas/IDEA-99999`
  const withoutKey = (html: string) => html.replaceAll(/IDEA-\d+/g, 'KEY')
  for (const [suffix, headers] of [
    ['', bob.headers],
    ['/edit', bob.headers],
    ['', {}],
    ['/edit', {}],
  ] as const) {
    const [seen, missing] = [await show(path + suffix, headers), await show(unknown + suffix, headers)]
    expect([suffix, seen.status]).toEqual([suffix, missing.status])
    expect(seen.status).toBe(suffix && !('cookie' in headers) ? 303 : 404)
    expect(withoutKey(seen.html)).toBe(withoutKey(missing.html))
  }
  const fields = { title: 'Taken over', text: 'x' }
  expect((await post(`${path}/edit`, fields, bob.headers)).status).toBe(404)
  expect((await post(`${path}/edit`, fields)).location).toContain('/sign-in?return=')
  for (const place of ['', '?sort=new', '?q=waiting', '/roadmap', '/sitemap.xml', '/similar?title=waiting+idea'])
    expect((await show(board.path + place, bob.headers)).html, place).not.toContain('Waiting idea')
  expect((await show(path, ada.headers)).html).toContain('<h1>Waiting idea</h1>')
})

test('a change with a problem comes back with what was typed', async () => {
  const board = await openModeratedBoard()
  const { headers } = await signIn(board, 'Ada')
  const path = await submit(board, headers)
  const short = await post(`${path}/edit`, { title: 'ab', text: 'My "text"' }, headers)
  expect([short.status, short.html.includes('at least 3 characters')]).toEqual([400, true])
  expect(short.html).toContain('My &quot;text&quot;')
  const long = await post(`${path}/edit`, { title: 'Long', text: 'x'.repeat(20_001) }, headers)
  expect([long.status, long.html.includes('at most 20,000 characters')]).toEqual([400, true])
  const foreign = await post(`${path}/edit`, { title: 'Kept title', category: '99999999' }, headers)
  expect([foreign.status, foreign.html.includes('Your idea was not changed.')]).toEqual([400, true])
  expect(foreign.html).toContain('value="Kept title"')
  expect((await show(path, headers)).html).toContain('<h1>Waiting idea</h1>')
})

test('a form keeps a description with formatting as it is', async () => {
  const board = await openModeratedBoard()
  const { headers } = await signIn(board, 'Ada')
  const path = await submit(board, headers)
  const json = { long_description: '<p>With a <strong>weight</strong></p>' }
  await board.client('PUT', `/api/feedback-items/${path.split('/').at(-1)}`, { json })
  const form = await show(`${path}/edit`, headers)
  expect(form.html).toContain('formatting that this form cannot change')
  expect(form.html).not.toContain('<textarea')
  await post(`${path}/edit`, { title: 'Heavy' }, headers)
  expect((await show(path, headers)).html).toMatch(/<h1>Heavy<\/h1>[\s\S]*<strong>weight<\/strong>/)
})

test('after the decision of the team the author changes nothing', async () => {
  const board = await openModeratedBoard()
  const { headers } = await signIn(board, 'Ada')
  const path = await submit(board, headers)
  await decide(board, path, 'rejected')
  expect((await show(path, headers)).html).toContain('The team has not published this idea. Only you see it.')
  expect((await show(path)).status).toBe(404)
  await decide(board, path, 'approved')
  expect((await show(path, headers)).html).not.toContain('/edit"')
  expect((await show(`${path}/edit`, headers)).status).toBe(404)
  const late = await post(`${path}/edit`, { title: 'Late title', text: 'Late text' }, headers)
  expect([late.status, late.html.includes('the team has decided about it meanwhile')]).toEqual([400, true])
  for (const text of ['value="Late title"', '>Late text</textarea>']) expect(late.html).toContain(text)
  expect((await show(path)).html).toContain('<h1>Waiting idea</h1>')
})
