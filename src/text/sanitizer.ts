import type { Element, ElementContent, Root } from 'hast'
import { fromHtml } from 'hast-util-from-html'
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { toText } from 'hast-util-to-text'

const content: Schema = {
  ...defaultSchema,
  // Nothing is renamed: an `id` cannot clobber a page's variables where the page reads only what it made.
  clobberPrefix: 'user-',
  tagNames: [...(defaultSchema.tagNames ?? []), 'u', 'mark', 'small', 'figure', 'figcaption', 'abbr', 'cite', 'time'],
}

/** Mail is laid out with tables and inline styles, and links may be mailto: and tel:. */
const mail: Schema = {
  ...content,
  tagNames: [...(content.tagNames ?? []), 'center', 'font', 'caption', 'col', 'colgroup'],
  attributes: {
    ...content.attributes,
    '*': [
      ...(content.attributes?.['*'] ?? []),
      'style',
      'align',
      'vAlign',
      'bgColor',
      'width',
      'height',
      'dir',
      'lang',
    ],
    table: ['cellPadding', 'cellSpacing', 'border', 'role'],
    font: ['color', 'face', 'size'],
  },
  protocols: { ...content.protocols, href: [...(content.protocols?.href ?? []), 'tel'] },
}

function parse(html: string): Root {
  return fromHtml(html, { fragment: true })
}

export function sanitizeHtml(html: string): string {
  return toHtml(sanitize(parse(html), content))
}

export function sanitizeMail(html: string): { html: string; text: string } {
  const clean = sanitize(parse(html), mail) as Root
  return { html: toHtml(clean), text: textOf(clean) }
}

/** The text of a document, with the address of each link behind its words. */
function textOf(tree: Root): string {
  const spelled = structuredClone(tree)
  spellOutLinks(spelled)
  return toText(spelled).trim()
}

function spellOutLinks(parent: Root | Element): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    spellOutLinks(child)
    const { href, alt } = child.properties
    if (child.tagName === 'img' && alt) asText(child, String(alt))
    if (child.tagName === 'a' && href && toText(child).trim() !== href) {
      child.children.push({ type: 'text', value: ` (${href})` } satisfies ElementContent)
    }
  }
}

function asText(element: Element, value: string): void {
  element.tagName = 'span'
  element.children = [{ type: 'text', value }]
}
