import type { Element, ElementContent, Root, RootContent } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize'
import {
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  parseFragment,
  type TreeAdapter,
} from 'parse5'
import { find, html as htmlProperties } from 'property-information'
import { invalidValueError } from '../errors'
import { CONTENT_ELEMENTS, MAIL_ELEMENTS, MAX_HTML_DEPTH } from './elements'
import { toPlainText } from './plain'
import { isSettled } from './settled'
import { type HtmlElement, type HtmlNode, type HtmlTree, writeHtml } from './tree'

type ParentNode = DefaultTreeAdapterTypes.ParentNode

// Unclosed tags reopen in every paragraph: 24 kB can become 2,000,000 elements. Real markup has a few thousand.
const MAX_HTML_ELEMENTS = 50_000
// Reopened tags repeat their attributes: 134 kB can become 130 MB.
const MAX_ATTRIBUTE_CHARACTERS = 1_048_576

/** Prefix of every `id` and `name`, which prevents clobbering globals of a page that displays the text. */
const ID_PREFIX = 'user-'

const CONTENT_HTML_SCHEMA: Schema = {
  ...defaultSchema,
  // Empty because the prefix is added below, once even if a text is stored repeatedly.
  clobber: [],
  // Elements without text for readers.
  strip: ['script', 'style', 'title', 'iframe', 'object', 'noscript', 'template', 'svg', 'math', 'textarea', 'select'],
  tagNames: [...CONTENT_ELEMENTS],
}

const MAIL_HTML_SCHEMA: Schema = {
  ...CONTENT_HTML_SCHEMA,
  tagNames: [...MAIL_ELEMENTS],
  attributes: {
    ...CONTENT_HTML_SCHEMA.attributes,
    '*': [...(CONTENT_HTML_SCHEMA.attributes?.['*'] ?? []), 'style', 'bgColor'],
    table: [...(CONTENT_HTML_SCHEMA.attributes?.table ?? []), 'role'],
    font: ['face'],
  },
  protocols: { ...CONTENT_HTML_SCHEMA.protocols, href: [...(CONTENT_HTML_SCHEMA.protocols?.href ?? []), 'tel'] },
}

/** Attributes that HTML can keep, by element; `*` stands for every element. */
export const ALLOWED_ATTRIBUTES: Readonly<Record<'content' | 'mail', Schema['attributes']>> = {
  content: CONTENT_HTML_SCHEMA.attributes,
  mail: MAIL_HTML_SCHEMA.attributes,
}

// Old clients execute these styles; escapes and comments can hide the patterns.
const SCRIPTING_STYLE_PATTERN = /expression\s*\(|javascript:|vbscript:|behaviou?r\s*:|-moz-binding|@import|\\|\/\*/i

function parseHtml(html: string, path: string): Root {
  let elements = 0
  let characters = 0
  const treeAdapter: TreeAdapter<DefaultTreeAdapterMap> = {
    ...defaultTreeAdapter,
    createElement(tagName, namespace, attributes) {
      for (const { name, value } of attributes) characters += name.length + value.length
      if (++elements > MAX_HTML_ELEMENTS || characters > MAX_ATTRIBUTE_CHARACTERS) {
        throw invalidValueError(
          path,
          'The HTML has too many elements or attributes. Send less, and close each tag in its paragraph.',
        )
      }
      return defaultTreeAdapter.createElement(tagName, namespace, attributes)
    },
  }
  const fragment = parseFragment(html, { treeAdapter, scriptingEnabled: false })
  if (isDeeperThan(MAX_HTML_DEPTH, fragment))
    throw invalidValueError(path, 'The HTML nests too deep. Send flatter HTML.')
  return fromParse5(fragment) as Root
}

/** Visits the tree level by level, because a recursion would overflow on exactly the markup in question. */
function isDeeperThan(limit: number, root: ParentNode): boolean {
  let level = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true
    const below: ParentNode[] = []
    for (const { childNodes } of level) {
      for (const node of childNodes) {
        if ('childNodes' in node) below.push(node)
        if ('content' in node) below.push(node.content)
      }
    }
    level = below
  }
  return false
}

function cleanHtml(html: string, schema: Schema, path: string): Root {
  const parsed = parseHtml(html, path)
  unwrapDisallowedElements(parsed, schema, [])
  const tree = sanitize(parsed, schema) as Root
  cleanElementProperties(tree)
  return tree
}

