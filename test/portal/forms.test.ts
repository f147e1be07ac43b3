import { expect, test } from 'vitest'
import { readId, readReturnPath } from '../../src/portal/pages/forms'
import { fromParagraphs, toParagraphs } from '../../src/text/html/paragraphs'

const BASE = '/p/plumbline'

test.each([
  '/p/plumbline',
  '/p/plumbline/ideas/IDEA-1',
  '/p/plumbline/de/ideas/IDEA-1?comments=oldest',
  '/p/plumbline?q=pdf&sort=new',
])('a form leads back to %s', (path) => {
  expect(readReturnPath(BASE, path)).toBe(path)
})

test.each([
  'https://evil.example/p/plumbline',
  '//evil.example/p/plumbline',
  '/\\evil.example',
  '\\/evil.example',
  '/p/plumbline/\\evil.example',
  '/p/plumbline/..//evil.example',
  '/p/plumbline/../../sign-in',
  '/p/plumbline-two',
  '/p/another',
  '/\t/evil.example',
  '/p/plumbline\r\nLocation: https://evil.example',
  'javascript:alert(1)',
  ' /p/plumbline',
  '',
  null,
])('a form that names %j leads to the board', (path) => {
  expect(readReturnPath(BASE, path)).toBe(BASE)
})

test.each(['/.//evil.example', '/a/..//evil.example', '//evil.example'])(
  'at an own host, a form that names %j leads to the board',
  (path) => {
    expect([readReturnPath('', path), readReturnPath('', '/roadmap')]).toEqual(['', '/roadmap'])
  },
)

test.each([
  ['One line', '<p>One line</p>'],
  ['A\r\nB\n\n\n C ', '<p>A<br>B</p><p> C</p>'],
  ['<script>&"', '<p>&lt;script&gt;&amp;&quot;</p>'],
  [' \n ', ''],
])('plain text becomes paragraphs: %j', (text, html) => {
  expect(toParagraphs(text)).toBe(html)
})

test.each([
  ['7', 7],
  ['0', null],
  ['7x', null],
  ['-1', null],
  ['9'.repeat(16), null],
  [undefined, null],
])('the id %s is read as %s', (given, id) => {
  expect(readId(given)).toBe(id)
})

test.each(['One line', 'A\nB\n\nC', '<script>&"', "it's &amp; &lt;b>"])(
  'paragraphs become the text that was written: %j',
  (text) => {
    expect(fromParagraphs(toParagraphs(text))).toBe(text)
  },
)

test.each([
  ['<p>A &#x26; B&#x3C;br></p>', 'A & B<br>'],
  ['No markup', 'No markup'],
  ['<p>&#xffffff;</p>', null],
  ['<p>A</p>B', null],
  ['<p title="a>b">A</p>', null],
  ['<p>A <strong>b</strong></p>', null],
  ['<ul><li>A</li></ul>', null],
])('the HTML %j is the text %j', (html, text) => {
  expect(fromParagraphs(html)).toBe(text)
})
