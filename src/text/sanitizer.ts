import type { Element, ElementContent, Root, RootContent } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import {
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  parseFragment,
  type TreeAdapter,
} from 'parse5'
import { invalidValueError } from './errors'
import { toPlainText } from './plain'

type ParentNode = DefaultTreeAdapterTypes.ParentNode

// Unclosed tags reopen in every paragraph: 24 kB can become 2,000,000 elements. Real markup has a few thousand.
const MAX_HTML_ELEMENTS = 50_000
// Reopened tags repeat their attributes: 134 kB can become 130 MB.
const MAX_ATTRIBUTE_CHARACTERS = 1_048_576

// The content of an element is copied once for each ancestor. Real mail nests tables, at four levels each.
const MAX_HTML_DEPTH = 128

/** Prefix of every `id` and `name`, which prevents clobbering globals of a page that displays the text. */
const ID_PREFIX = 'user-'

const CONTENT_HTML_SCHEMA: Schema = {
  ...defaultSchema,
  // Empty because the prefix is added below, once even if a text is stored repeatedly.
  clobber: [],
  // Elements without text for readers.
  strip: ['script', 'style', 'title', 'iframe', 'object', 'noscript', 'template', 'svg', 'math', 'textarea', 'select'],
  tagNames: [...(defaultSchema.tagNames ?? []), 'u', 'mark', 'small', 'figure', 'figcaption', 'abbr', 'cite', 'time'],
}

const MAIL_HTML_SCHEMA: Schema = {
  ...CONTENT_HTML_SCHEMA,
  tagNames: [...(CONTENT_HTML_SCHEMA.tagNames ?? []), 'center', 'font', 'caption', 'col', 'colgroup'],
  attributes: {
    ...CONTENT_HTML_SCHEMA.attributes,
    '*': [...(CONTENT_HTML_SCHEMA.attributes?.['*'] ?? []), 'style', 'bgColor'],
    table: [...(CONTENT_HTML_SCHEMA.attributes?.table ?? []), 'role'],
    font: ['face'],
  },
  protocols: { ...CONTENT_HTML_SCHEMA.protocols, href: [...(CONTENT_HTML_SCHEMA.protocols?.href ?? []), 'tel'] },
}

export const ALLOWED_HTML_ELEMENTS: readonly string[] = MAIL_HTML_SCHEMA.tagNames ?? []

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

export function sanitizeHtml(html: string, path: string): string {
  return toHtml(cleanHtml(html, CONTENT_HTML_SCHEMA, path))
}

export function sanitizeMail(html: string, path: string): { html: string; text: string } {
  const tree = cleanHtml(html, MAIL_HTML_SCHEMA, path)
  return { html: toHtml(tree), text: toPlainText(tree) }
}
