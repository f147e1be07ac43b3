import { expect, test } from 'vitest'
import { renderPages } from '../../scripts/service/pages'
import { serveDocs } from '../../src/http/docs'

const pages = renderPages()

test('the pages at /docs link only to pages and headings that exist', () => {
  const broken = [...pages].flatMap(([name, html]) =>
    [...html.matchAll(/<a href="([^"]*)"/g)].flatMap(([, href = '']) => {
      if (/^https?:/.test(href) || href === '/docs') return []
      const [path = '', anchor] = href.split('#')
      const target = pages.get(path === '' ? name : path.replace('/docs/', ''))
      const isThere = target !== undefined && (anchor === undefined || target.includes(`id="${anchor}"`))
      return isThere ? [] : [`${name}: ${href}`]
    }),
  )
  expect(broken, 'Correct the link in docs/, or add the page to scripts/service/pages.ts.').toEqual([])
  expect([...pages.keys()]).toContain('importing')
})

test('the pages follow the colors of the system and run no script', () => {
  for (const html of pages.values()) {
    expect(html).toContain('color-scheme: light dark')
    expect(html).toContain("default-src 'none'")
    expect(html).not.toContain('<script')
  }
})

test('the reference links to the guides', async () => {
  expect(await serveDocs().text()).toContain('href="/docs/guides"')
})
