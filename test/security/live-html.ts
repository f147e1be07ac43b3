import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5'
import { find, html as htmlProperties } from 'property-information'
import { MAIL_ELEMENTS } from '../../src/text/html/elements'
import { ALLOWED_ATTRIBUTES } from '../../src/text/html/sanitizer'

export interface Node {
  name: string
  attributes: Record<string, string>
  children: (Node | string)[]
}

const HOSTILE_VALUES = [
  'x><meta http-equiv=refresh content="0;url=https://evil.example/"><form action=/api/v2/settings/portal/rotate>',
  '"><img src=x onerror=alert(1)>',
  "'><img src='x' onerror='alert(1)'>",
  '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;&#x3c;/script&#x3e;&#34;',
  '&amp;lt;b&amp;gt; &amp;amp;quot;',
  '`><svg onload=alert(1)>`',
  'one\n>\ntwo -->',
]

const OWN_ADDRESS = '/files/1?'
const ADDRESSES = new Set(['href', 'src', 'cite', 'longDesc'])
const PLACES: Readonly<Record<string, (html: string) => string>> = {
  source: (html) => `<picture>${html}</picture>`,
  summary: (html) => `<details>${html}</details>`,
  li: (html) => `<ul>${html}</ul>`,
}
/** Elements that stand for all others. */
const ANY_ELEMENTS = ['p', 'img', 'a', 'h3']
const VOID_ELEMENTS = ['img', 'input', 'source']

const escapeFor = (quote: '"' | "'", value: string) =>
  quote === '"' ? value.replaceAll('"', '&quot;') : value.replaceAll("'", '&#39;')

function writeSample(element: string, attribute: string, value: string, quote: '"' | "'"): string {
  const needed = element === 'img' && attribute !== 'src' ? ' src="/files/1"' : ''
  const tag = `<${element} ${attribute}=${quote}${escapeFor(quote, value)}${quote}${needed}>`
  const html = VOID_ELEMENTS.includes(element) ? tag : `${tag}x</${element}>`
  return PLACES[element]?.(html) ?? html
}

/** Each attribute that the sanitizer allows, with hostile values. */
export function listSamples(kind: 'content' | 'mail'): string[] {
  const allowed = ALLOWED_ATTRIBUTES[kind] ?? {}
  return Object.entries(allowed).flatMap(([element, attributes]) => {
    const elements = element === '*' ? ANY_ELEMENTS : [element].filter((name) => MAIL_ELEMENTS.includes(name))
    return attributes.flatMap((given) => {
      const property = String(Array.isArray(given) ? given[0] : given)
      const { attribute } = find(htmlProperties, property)
      return elements.flatMap((name) =>
        HOSTILE_VALUES.map((value, n) =>
          writeSample(name, attribute, (ADDRESSES.has(property) ? OWN_ADDRESS : '') + value, n % 2 ? "'" : '"'),
        ),
      )
    })
  })
}

const TEXT_LENGTH = 40_000

export function joinSamples(samples: readonly string[]): string[] {
  const texts: string[] = ['']
  for (const sample of samples) {
    const text = texts.at(-1) ?? ''
    if (text.length + sample.length > TEXT_LENGTH) texts.push(sample)
    else texts[texts.length - 1] = text + sample
  }
  return texts
}

function toNode(node: DefaultTreeAdapterTypes.ParentNode, name = node.nodeName): Node {
  const attrs = 'attrs' in node ? node.attrs : []
  const children = node.childNodes.flatMap((child): (Node | string)[] => {
    if ('childNodes' in child) return [toNode(child)]
    return 'value' in child ? [child.value] : []
  })
  return { name, attributes: Object.fromEntries(attrs.map((one) => [one.name, one.value])), children }
}

export const readTree = (html: string): Node => toNode(parseFragment(html), '')
export const readPage = (html: string): Node => toNode(parse(html), '')

export const listNodes = (node: Node): Node[] => [
  node,
  ...node.children.flatMap((child) => (typeof child === 'string' ? [] : listNodes(child))),
]

/** Lists without their spaces, and ids without the prefix that they get. */
const pack = (value: string) =>
  value
    .replaceAll(/[\s,]+/g, ' ')
    .replaceAll(/(^| |#)user-/g, '$1')
    .trim()

/** What the reader finds beside the attributes and elements that the writer sent; lists can have other spaces. */
export function findAdditions(sent: Node | string | undefined, shown: Node | string | undefined): string[] {
  if (typeof sent === 'string' || typeof shown === 'string' || !sent || !shown)
    return sent === shown ? [] : [`${JSON.stringify(sent)} became ${JSON.stringify(shown)}`]
  const added = Object.entries(shown.attributes).filter(([name, value]) => {
    const given = sent.attributes[name]
    if (shown.name === 'input' && (name === 'type' || name === 'disabled')) return false
    return given === undefined || (value !== '' && pack(value) !== pack(given))
  })
  const children = Array.from({ length: Math.max(sent.children.length, shown.children.length) }, (_, n) =>
    findAdditions(sent.children[n], shown.children[n]),
  )
  const isRenamed = sent.name !== shown.name
  return [
    ...(isRenamed ? [`<${sent.name}> became <${shown.name}>`] : []),
    ...added.map(([name, value]) => `${name} of <${shown.name}> became ${value}`),
    ...children.flat(),
  ]
}

export const countAttributes = (node: Node): number =>
  listNodes(node).reduce((sum, { attributes }) => sum + Object.keys(attributes).length, 0)

/** The tree that a page of the portal shows for stored HTML: other headings, and links for pictures of other sites. */
export function asShown(node: Node, origin: string, isInLink = node.name === 'a'): Node {
  return {
    ...node,
    name: node.name.replace(/^h[1-6]$/, 'heading'),
    children: node.children.flatMap((child): (Node | string)[] => {
      if (typeof child === 'string') return [child]
      const { src, alt } = child.attributes
      if (child.name === 'source') return []
      if (child.name !== 'img') return [asShown(child, origin, isInLink || child.name === 'a')]
      if (!src) return []
      if (URL.parse(src, origin)?.origin === origin)
        return [{ ...child, attributes: { ...child.attributes, alt: alt ?? '' } }]
      if (isInLink) return [alt || src]
      return [{ name: 'a', attributes: { href: src, rel: 'nofollow noopener' }, children: [alt || src] }]
    }),
  }
}
