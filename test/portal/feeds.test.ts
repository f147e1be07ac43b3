import { expect, test } from 'vitest'
import { type Feed, makeFeedId, makeJsonFeed, writeAtomFeed } from '../../src/portal/api/changelog/feeds'

const ENTRY = {
  id: 'urn:uuid:00000000-0000-8000-8000-000000000001',
  url: 'https://ideas.example.com/changelog/CL-1?a=1&b=2',
  title: 'Less <b>memory</b> & "CPU"\u0000\ud800',
  html: '<p>Choose the <a href="/themes">dark theme</a> &#x26; save power.</p>]]>',
  labels: ['New & improved', 'UI'],
  image: null,
  publishedAt: '2026-11-26T09:00:00.000Z',
  updatedAt: '2026-11-26T10:00:00.000Z',
}
const FEED: Feed = {
  id: 'urn:uuid:00000000-0000-8000-8000-000000000000',
  title: 'Acme <changes>',
  homeUrl: 'https://ideas.example.com/changelog',
  feedUrl: 'https://ideas.example.com/changelog.atom',
  updatedAt: ENTRY.updatedAt,
  entries: [ENTRY],
}

test('an Atom feed escapes each text once and leaves out characters that XML does not have', () => {
  const xml = writeAtomFeed(FEED)
  expect(xml).toContain('<title>Less &lt;b&gt;memory&lt;/b&gt; &amp; &quot;CPU&quot;\ufffd</title>')
  expect(xml).toContain('href="https://ideas.example.com/changelog/CL-1?a=1&amp;b=2"')
  expect(xml).toContain('<category term="New &amp; improved"/>')
  expect(xml).toContain(
    '<content type="html">&lt;p&gt;Choose the &lt;a href=&quot;/themes&quot;&gt;dark theme&lt;/a&gt; &amp;#x26; save power.&lt;/p&gt;]]&gt;</content>',
  )
  expect(xml).not.toContain('\u0000')
  // Each element is closed in the order of opening, and each has no other text than the escaped.
  const open: string[] = []
  for (const [tag, end, name = '', empty] of xml.matchAll(/<(\/?)([\w:]+)[^<>]*?(\/?)>/g)) {
    if (empty) continue
    if (end) expect([tag, open.pop()]).toEqual([tag, name])
    else open.push(name)
  }
  expect(open).toEqual([])
})

test('an Atom feed has the required elements, and an empty feed too', () => {
  for (const xml of [writeAtomFeed(FEED), writeAtomFeed({ ...FEED, entries: [] })])
    for (const element of ['<id>urn:uuid:', '<title>', '<updated>', '<author><name>', 'rel="self"', 'rel="alternate"'])
      expect(xml).toContain(element)
})

test('a JSON feed has the members of version 1.1 and leaves out empty ones', () => {
  expect(makeJsonFeed(FEED)).toEqual({
    version: 'https://jsonfeed.org/version/1.1',
    title: FEED.title,
    home_page_url: FEED.homeUrl,
    feed_url: FEED.feedUrl,
    items: [
      {
        ...{ id: ENTRY.id, url: ENTRY.url, title: ENTRY.title, content_html: ENTRY.html, tags: ENTRY.labels },
        ...{ date_published: ENTRY.publishedAt, date_modified: ENTRY.updatedAt },
      },
    ],
  })
  const [item] = makeJsonFeed({ ...FEED, entries: [{ ...ENTRY, labels: [], image: 'https://a.example/1.png' }] }).items
  expect(item).toMatchObject({ image: 'https://a.example/1.png' })
  expect(item).not.toHaveProperty('tags')
})

test('the id of an entry is a UUID of version 8 and depends on its name only', async () => {
  const [first, again, other] = await Promise.all(['1/2', '1/2', '1/3'].map(makeFeedId))
  expect(first).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})