/** Runs before the sanitizer, because the sanitizer would copy the children once per disallowed ancestor. */
function unwrapDisallowedElements(parent: Root | Element, schema: Schema, around: string[]): void {
  const allowedNodes: ElementContent[] = []
  const keep = (nodes: readonly RootContent[]): void => {
    for (const node of nodes) {
      if (node.type !== 'element') {
        if (node.type === 'text') allowedNodes.push(node)
      } else if (isAllowedElement(node.tagName, schema, around)) {
        around.push(node.tagName)
        unwrapDisallowedElements(node, schema, around)
        around.pop()
        allowedNodes.push(node)
      } else if (!schema.strip?.includes(node.tagName)) keep(node.children)
    }
  }
  keep(parent.children)
  parent.children = allowedNodes
}

function isAllowedElement(tagName: string, { tagNames, ancestors }: Schema, around: readonly string[]): boolean {
  const within = ancestors?.[tagName]
  return tagNames?.includes(tagName) === true && (!within || within.some((ancestor) => around.includes(ancestor)))
}

function cleanElementProperties(parent: Root | Element): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    const { properties } = child
    for (const name of ['id', 'name']) {
      if (typeof properties[name] === 'string') properties[name] = addIdPrefix(properties[name])
    }
    for (const name of ['ariaDescribedBy', 'ariaLabelledBy']) {
      const ids = properties[name]
      if (Array.isArray(ids)) properties[name] = ids.map((id) => addIdPrefix(String(id)))
    }
    const { href, style } = properties
    if (typeof href === 'string' && href.length > 1 && href.startsWith('#')) {
      properties.href = `#${addIdPrefix(href.slice(1))}`
    }
    if (typeof style === 'string' && SCRIPTING_STYLE_PATTERN.test(style)) delete properties.style
    cleanElementProperties(child)
  }
}

function addIdPrefix(id: string): string {
  return id.startsWith(ID_PREFIX) ? id : ID_PREFIX + id
}

type PropertyValue = Element['properties'][string]

function toAttributeValue(name: string, value: PropertyValue): string | true | undefined {
  const { attribute, boolean, overloadedBoolean, commaSeparated } = find(htmlProperties, name)
  if (value === null || value === undefined || value === false || Number.isNaN(value)) return undefined
  if (value === true) return true
  if ((boolean || overloadedBoolean) && (value === attribute || value === '')) return true
  return withLineFeeds(Array.isArray(value) ? value.join(commaSeparated ? ', ' : ' ') : String(value))
}

/** Carriage returns come from references. A parser would read line feeds from the written HTML. */
const withLineFeeds = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

function toTree({ children }: Pick<Root | Element, 'children'>): HtmlTree {
  return {
    children: children.flatMap((node): HtmlNode[] => {
      if (node.type === 'text') return [withLineFeeds(node.value)]
      if (node.type !== 'element') return []
      const attributes: HtmlElement['attributes'] = new Map()
      for (const [name, given] of Object.entries(node.properties)) {
        const value = toAttributeValue(name, given)
        if (value !== undefined) attributes.set(find(htmlProperties, name).attribute, value)
      }
      return [{ name: node.tagName, attributes, ...toTree(node) }]
    }),
  }
}

// Each reading moves misplaced elements once. Real HTML needs one more reading.
const MAX_READINGS = 8

/** Reads the result again until a browser would read the same tree from it. */
function settleHtml(html: string, schema: Schema, path: string): { html: string; tree: Root } {
  let written = html
  for (let n = 0; n < MAX_READINGS; n++) {
    const tree = cleanHtml(written, schema, path)
    const plain = toTree(tree)
    const next = writeHtml(plain)
    if (next === written || isSettled(plain)) return { html: next, tree }
    written = next
  }
  throw invalidValueError(path, 'The HTML nests elements that HTML does not allow in each other. Send flatter HTML.')
}

export const sanitizeHtml = (html: string, path: string): string => settleHtml(html, CONTENT_HTML_SCHEMA, path).html

export function sanitizeMail(html: string, path: string): { html: string; text: string } {
  const mail = settleHtml(html, MAIL_HTML_SCHEMA, path)
  return { html: mail.html, text: toPlainText(mail.tree) }
}
