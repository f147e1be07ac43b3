import { expect, test } from 'vitest'
import { adfToHtml, isAdf } from '../../../src/text/html/adf'
import { createSanitizer } from '../../../src/text/html/rich-text'

const text = (words: string, ...marks: object[]) => ({ type: 'text', text: words, ...(marks.length && { marks }) })
const node = (type: string, content: object[], attrs?: object) => ({ type, content, ...(attrs && { attrs }) })
const paragraph = (...content: object[]) => node('paragraph', content)

const CASES: [name: string, content: object[], html: string][] = [
  [
    'paragraphs and marks',
    [
      paragraph(
        text('a < b', { type: 'strong' }),
        { type: 'hardBreak' },
        text('c', { type: 'em' }, { type: 'code' }, { type: 'textColor', attrs: { color: '#fff' } }),
      ),
    ],
    '<p><strong>a &lt; b</strong><br><code><em>c</em></code></p>',
  ],
  [
    'links',
    [paragraph(text('x', { type: 'link', attrs: { href: 'https://a.example/?a=1&b="' } }))],
    '<p><a href="https://a.example/?a=1&amp;b=&quot;">x</a></p>',
  ],
  ['headings', [node('heading', [text('Steps')], { level: 3 })], '<h3>Steps</h3>'],
  ['headings of other levels', [node('heading', [text('Steps')], { level: 40 })], '<h6>Steps</h6>'],
  [
    'lists',
    [node('bulletList', [node('listItem', [paragraph(text('a'))])]), node('orderedList', [node('listItem', [])])],
    '<ul><li><p>a</p></li></ul><ol><li></li></ol>',
  ],
  [
    'tasks',
    [
      node('taskList', [
        node('taskItem', [text('a')], { state: 'DONE' }),
        node('taskItem', [text('b')], { state: 'TODO' }),
      ]),
    ],
    '<ul><li>[x] a</li><li>[ ] b</li></ul>',
  ],
  [
    'code',
    [node('codeBlock', [text('if (a<b) {}')], { language: 'js' }), { type: 'rule' }],
    '<pre><code>if (a&lt;b) {}</code></pre><hr>',
  ],
  [
    'tables',
    [node('table', [node('tableRow', [node('tableHeader', [text('h')]), node('tableCell', [text('c')])])])],
    '<table><tr><th>h</th><td>c</td></tr></table>',
  ],
  [
    'people, states, dates, pictures and cards',
    [
      paragraph(
        { type: 'mention', attrs: { id: '1', text: '@Ada' } },
        { type: 'status', attrs: { text: 'NEW' } },
        { type: 'emoji', attrs: { shortName: ':smile:' } },
        { type: 'date', attrs: { timestamp: '1582152559000' } },
        { type: 'inlineCard', attrs: { url: 'https://a.example/x' } },
      ),
    ],
    '<p>@AdaNEW:smile:2020-02-19<a href="https://a.example/x">https://a.example/x</a></p>',
  ],
  ['unknown nodes', [node('layoutSection', [paragraph(text('a'))]), node('constructor', [text('b')])], '<p>a</p>b'],
  [
    'nodes with wrong members',
    [{ type: 'text', text: 1, marks: 2 }, { type: 'heading', attrs: null }, {}],
    '<h1></h1>',
  ],
]

test.each(CASES)('a document of Atlassian becomes HTML: %s', (_, content, html) => {
  const document = { type: 'doc', version: 1, content }
  expect(isAdf(document)).toBe(true)
  expect(adfToHtml(document)).toBe(html)
})

test('a script in a document of Atlassian does not pass the sanitizer', async () => {
  const sanitize = await createSanitizer()
  const marks = [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }]
  const html = adfToHtml({ type: 'doc', content: [{ type: 'text', text: '<script>alert(1)</script>', marks }] })
  expect(sanitize(html, '/description')).not.toMatch(/<script|javascript:/)
})
