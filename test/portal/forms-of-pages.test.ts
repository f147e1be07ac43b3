import { expect, test } from 'vitest'
import { createIdea, openBoard, post, show, signIn } from './visitors'

test('a visitor votes with a form and takes the vote back, each in one trip', async () => {
  const board = await openBoard()
  const key = await createIdea(board, 'Dark <theme>')
  const { headers } = await signIn(board, 'Ada')
  const page = await show(`${board.path}?sort=new`, headers)
  expect([page.status, page.cost.roundTrips, page.headers.get('cache-control')]).toEqual([200, 1, 'private, no-store'])
  expect(page.html).toContain('Account of Ada Reader')
  const fields = { type: 'up', return: `${board.path}?sort=new` }
  const voted = await post(`${board.path}/ideas/${key}/vote`, fields, headers)
  expect([voted.status, voted.location, voted.cost.roundTrips]).toEqual([303, `${board.path}?sort=new`, 1])
  expect((await show(board.path, headers)).html).toContain('value="none" aria-pressed="true"')
  const json = { ...headers, accept: 'application/json' }
  const scripted = await post(`${board.path}/de/ideas/${key}/vote`, { type: 'none', lang: 'de' }, json)
  expect([scripted.status, JSON.parse(scripted.html)]).toEqual([200, { votes: 0, hasVoted: false, count: '0 Stimmen' }])
  const missing = await post(`${board.path}/ideas/IDEA-99999/vote`, fields, headers)
  expect([missing.status, missing.html.includes('There is no page here')]).toEqual([404, true])
  const failed = await post(`${board.path}/ideas/IDEA-99999/vote`, fields, json)
  expect([failed.status, JSON.parse(failed.html).error.code]).toEqual([404, 'feedback_item_not_found'])
})

test('a form of another site, or of a page without an origin, changes nothing', async () => {
  const board = await openBoard()
  const key = await createIdea(board, 'Dark theme')
  const { headers } = await signIn(board, 'Ada')
  for (const from of [
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ])
    for (const caller of [headers, {}])
      for (const path of [`/ideas/${key}/vote`, '/submit', '/sign-in', '/sign-in/code', '/sign-out', '/profile']) {
        const { status, html } = await post(board.path + path, { type: 'up', title: 'Foreign' }, { ...caller, ...from })
        expect([status, html.includes('The form came from another site')], path).toEqual([403, true])
      }
  const { html } = await show(board.path)
  expect(html).toContain('data-votes="0"')
  expect(html).not.toContain('Foreign')
})

