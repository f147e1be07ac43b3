import { expect, test } from 'vitest'
import { createSanitizer } from '../../../src/text/html/rich-text'
import { escapeStraySigns } from '../../../src/text/html/stray-tags'

test.each([
  ['Map<String,String> m = f(a<b);', 'Map&#x3C;String,String> m = f(a&#x3C;b);'],
  [
    'See <https://example.com/a?b=c> and <bob@example.com>.',
    'See &#x3C;https://example.com/a?b=c> and &#x3C;bob@example.com>.',
  ],
  ['use List<Foo> when x<y then stop', 'use List&#x3C;Foo> when x&#x3C;y then stop'],
  ['if a<b and c>d then', 'if a&#x3C;b and c>d then'],
  ['1 < 2 && 3 > 2', '1 &#x3C; 2 &#x26;&#x26; 3 > 2'],
  ['a <b', 'a &#x3C;b'],
  ['<p>Text with <b>HTML</b> and a<x</p>', '<p>Text with <b>HTML</b> and a&#x3C;x</p>'],
  ['<a href="https://example.com">x</a><br/><BR>', '<a href="https://example.com">x</a><br><br>'],
  ['<details open><summary>More</summary>x</details>', '<details open><summary>More</summary>x</details>'],
  ['x <img src=x onerror=alert(1)> y', 'x <img src="x"> y'],
  ['<script>alert(1)</script>left', 'left'],
  ['<scr<script>ipt>alert(1)', '&#x3C;scr'],
])('%s keeps its text', async (text, html) => {
  const sanitize = await createSanitizer()
  expect(sanitize(escapeStraySigns(text), '/description')).toBe(html)
})

// A search that is not linear would not end within the time limit of the test.
test('200,000 opened tags are escaped', () => {
  for (const part of ['<', '<b ', '<a href=', '<b and ', '</b', '<b   ']) {
    const text = part.repeat(200_000)
    expect(escapeStraySigns(text)).toBe(text.replaceAll('<', '&lt;'))
  }
})

test('a tag with 200,000 spaces and no end is escaped', () => {
  for (const end of ['', 'x', '/']) expect(escapeStraySigns(`<a${' '.repeat(200_000)}${end}`)).toMatch(/^&lt;a /)
})
