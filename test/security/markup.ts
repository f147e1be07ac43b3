import { type DefaultTreeAdapterTypes, parse } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

const ADDRESS_ATTRIBUTES = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'xlink:href',
  'data',
  'poster',
  'background',
  'ping',
])
const FORBIDDEN_ELEMENTS = new Set([
  ...['iframe', 'object', 'embed', 'base', 'style', 'math', 'portal', 'frame', 'frameset', 'applet', 'noscript'],
])

const isElement = (node: Node): node is Element => 'tagName' in node

function* walk(node: Node): Generator<Element> {
  if (isElement(node)) yield node
  // A script may take the content of a template into the page.
  if ('content' in node) yield* walk(node.content)
  if ('childNodes' in node) for (const child of node.childNodes) yield* walk(child)
}

/** Spaces and control characters mean nothing at the beginning of an address. */
const schemeOf = (address: string) =>
  /^([a-z][a-z0-9+.-]*):/i.exec(address.replace(/[\s\p{Cc}]/gu, ''))?.[1]?.toLowerCase()

function problemsOf({ tagName, attrs }: Element, shown: (name: string) => string | undefined): string[] {
  const problems: string[] = []
  if (FORBIDDEN_ELEMENTS.has(tagName)) problems.push(`<${tagName}>`)
  if (tagName === 'script' && !shown('src')?.startsWith('/assets/')) problems.push('<script> of nobody')
  if (tagName === 'link' && !/^\/|^https:\/\/groundwork\.test\//.test(shown('href') ?? ''))
    problems.push('<link> elsewhere')
  if (tagName === 'meta' && shown('http-equiv') !== undefined) problems.push('<meta http-equiv>')
  for (const { name, value, prefix } of attrs) {
    const full = prefix ? `${prefix}:${name}` : name
    if (/^on/i.test(full) || full === 'style' || full === 'srcdoc') problems.push(`<${tagName} ${full}>`)
    if (!ADDRESS_ATTRIBUTES.has(full)) continue
    const scheme = schemeOf(value)
    if (scheme !== undefined && !['http', 'https', 'mailto', 'tel'].includes(scheme))
      problems.push(`${full}="${scheme}:"`)
    if (['action', 'formaction'].includes(full) && scheme !== undefined) problems.push(`${full} elsewhere`)
  }
  return problems
}

/** What of a page could run code of somebody else, load it, or send a form elsewhere. */
export function findActiveMarkup(html: string): string[] {
  return [...walk(parse(html))].flatMap((element) =>
    problemsOf(element, (name) => element.attrs.find((one) => one.name === name)?.value),
  )
}
