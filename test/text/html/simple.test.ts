import { expect, test } from 'vitest'
import { sanitizeHtml } from '../../../src/text/html/sanitizer'
import { isSimpleHtml } from '../../../src/text/html/simple'
import { seededRandom } from '../../random'

test.each([
  ['words', true],
  ['<p>Pay <strong>fast</strong> and <em>well</em>.</p>\n<p>Twice.</p>', true],
  ['<h2>Why</h2><ul>\n<li>One</li> <li><b>Two</b><br>lines</li></ul>', true],
  ['<strong>bare</strong> words', true],
  ['<p>a<p>b</p>', false],
  ['<p>never closed', false],
  ['</p>', false],
  ['<p><p>x</p></p>', false],
  ['<b><p>x</p></b>', false],
  ['<b><i>x</b></i>', false],
  ['<b><b>x</b></b>', false],
  ['<ul>words<li>x</li></ul>', false],
  ['<li>alone</li>', false],
  ['<p class="x">y</p>', false],
  ['<P>x</P>', false],
  ['<p >x</p>', false],
  ['<script>x</script>', false],
  ['<table><tr><td>x</td></tr></table>', false],
  ['<p>a &amp; b</p>', false],
  ['<p>a > b</p>', false],
  ['<p>a < b</p>', false],
  ['<br></br>', false],
  ['<p>x\r\n</p>', false],
  ['<p>x</p', false],
])('%j is simple: %j', (html, simple) => {
  expect(isSimpleHtml(html)).toBe(simple)
})

test('HTML is simple exactly when the sanitizer returns it unchanged', () => {
  const tags = 'p h1 h3 li ul ol strong em b i u s code br div pre a table td script blockquote'.split(' ')
  const words = ['', ' ', 'x', '\n', '\t', 'two words', '"\'', 'ü漢😀', '\u00a0', '\u200b', '\ufeff', '>', '&', '<']
  const { below, chance, pick: any } = seededRandom(37)
  const likely = (depth: number): string =>
    Array.from({ length: 1 + below(3) }, () => {
      if (depth === 0 || chance(40)) return any(words.slice(0, chance(90) ? 11 : 14))
      const tag = any(chance(90) ? tags.slice(0, 14) : tags)
      if (tag === 'br') return '<br>'
      return `<${tag}>${likely(depth - 1)}${chance(95) ? `</${tag}>` : ''}`
    }).join('')
  let simple = 0
  for (let n = 0; n < 60_000; n++) {
    const html = likely(3)
    if (!html.includes('<') || !isSimpleHtml(html)) continue
    simple++
    expect(sanitizeHtml(html, '/html')).toBe(html)
  }
  expect(simple).toBeGreaterThan(2_000)
})
