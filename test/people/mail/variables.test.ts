import { expect, test } from 'vitest'
import { fillHtml } from '../../../src/people/mail/variables'

const VARIABLES: Record<string, string> = { to: 'https://x.test', bad: 'javascript:alert(1)', none: '', name: '<Ada>' }
const variableValue = (name: string) => VARIABLES[name]

test.each([
  ['<p>{{name}} {{other}}</p>', '<p>&lt;Ada&gt; {{other}}</p>'],
  ['<a href="{{to}}">a</a>', '<a href="https://x.test">a</a>'],
  ['<a href="{{bad}}">a</a>', '<a href="">a</a>'],
  ['<a href="{{none}}{{bad}}">a</a>', '<a href="">a</a>'],
  ['<a HREF=" \n         {{bad}}">a</a>', '<a HREF=" \n         ">a</a>'],
  ['<img src="{{to}}/{{name}}.png">', '<img src="https://x.test/&lt;Ada&gt;.png">'],
  ['<a href="https://y.test/{{bad}}">a</a>', '<a href="https://y.test/javascript:alert(1)">a</a>'],
  [
    '<a href="{{to}}">{{name}}</a><a href="{{bad}}">{{bad}}</a>',
    '<a href="https://x.test">&lt;Ada&gt;</a><a href="">javascript:alert(1)</a>',
  ],
])('%s', (html, written) => {
  expect(fillHtml(html, variableValue)).toBe(written)
})