test('a visitor comments, replies, changes and removes an own comment', async () => {
  const board = await openBoard()
  const key = await createIdea(board, 'Dark theme')
  const [ada, bob] = [await signIn(board, 'Ada'), await signIn(board, 'Bob')]
  const path = `${board.path}/ideas/${key}`
  const text = 'First <b>line</b> & "more"\r\n\r\n\u0000Second'
  const added = await post(`${path}/comments`, { text }, ada.headers)
  const [, id = ''] = /#comment-(\d+)$/.exec(added.location ?? '') ?? []
  expect([added.status, added.location, added.cost.roundTrips]).toEqual([303, `${path}#comment-${id}`, 1])
  const page = await show(path, ada.headers)
  expect(page.html).toMatch(/<p>First &(lt|#x3C);b>?(&gt;)?line/)
  expect(page.html).toContain(`action="${path}/comments/${id}/remove"`)
  const [, area = ''] = new RegExp(`id="change-${id}"[^>]*>([^<]*)</textarea>`).exec(page.html) ?? []
  expect(area).toBe('First &lt;b&gt;line&lt;/b&gt; &amp; &quot;more&quot;\n\nSecond')
  await post(`${path}/comments`, { text: 'An answer', parent: id }, bob.headers)
  expect((await show(path, bob.headers)).html).not.toContain(`/comments/${id}/remove`)
  for (const change of [`/comments/${id}`, `/comments/${id}/remove`])
    expect((await post(path + change, { text: 'Not mine' }, bob.headers)).status).toBe(403)
  expect((await post(`${path}/comments/${id}`, { text: 'Better' }, ada.headers)).location).toBe(`${path}#comment-${id}`)
  expect((await show(path)).html).toContain('<p>Better</p>')
  expect((await post(`${path}/comments/${id}/remove`, {}, ada.headers)).location).toBe(`${path}#comments`)
  const { html } = await show(path)
  expect(html).toContain('This comment was removed.')
  expect(html).toContain('An answer')
})

test('a comment that is not saved comes back with its text and the problem', async () => {
  const board = await openBoard()
  const key = await createIdea(board, 'Dark theme')
  const { headers } = await signIn(board, 'Ada')
  const path = `${board.path}/ideas/${key}`
  const empty = await post(`${path}/comments`, { text: ' \n ' }, headers)
  expect([empty.status, empty.html.includes('Write a comment first.')]).toEqual([400, true])
  const long = `<script>alert(1)</script>${'x'.repeat(10_000)}`
  const tooLong = await post(`${path}/comments`, { text: long }, headers)
  expect([tooLong.status, tooLong.html.includes('Write at most 10,000 characters.')]).toEqual([400, true])
  expect(tooLong.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;xxx')
  expect(tooLong.html).not.toContain('<script>alert')
  const lost = await post(`${path}/comments`, { text: 'An answer', parent: '999999999' }, headers)
  expect([lost.status, lost.html.includes('Your comment was not saved. Send it again')]).toEqual([400, true])
  expect(lost.html).toContain('>An answer</textarea>')
  expect(lost.html).toContain(`href="${board.path}/de/ideas/${key}" lang="de"`)
})

test('a visitor submits an idea after seeing similar ideas, and others see it', async () => {
  const board = await openBoard()
  await createIdea(board, 'Dark theme for the night')
  const { headers } = await signIn(board, 'Ada')
  const product = board.product.externalKey
  expect((await show(`${board.path}/submit`)).headers.get('location')).toBe(
    `${board.path}/sign-in?return=${encodeURIComponent(`${board.path}/submit`)}`,
  )
  expect((await show(`${board.path}/submit`, headers)).html).toContain(`name="product" value="${product}"`)
  const draft = { title: 'A dark\n theme', text: 'At night.\n\n<img src=x onerror=alert(1)>', product }
  const compared = await post(`${board.path}/submit`, { ...draft, compared: '' }, headers)
  expect([compared.status, compared.html.includes('Dark theme for the night')]).toEqual([200, true])
  expect(compared.html).toContain('name="compared" value="yes"')
  expect(compared.html).toContain('value="A dark theme"')
  expect(compared.html).toContain('&lt;img src=x onerror=alert(1)&gt;')
  const sent = await post(`${board.path}/submit`, { ...draft, compared: 'yes' }, headers)
  const [, key = ''] = /\/ideas\/(IDEA-\d+)\?submitted=yes$/.exec(sent.location ?? '') ?? []
  expect([sent.status, key.length > 0, sent.cost.roundTrips]).toEqual([303, true, 1])
  expect((await show(sent.location ?? '', headers)).html).toContain('Your idea is here')
  const page = await show(`${board.path}/ideas/${key}?submitted=yes`)
  expect(page.html).toContain('<h1>A dark theme</h1>')
  expect(page.html).not.toMatch(/Your idea is here|<img/)
  const part = await show(`${board.path}/similar?title=dark`, headers)
  expect(part.html).toMatch(/^<!doctype html><h2 class="h3">2 similar ideas/)
})

test('an idea that is not submitted comes back with what was typed', async () => {
  const board = await openBoard()
  const { headers } = await signIn(board, 'Ada')
  const path = `${board.path}/submit`
  const typed = { title: 'ab', text: 'My "text"', product: board.product.externalKey, compared: 'yes' }
  const short = await post(path, typed, headers)
  expect([short.status, short.html.includes('at least 3 characters')]).toEqual([400, true])
  expect(short.html).toContain('My &quot;text&quot;')
  const foreign = await post(path, { ...typed, title: 'Good title', product: 'GW-OTHER' }, headers)
  expect([foreign.status, foreign.html.includes('Your idea was not submitted')]).toEqual([400, true])
  const huge = await post(path, { ...typed, text: 'x'.repeat(300_001) }, headers)
  expect([huge.status, huge.html.includes('Nothing was changed.')]).toEqual([413, true])
  const json = await post(path, '{"title":"Good title"}', { ...headers, 'content-type': 'application/json' })
  expect(json.status).toBe(415)
  const closed = await openBoard({ products: [] })
  const stranger = await signIn(closed, 'Bob')
  expect((await show(`${closed.path}/submit`, stranger.headers)).status).toBe(404)
})

test('unknown and hostile fields do nothing', async () => {
  const board = await openBoard()
  const { headers } = await signIn(board, 'Ada')
  const body = `__proto__=x&constructor=y&title=Plain+title&title=Other&text=%00%ff%3Cb%3E&product=${board.product.externalKey}&status_id=1&isPrivate=1&compared=yes`
  const { status, location } = await post(`${board.path}/submit`, body, headers)
  expect(status).toBe(303)
  const { html } = await show(location ?? '', headers)
  expect(html).toContain('<h1>Plain title</h1>')
  expect(Object.keys(Object.prototype)).toEqual([])
})

test('a visitor follows an idea and the changelog', async () => {
  const board = await openBoard()
  const key = await createIdea(board, 'Dark theme')
  const { headers } = await signIn(board, 'Ada')
  const path = `${board.path}/ideas/${key}`
  expect((await post(`${path}/follow`, { follow: 'yes' }, headers)).location).toBe(path)
  expect((await show(path, headers)).html).toContain('You follow this idea')
  await post(`${path}/follow`, { follow: 'no' }, headers)
  expect((await show(path, headers)).html).toContain('Follow this idea')
  const changelog = `${board.path}/changelog`
  expect((await post(`${changelog}/follow`, { follow: 'yes' }, headers)).location).toBe(changelog)
  expect((await show(changelog, headers)).html).toContain('Stop the mail')
  await post(`${changelog}/follow`, { follow: 'no' }, headers)
  expect((await show(changelog, headers)).html).toContain('Get it by mail')
})

test('the profile shows the own ideas and votes, and saves the name and the choice of mail', async () => {
  const board = await openBoard()
  const key = await createIdea(board, 'Voted thing')
  const { headers, email } = await signIn(board, 'Ada')
  await post(`${board.path}/ideas/${key}/vote`, { type: 'up' }, headers)
  const fields = { title: 'Own thing', text: '', product: board.product.externalKey, compared: 'yes' }
  await post(`${board.path}/submit`, fields, headers)
  const path = `${board.path}/profile`
  const { html, cost, headers: shown } = await show(path, headers)
  expect(cost.roundTrips).toBe(1)
  for (const text of ['Own thing', 'Voted thing', email]) expect(html).toContain(text)
  expect(shown.get('cache-control')).toBe('private, no-store')
  expect((await post(path, { firstName: 'Grace <x>', lastName: 'Hopper' }, headers)).location).toBe(
    `${path}?saved=name`,
  )
  expect((await show(`${path}?saved=name`, headers)).html).toMatch(/Your name is saved[\s\S]*value="Grace &lt;x&gt;"/)
  const long = await post(path, { firstName: 'x'.repeat(101) }, headers)
  expect([long.status, long.html.includes('at most 100 characters')]).toEqual([400, true])
  const chosen = await post(`${path}/mail`, 'kind=status&kind=changelog&digest=weekly', headers)
  expect([chosen.status, chosen.location, chosen.cost.roundTrips]).toEqual([303, `${path}?saved=mail`, 1])
  const after = (await show(path, headers)).html
  const isChecked = (value: string) => new RegExp(`value="${value}" checked=""`).test(after)
  expect(['status', 'release', 'reply', 'changelog', 'mention', 'off', 'daily', 'weekly'].map(isChecked)).toEqual([
    ...[true, false, false, true, false],
    ...[false, false, true],
  ])
  expect(after).not.toContain('assignment')
  expect((await show(path)).headers.get('location')).toContain('/sign-in?return=')
})
