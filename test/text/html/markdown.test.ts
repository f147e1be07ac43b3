import { expect, test } from 'vitest'
import { markdownToHtml } from '../../../src/text/html/markdown'
import { createSanitizer } from '../../../src/text/html/rich-text'

const CASES: [name: string, markdown: string, html: string][] = [
  ['paragraphs and lines', 'One\ntwo\r\n\r\nThree', '<p>One<br>two</p><p>Three</p>'],
  ['headings', '# Steps\nDo it', '<h1>Steps</h1><p>Do it</p>'],
  ['a list', 'List:\n- a\n- b\n\nEnd', '<p>List:</p><ul><li>a</li><li>b</li></ul><p>End</p>'],
  ['numbers', '1. a\n2. b', '<ol><li>a</li><li>b</li></ol>'],
  ['lists in lists', '- a\n  - b\n- c', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>'],
  ['further lines of an item', '- a\n  more\n- b', '<ul><li>a<br>more</li><li>b</li></ul>'],
  ['tasks', '- [x] done', '<ul><li>[x] done</li></ul>'],
  [
    'fenced code',
    '```js\nif (a < b && c) {}\n\n- x\n```\nEnd',
    '<pre><code>if (a &lt; b &amp;&amp; c) {}\n\n- x</code></pre><p>End</p>',
  ],
  ['a fence that opens in a fence', '```\na\n```js\nb\n```\nEnd', '<pre><code>a\n```js\nb</code></pre><p>End</p>'],
  ['a fence in a longer fence', '````\n```\na\n```\n````\nEnd', '<pre><code>```\na\n```</code></pre><p>End</p>'],
  [
    'code between three signs',
    'Run\n```npm install```\nand **go**',
    '<p>Run<br><code>npm install</code><br>and <strong>go</strong></p>',
  ],
  ['code between two signs', '``a`` `b`', '<p><code>a</code> <code>b</code></p>'],
  ['code', 'Call `a<b>()`', '<p>Call <code>a&lt;b&gt;()</code></p>'],
  [
    'links',
    '[the *docs*](https://a.example/x?a=1&b=2)',
    '<p><a href="https://a.example/x?a=1&amp;b=2">the *docs*</a></p>',
  ],
  ['no scripts', '[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
  [
    'emphasis',
    '**a** *b* _c_ ~~d~~ a_b_c 2*3',
    '<p><strong>a</strong> <em>b</em> <em>c</em> <del>d</del> a_b_c 2*3</p>',
  ],
  ['quotes', '> a\n> > b\nc', '<blockquote><p>a<br>b</p></blockquote><p>c</p>'],
  ['rules', 'a\n\n---\nb', '<p>a</p><hr><p>b</p>'],
  ['stray signs', 'Map<String> & a<b', '<p>Map&lt;String> &amp; a&lt;b</p>'],
  ['tags', '<details><summary>More</summary>Text</details>', '<p><details><summary>More</summary>Text</details></p>'],
  ['an open fence', '```\na', '<pre><code>a</code></pre>'],
  ['nothing', '', ''],
]

test.each(CASES)('Markdown becomes HTML: %s', (_, markdown, html) => {
  expect(markdownToHtml(markdown)).toBe(html)
})

test('scripts of a Markdown text do not pass the sanitizer', async () => {
  const sanitize = await createSanitizer()
  const markdown = '<script>alert(1)</script>\n\n<a href="javascript:alert(1)">x</a> [y](https://a.example)'
  const html = sanitize(markdownToHtml(markdown), '/description')
  expect(html).not.toMatch(/script/)
  expect(html).toContain('<a href="https://a.example">y</a>')
})

const HOSTILE = [
  '[',
  '**a ',
  '*a',
  '_a ',
  '__a__',
  'a_a',
  '`',
  '`a',
  '<a ',
  '![',
  '[a](http://',
  '](',
  '> ',
  '- ',
  '1. ',
  '# ',
  '~~a',
  '```\n',
  '```\n``` a',
  '```',
  '``a',
  '`a``',
  '```a\n',
  '```a`\n',
  '- a\n',
  '    - a\n',
  '\n',
  'a\n\n',
  '&',
]

// A quadratic reader takes longer than the limit of a test.
test.each(HOSTILE)('Markdown of repeated %j ends in time', (piece) => {
  expect(markdownToHtml(piece.repeat(500_000 / piece.length)).length).toBeGreaterThanOrEqual(0)
})
