import { expect, test } from 'vitest'
import { createHtmlFiller } from '../../../src/people/mail/fill-html'

const VARIABLES: Record<string, string> = {
  ...{ to: 'https://x.test', bad: 'javascript:alert(1)', scheme: 'avascript:alert(1)', none: '', name: '<Ada>' },
}
const variableValue = (name: string) => VARIABLES[name]

test.each([
  ['<p>{{name}} {{other}}</p>', '<p>&lt;Ada&gt; {{other}}</p>'],
  ['<a href="{{to}}">a</a>', '<a href="https://x.test">a</a>'],
  ['<a href="{{bad}}">a</a>', '<a href="">a</a>'],
  ['<a href="{{none}}{{bad}}">a</a>', '<a href="">a</a>'],
  ['<a href=" \n         {{bad}}">a</a>', '<a href=" \n         ">a</a>'],
  ['<img src="{{to}}/{{name}}.png">', '<img src="https://x.test/&lt;Ada&gt;.png">'],
  ['<a href="https://y.test/{{bad}}">a</a>', '<a href="https://y.test/javascript:alert(1)">a</a>'],
  [
    '<a href="{{to}}">{{name}}</a><a href="{{bad}}">{{bad}}</a>',
    '<a href="https://x.test">&lt;Ada&gt;</a><a href="">javascript:alert(1)</a>',
  ],
  ['<p title="{{name}}>">{{ name }}</p>', '<p title="&lt;Ada&gt;&#x3E;">&lt;Ada&gt;</p>'],
  ['<p>href="{{bad}}</p><p title="a">b</p>', '<p>href="javascript:alert(1)</p><p title="a">b</p>'],
  ['<p>{{<b>name</b>}}</p>', '<p>{{<b>name</b>}}</p>'],
  ['<a href="j{{scheme}}">a</a>', '<a href="">a</a>'],
  ['<center title=a>{{name}}<script>b</script>', '<center title="a">&lt;Ada&gt;</center>'],
])('%s', async (html, written) => {
  expect((await createHtmlFiller(html))(variableValue)).toBe(written)
})
