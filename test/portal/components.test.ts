import { parseFragment, serialize } from 'parse5'
import { expect, test } from 'vitest'
import { Prose } from '../../src/portal/components/prose'
import { readHexColor, renderTheme, shapeOf, themePathOf, toneOf } from '../../src/portal/components/theme'
import { createFormats } from '../../src/portal/texts/formats'
import { createPortal, NOW, STATUSES } from './samples'

test.each([
  ['#0b6e5f', '0b6e5f'],
  [' #ABC ', 'aabbcc'],
  ['0B6E5F', '0b6e5f'],
  ['#0b6e5f;}body{display:none', undefined],
  ['red', undefined],
  ['#12345', undefined],
  [null, undefined],
])('the color %s is read as %s', (color, hex) => {
  expect(readHexColor(color)).toBe(hex)
})

test('the theme holds only colors, whatever its address says', () => {
  const portal = createPortal({ statuses: [...STATUSES, { ...STATUSES[0], color: '#2563C9' } as never] })
  expect(themePathOf(portal)).toBe('/p/plumbline/theme.css?accent=0b6e5f&tones=2563c9.7646c4.2b8a3e')
  expect(renderTheme({ accent: '0b6e5f', tones: '2563c9.7646c4' })).toBe(
    ':root{--accent-base:#0b6e5f}\n.tone-2563c9{--tone:#2563c9}\n.tone-7646c4{--tone:#7646c4}\n',
  )
  expect(renderTheme({ accent: '}body{', tones: 'x}.y{.2563c9' })).toBe('.tone-2563c9{--tone:#2563c9}\n')
  expect(renderTheme({ accent: undefined, tones: 'abc.'.repeat(1_000) }).split('\n').length).toBeLessThanOrEqual(101)
})

test('a status has the tone of its color and the shape of its place', () => {
  expect([toneOf('Amber'), toneOf('#2563C9'), toneOf('url(x)'), toneOf(null)]).toEqual([
    { 'data-tone': 'amber' },
    { class: 'tone-2563c9' },
    { 'data-tone': 'gray' },
    { 'data-tone': 'gray' },
  ])
  expect(STATUSES.map((status) => shapeOf(status, STATUSES))).toEqual([undefined, '1', '2', '3', 'full', 'off'])
  const two = STATUSES.slice(0, 2)
  expect(two.map((status) => shapeOf(status, two))).toEqual([undefined, '1'])
})

const ORIGIN = 'https://groundwork.example.com'

test.each([
  ['<h1>A</h1><h4>B</h4><h1>C</h1>', '<h2>A</h2><h3>B</h3><h2>C</h2>'],
  ['<p>header, <hr> stays</p>', '<p>header, <hr> stays</p>'],
  [
    '<img src="https://other.example/a.png" alt="A chart">',
    '<a href="https://other.example/a.png" rel="nofollow noopener">A chart</a>',
  ],
  [
    '<img src="//other.example/a.png">',
    '<a href="//other.example/a.png" rel="nofollow noopener">//other.example/a.png</a>',
  ],
  [`<img src="${ORIGIN}/files/1" alt="A">`, `<img src="${ORIGIN}/files/1" alt="A">`],
  ['<img src="/files/1">', '<img alt="" src="/files/1">'],
  ['<img alt="nothing">', ''],
])('stored HTML is shown inside a page: %s', (html, shown) => {
  expect(String(Prose({ html, origin: ORIGIN }))).toBe(`<section class="prose">${shown}</section>`)
})

test.each(['<li>a</li>', '<dd>a</dd><dt>b</dt>', '<div><li>a</li></div>'])(
  '%s stays in the list item around it',
  (html) => {
    for (const [list, item] of [
      ['ul', 'li'],
      ['dl', 'dd'],
    ]) {
      const page = `<${list}><${item}><div>${Prose({ html, origin: ORIGIN })}</div></${item}><${item}></${item}></${list}>`
      expect(serialize(parseFragment(page))).toBe(page)
    }
  },
)

test('dates and numbers follow the language', () => {
  const [en, de] = [createFormats('en', NOW), createFormats('de', NOW)]
  expect([en.number(1_234), de.number(1_234), en.short(12_345)]).toEqual(['1,234', '1.234', '12K'])
  expect([en.date('2026-03-03T00:30:00Z'), de.date('2026-03-03T00:30:00Z')]).toEqual(['March 3, 2026', '3. März 2026'])
  expect([en.shortDate('2026-03-03T00:30:00Z'), en.shortDate('2025-03-03T00:30:00Z')]).toEqual(['Mar 3', 'Mar 3, 2025'])
  expect([en.age('2026-11-26T11:55:00Z'), en.age('2026-11-25T11:00:00Z')]).toEqual(['5 minutes ago', 'yesterday'])
  expect([de.age('2026-11-25T11:00:00Z'), en.age('2026-11-01T11:00:00Z')]).toEqual(['gestern', 'Nov 1'])
  expect([en.bytes(8_000), en.bytes(1_200_000), en.bytes(10)]).toEqual(['8 kB', '1.2 MB', '1 kB'])
})
