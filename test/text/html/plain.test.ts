import { expect, test } from 'vitest'
import { sanitizeMailBody } from '../../../src/text/html/rich-text'

const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`

test.each([
  ['each block has its own line', '<div>a</div>b<div><div>c</div></div>d', 'a\nb\nc\nd'],
  ['paragraphs and headings have an empty line between them', '<h2>T</h2><p>a</p>\n<p>b</p>c', 'T\n\na\n\nb\n\nc'],
  ['an empty paragraph is left out', '<p>a</p><p></p><p> </p><p>b</p>', 'a\n\nb'],
  ['emphasis adds no space', 'in<b>sepa</b>rable <i>words</i>, <b>so</b>', 'inseparable words, so'],
  ['white space becomes a single space', '  a \t\n b<b> c</b> <i> d</i>\n', 'a b c d'],
  ['hard spaces stay', 'a&nbsp;&nbsp;b', 'a\u00a0\u00a0b'],
  ['a line ends without spaces', '<p>a </p> <p> b</p> c<br> d', 'a\n\nb\n\nc\nd'],
  ['line breaks', 'a<br>b<br><br>c<br><br><br><br>d', 'a\nb\n\nc\n\nd'],
  ['a line break before a block adds no line', '<div>a<br></div><p>b<br></p>c', 'a\n\nb\n\nc'],
  ['items have bullets', '<p>x</p><ul>\n<li>a</li>\n<li><p>b</p></li></ul>y', 'x\n\n- a\n\n- b\n\ny'],
  ['ordered items have numbers', '<ol><li>a<li>b</ol><ol start="7"><li>c</ol>', '1. a\n2. b\n7. c'],
  ['nested lists are indented', '<ul><li>a<ol><li>b<li>c</ol><li>d</ul>', '- a\n  1. b\n  2. c\n- d'],
  ['an empty item has no bullet', '<ul><li></li><li>a</li><li> </li></ul>b', '- a\nb'],
  ['definitions', '<dl><dt>a<dd>b<dt>c<dd>d</dl>', 'a\nb\nc\nd'],
  ['cells have a tab between them', `<table>${row('a', 'b')}${row('c', '', 'd ')}</table>e`, 'a\tb\nc\t\td\ne'],
  [
    'layout tables become lines',
    `<table>${row(`<table>${row('a')}${row('b')}</table>`, '<p>c</p>')}</table>`,
    'a\nb\n\nc',
  ],
  ['a table has a caption', `<table><caption>x</caption><thead>${row('a')}</thead>${row('b')}</table>`, 'x\na\nb'],
  ['preformatted text keeps its lines', 'x<pre>\n  a\n\n    b\n\n</pre>y', 'x\n  a\n\n    b\n\ny'],
  ['a rule', 'a<hr>b', 'a\n---\nb'],
  ['an image becomes its description', 'a <img alt="our  plan" src="x.png"> b<img src="y.png">', 'a our plan b'],
  ['a link shows its address after its text', '<a href="https://x.test">a <b>b</b></a>, c', 'a b (https://x.test), c'],
  [
    'the address of a link stays in the line of its text',
    '<a href="https://x.test"><p>a</p></a>b',
    'a (https://x.test)\n\nb',
  ],
  [
    'a link around an image shows the description',
    '<a href="https://x.test"><img alt="plan"></a>',
    'plan (https://x.test)',
  ],
  ['a link without words', 'see <a href="https://x.test"></a> now', 'see (https://x.test) now'],
  [
    'a link whose text is its address shows it once',
    '<ul><li><a href="https://x.test/a"> https://x.test/<b>a</b> </a></ul>',
    '- https://x.test/a',
  ],
  [
    'mail and phone links show their text once',
    '<a href="mailto:a@x.test">a@x.test</a> <a href="tel:+49">+49</a>',
    'a@x.test +49',
  ],
  ['a link within the document shows its text', '<a href="#top">up</a>', 'up'],
  [
    'hidden elements are left out',
    'a<div style="color:red; display : none">b</div><p style="display:none">c</p>d',
    'ad',
  ],
  [
    'styles, scripts and images are left out',
    'a<style>b</style><script>c</script><!-- d --><title>e</title><svg>f</svg>g',
    'ag',
  ],
  [
    'links in links',
    '<a href="x"><table><tr><td>1<a href="y"><table><tr><td>2</td></tr></table></a></td></tr></table></a>',
    '1\n2 (y) (x)',
  ],
  ['nothing', '<p> </p>', ''],
])('%s', async (_, html, text) => {
  expect((await sanitizeMailBody(html, '/html')).text).toBe(text)
})
