import { expect, test } from 'vitest'
import { findEntries } from '../../scripts/pages/browser/find'
import { listErrors, readErrorTexts } from '../../scripts/pages/error-pages'
import { makePages, renderPages } from '../../scripts/pages/pages'
import { readReference } from '../../scripts/pages/reference'
import { makeSearchIndex } from '../../scripts/pages/search-index'
import { ERROR_CODES } from '../../src/text/errors'

const reference = readReference()
const pages = renderPages(reference)

const linksOf = (html: string) => [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) => href)

const ROUTES = ['/', '/openapi.json', '/health']

test('the pages at /docs link only to pages and headings that exist', () => {
  const broken = [...pages].flatMap(([name, html]) =>
    linksOf(html).flatMap((href) => {
      if (/^https?:/.test(href) || ROUTES.includes(href)) return []
      const [path = '', anchor] = href.split('#')
      const target = pages.get(path === '' ? name : path.replace(/^\/docs\/?/, ''))
      const isThere = target !== undefined && (anchor === undefined || target.includes(`id="${anchor}"`))
      return isThere ? [] : [`${name}: ${href}`]
    }),
  )
  expect(broken, 'Correct the link in docs/, or add the page to scripts/pages/markdown.ts.').toEqual([])
  expect([...pages.keys()]).toContain('importing')
})

test('the pages load files of this service only, and have no inline script or style', () => {
  for (const html of pages.values()) {
    const sources = [...html.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="([^"]*)"/g)].map(([, source]) => source)
    expect(sources.length).toBeGreaterThan(2)
    for (const source of sources) expect(source).toMatch(/^\/[a-z]/)
    expect(html).not.toMatch(/<style|<script>| style="| on[a-z]+="/)
  }
})

test('ids are unique in each page', () => {
  for (const [name, html] of pages) {
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect([name, ids.filter((id, n) => ids.indexOf(id) !== n)]).toEqual([name, []])
  }
})

test('every operation has one page with a sample in three languages', () => {
  const withSamples = [...pages].filter(([, html]) => html.includes('<h2 id="samples">'))
  const hrefs = reference.operations.map(({ href }) => href)
  expect(withSamples.map(([name]) => `/docs/${name}`).toSorted()).toEqual(hrefs.toSorted())
  expect(new Set(reference.operations.map(({ id }) => id)).size).toBe(reference.operations.length)
  for (const [, html] of withSamples)
    for (const language of ['curl', 'TypeScript', 'Python'])
      expect(html).toContain(`aria-label="Call with ${language}"`)
})

test('every error code has a page with cause, remedy and example, and every text belongs to a code', () => {
  const errors = listErrors(reference)
  const codes = errors.map(({ code }) => code)
  expect(codes).toEqual(expect.arrayContaining(ERROR_CODES))
  for (const code of codes) {
    const html = pages.get(`errors/${code}`) ?? ''
    for (const part of ['<strong>Cause.</strong>', '<strong>Remedy.</strong>', code])
      expect([code, html.includes(part)]).toEqual([code, true])
    expect([code, html.includes('&quot;success&quot;: false')]).toEqual([code, true])
  }
  const unused = [...readErrorTexts().keys()].filter((code) => code !== 'not_found' && !codes.includes(code))
  expect(unused, 'Remove the section from docs/errors.md.').toEqual([])
})

const index = makeSearchIndex(reference, makePages(reference))
const hrefOf = (id: string) => reference.operations.find((op) => op.id === id)?.href

test.each([
  ['RICE', 'scoreWorkItem'],
  ['export members', 'exportMembers'],
  ['createEpic', 'createEpic'],
  ['send mail to a segment', 'sendSegmentEmail'],
  ['rotate api key', 'rotateApiKey'],
  ['merge feedback', 'mergeFeedbackItem'],
  ['exprot membrs', 'exportMembers'],
])('the search for "%s" finds the page of %s first', (query, id) => {
  expect(findEntries(index, query, 5)[0]?.href).toBe(hrefOf(id))
})

test.each([
  ['verify webhook signature', '/docs/guides/webhooks'],
  ['idempotency_key_reused', '/docs/errors/idempotency_key_reused'],
  ['epic.created', '/docs/reference/epics'],
  ['chart kpi', '/docs/guides/kpis'],
  ['mirror', '/docs/guides/pagination-and-mirroring'],
])('the search for "%s" finds %s first', (query, href) => {
  expect(findEntries(index, query, 5)[0]?.href.split('#')[0]).toBe(href)
})

test('the search finds each operation by its title, and nothing by words that do not occur', () => {
  for (const { summary, href } of reference.operations)
    expect([summary, findEntries(index, summary, 8).map((found) => found.href)]).toEqual([
      summary,
      expect.arrayContaining([href]),
    ])
  expect(findEntries(index, 'zyxwvut', 5)).toEqual([])
})
