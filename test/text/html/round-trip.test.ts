import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { expect, test } from 'vitest'
import { MAIL_ELEMENTS } from '../../../src/text/html/elements'
import { sanitizeHtml, sanitizeMail } from '../../../src/text/html/sanitizer'
import { isSettled } from '../../../src/text/html/settled'
import { readWrittenHtml, writeHtml } from '../../../src/text/html/tree'
import { type Random, seededRandom } from '../../random'

const REFUSED_ELEMENTS = [
  ...['script', 'style', 'title', 'iframe', 'object', 'noscript', 'template', 'svg', 'math', 'textarea', 'select'],
  ...['form', 'button', 'option', 'marquee', 'applet', 'nobr', 'frameset', 'body', 'html', 'head', 'meta', 'base'],
  ...['mi', 'mtext', 'mglyph', 'annotation-xml', 'foreignObject', 'desc', 'link', 'image', 'noembed', 'plaintext'],
]
const ATTRIBUTES = [
  ...['href="x"', 'src="/a>b"', `alt='"><img src=x onerror=a()>'`, 'title="<b>"', 'id=a', 'name=x', 'class=sr-only'],
  ...['style="color:red"', 'onclick=x', 'checked', 'open', 'start=3', "title='`&quot;&amp;lt;'", 'http-equiv=refresh'],
]
const WORDS = [
  ...['x', ' ', '\n', '\n\n', '&lt;', '&amp;lt;', '<!--', '-->', '--!>', '<![CDATA[', ']]>', '&', '<', '>', '"', "'"],
  ...['é', '\u00a0', '\u2028', '\r', '&#0;', '&#128;', '&#xD;', '</', '<!', '<?', '`'],
]

function makeMarkup(random: Random): string {
  const elements = [...MAIL_ELEMENTS, ...(random.chance(60) ? REFUSED_ELEMENTS : [])]
  return Array.from({ length: 1 + random.below(14) }, () => {
    if (random.chance(45)) return `<${random.pick(elements)}${random.chance(30) ? ` ${random.pick(ATTRIBUTES)}` : ''}>`
    return random.chance(50) ? `</${random.pick(elements)}>` : random.pick(WORDS)
  }).join('')
}

interface PlainNode {
  name: string
  attributes: [string, string][]
  children: (PlainNode | string)[]
}

function toPlain(node: DefaultTreeAdapterTypes.ParentNode, name = ''): PlainNode {
  const attributes = 'attrs' in node ? node.attrs.map((one): [string, string] => [one.name, one.value]) : []
  const children = node.childNodes.map((child) => {
    if ('childNodes' in child) return toPlain(child, child.nodeName)
    return 'value' in child ? child.value : `<${child.nodeName}>`
  })
  return { name, attributes, children }
}

const readAsBrowser = (html: string) => toPlain(parseFragment(html))
const readAsService = (html: string) => {
  const tree = readWrittenHtml(html)
  const normalize = (node: {
    name: string
    attributes: Map<string, string | true>
    children: unknown[]
  }): PlainNode => ({
    name: node.name,
    attributes: [...node.attributes].map(([name, value]) => [name, value === true ? '' : value]),
    children: node.children.map((child) => (typeof child === 'string' ? child : normalize(child as never))),
  })
  return tree && normalize({ name: '', attributes: new Map(), children: tree.children })
}

test('a browser, the service and the sanitizer read the same tree from stored HTML', () => {
  const random = seededRandom(44)
  let unsettled = 0
  for (let n = 0; n < 15_000; n++) {
    const markup = makeMarkup(random)
    const stored = n % 2 ? sanitizeHtml(markup, '/a') : sanitizeMail(markup, '/a').html
    const again = n % 2 ? sanitizeHtml(stored, '/a') : sanitizeMail(stored, '/a').html
    const tree = readWrittenHtml(stored)
    if (tree && !isSettled(tree)) unsettled++
    const shown = tree && writeHtml(tree)
    expect({ markup, again, shown, tree: readAsService(stored) }).toEqual({
      ...{ markup, again: stored, shown: stored },
      tree: readAsBrowser(stored),
    })
  }
  expect(unsettled).toBeGreaterThan(1_000)
}, 120_000)

test.each([
  '<p onclick="a()">x</p>',
  '<script>x</script>',
  '<meta http-equiv="refresh">',
  '<textarea><b></textarea></b></textarea>',
  '<p>x',
  '</p>',
  '<P>x</P>',
  '<p title=x>y</p>',
  "<p title='x'>y</p>",
  '<p  title="x">y</p>',
  '<p title="a" title="b">y</p>',
  '<br/>',
  '<!-- x -->',
  '<p>a & b</p>',
  '<p>a < b</p>',
  '<p>&#128;</p>',
  '<p>&#xd800;</p>',
  '<p>&eacute;</p>',
  '<p>&Lt;</p>',
  '<brx',
  '<p>a</p><br ',
  '<b></bx',
  'a\0b',
  'a\rb',
  '<div>'.repeat(200) + '</div>'.repeat(200),
])('HTML that the service does not write goes through the sanitizer: %j', (html) => {
  expect(readWrittenHtml(html)).toBeUndefined()
})

test('values of attributes hold no sign that begins or ends a tag or a value', () => {
  expect(sanitizeHtml(`<img alt='a"><img src=x>\`&amp;lt;' src="/a'b">`, '/a')).toBe(
    '<img alt="a&#x22;&#x3E;&#x3C;img src=x&#x3E;&#x60;&#x26;lt;" src="/a&#x27;b">',
  )
})
