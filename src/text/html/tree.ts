import { MAIL_ELEMENTS, MAX_HTML_DEPTH, VOID_ELEMENTS } from './elements'
import { escapeAttribute, escapeText } from './escape'

/** `true` is the value of an attribute without a value, like `disabled`. Texts and values are decoded. */
export interface HtmlElement {
  name: string
  attributes: Map<string, string | true>
  children: HtmlNode[]
}
export type HtmlNode = HtmlElement | string
export type HtmlTree = Pick<HtmlElement, 'children'>

export const isElement = (node: HtmlNode): node is HtmlElement => typeof node !== 'string'

const READABLE_ELEMENTS = new Set(MAIL_ELEMENTS)

// Exactly the tags with attributes that `writeHtml` writes.
const TAG_PATTERN = /<([a-z][a-z0-9]*)((?: (?!on)[a-z][a-z0-9:-]*(?:="[^"]*")?)+)>/y
const ATTRIBUTE_PATTERN = / ([^ =]+)(?:="([^"]*)")?/g
const ENTITY_PATTERN = /&(?:#(?:[xX]([\da-fA-F]{1,6})|(\d{1,7}))|(amp|lt|gt|quot));|&/g
// A parser changes these characters, even as references.
const CHANGED_CHARACTER_PATTERN = /[\0\r]/
const NAMED_SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

const isPlainCode = (code: number) =>
  (code >= 0x20 && code < 0x7f) || code === 0x09 || code === 0x0a || (code >= 0xa0 && code < 0xd800) || isHighCode(code)
const isHighCode = (code: number) => code > 0xdfff && code <= 0x10ffff

/** Undefined if the text holds `&` in another way than `writeHtml` writes. */
function decode(text: string): string | undefined {
  if (!text.includes('&')) return text
  let isKnown = true
  const decoded = text.replace(ENTITY_PATTERN, (_, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED_SIGNS[name] ?? ''
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    if (isPlainCode(code)) return String.fromCodePoint(code)
    isKnown = false
    return ''
  })
  return isKnown ? decoded : undefined
}

function readAttributes(text: string): HtmlElement['attributes'] | undefined {
  const attributes: HtmlElement['attributes'] = new Map()
  if (text === '') return attributes
  for (const [, name = '', given] of text.matchAll(ATTRIBUTE_PATTERN)) {
    const value = given === undefined ? true : decode(given)
    if (value === undefined || attributes.has(name)) return undefined
    attributes.set(name, value)
  }
  return attributes
}

interface Tag {
  name: string
  isEnd: boolean
  attributes: HtmlElement['attributes']
  /** Position behind the tag. */
  end: number
}

function readTag(html: string, at: number): Tag | undefined {
  const close = html.indexOf('>', at)
  if (close < 0) return undefined
  const isEnd = html.startsWith('/', at + 1)
  const plain = html.slice(at + (isEnd ? 2 : 1), close)
  // Most tags have no attributes.
  if (READABLE_ELEMENTS.has(plain)) return { name: plain, isEnd, attributes: new Map(), end: close + 1 }
  TAG_PATTERN.lastIndex = at
  const [whole, name = '', given = ''] = TAG_PATTERN.exec(html) ?? []
  const attributes = whole === undefined || !READABLE_ELEMENTS.has(name) ? undefined : readAttributes(given)
  return attributes && { name, isEnd: false, attributes, end: at + (whole?.length ?? 0) }
}

/** The tree of HTML that `writeHtml` or the sanitizer wrote. Undefined for all other HTML, which needs the sanitizer. Linear. */
export function readWrittenHtml(html: string): HtmlTree | undefined {
  if (CHANGED_CHARACTER_PATTERN.test(html)) return undefined
  const root: HtmlElement = { name: '', attributes: new Map(), children: [] }
  const open = [root]
  let parent = root
  for (let at = 0; at < html.length; ) {
    const next = html.indexOf('<', at)
    if (next !== at) {
      const text = decode(html.slice(at, next < 0 ? html.length : next))
      if (text === undefined) return undefined
      parent.children.push(text)
      if (next < 0) break
    }
    const tag = readTag(html, next)
    if (tag === undefined) return undefined
    const { name, attributes } = tag
    at = tag.end
    if (tag.isEnd) {
      if (parent.name !== name || open.length === 1) return undefined
      open.pop()
      parent = open[open.length - 1] ?? root
      continue
    }
    const element: HtmlElement = { name, attributes, children: [] }
    parent.children.push(element)
    // A parser leaves out the first line feed.
    if (name === 'pre' && html[at] === '\n') at++
    if (VOID_ELEMENTS.has(name)) continue
    if (open.push(element) > MAX_HTML_DEPTH + 1) return undefined
    parent = element
  }
  return open.length === 1 ? root : undefined
}

export const writeAttribute = ([name, value]: [string, string | true]) =>
  value === true ? ` ${name}` : ` ${name}="${escapeAttribute(value)}"`

/** Receives the parts of HTML in their order. */
export interface HtmlWriter {
  text(text: string): void
  attribute(attribute: [name: string, value: string | true]): void
  markup(html: string): void
}

export function writeNodes(nodes: readonly HtmlNode[], writer: HtmlWriter): void {
  for (const node of nodes) {
    if (!isElement(node)) {
      writer.text(node)
      continue
    }
    const { name, attributes, children } = node
    writer.markup(`<${name}`)
    for (const attribute of attributes) writer.attribute(attribute)
    writer.markup('>')
    if (VOID_ELEMENTS.has(name)) continue
    const [first] = children
    if (name === 'pre' && typeof first === 'string' && first.startsWith('\n')) writer.markup('\n')
    writeNodes(children, writer)
    writer.markup(`</${name}>`)
  }
}

/** HTML that is safe for readers who look for tags by their signs too: values hold no `<`, `>` or quotation mark. */
export function writeHtml({ children }: HtmlTree): string {
  let html = ''
  writeNodes(children, {
    text: (text) => {
      html += escapeText(text)
    },
    attribute: (attribute) => {
      html += writeAttribute(attribute)
    },
    markup: (markup) => {
      html += markup
    },
  })
  return html
}

/** Replaces each node below `parent`, the innermost first. `around` holds the names of the elements around the node. */
export function replaceNodes(
  parent: HtmlTree,
  replace: (node: HtmlNode, around: readonly string[]) => HtmlNode | readonly HtmlNode[],
  around: string[] = [],
): void {
  const children: HtmlNode[] = []
  for (const node of parent.children) {
    if (isElement(node)) {
      around.push(node.name)
      replaceNodes(node, replace, around)
      around.pop()
    }
    const replaced = replace(node, around)
    if (isList(replaced)) children.push(...replaced)
    else children.push(replaced)
  }
  parent.children = children
}

const isList = (replaced: HtmlNode | readonly HtmlNode[]): replaced is readonly HtmlNode[] => Array.isArray(replaced)

export function listElements(tree: HtmlTree, found: HtmlElement[] = []): HtmlElement[] {
  for (const node of tree.children) {
    if (!isElement(node)) continue
    found.push(node)
    listElements(node, found)
  }
  return found
}

/** Replaces each text and each value of an attribute. */
export function changeTexts(tree: HtmlTree, change: (text: string) => string): void {
  replaceNodes(tree, (node) => {
    if (!isElement(node)) return change(node)
    for (const [name, value] of node.attributes) if (value !== true) node.attributes.set(name, change(value))
    return node
  })
}
