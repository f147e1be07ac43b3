import { raw } from 'hono/html'
import { readHtmlTree } from '../../text/html/read-tree'
import {
  type HtmlElement,
  type HtmlNode,
  type HtmlTree,
  isElement,
  listElements,
  readWrittenHtml,
  replaceNodes,
  writeHtml,
} from '../../text/html/tree'

const HEADING_NAMES = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
// Decides only whether to read the tree. A parser calls `<image>` an image too.
const CHANGED_ELEMENT_PATTERN = /<(?:h[1-6]|im|source)/i

/** Headings continue below `level`, without gaps. */
function shiftHeadings(tree: HtmlTree, level: number): void {
  const headings = listElements(tree).filter(({ name }) => HEADING_NAMES.includes(name))
  const names = [...new Set(headings.map(({ name }) => name))].sort()
  for (const heading of headings)
    heading.name = `h${Math.min(HEADING_NAMES.length, level + names.indexOf(heading.name))}`
}

const readValue = ({ attributes }: HtmlElement, name: string): string => {
  const value = attributes.get(name)
  return typeof value === 'string' ? value : ''
}

/** A picture of the page's own origin stays. Links cannot stand in links, so a foreign picture there becomes its text. */
function replacePicture(image: HtmlElement, origin: string, isInLink: boolean): HtmlNode | readonly HtmlNode[] {
  const source = readValue(image, 'src')
  if (source === '') return []
  if (URL.parse(source, origin)?.origin === origin) {
    if (image.attributes.has('alt')) return image
    return { ...image, attributes: new Map([['alt', ''], ...image.attributes]) }
  }
  const label = readValue(image, 'alt') || source
  if (isInLink) return label
  const attributes = new Map([
    ['href', source],
    ['rel', 'nofollow noopener'],
  ])
  return { name: 'a', attributes, children: [label] }
}

/** The page loads nothing from other sites, so a picture there becomes a link. */
const linkForeignPictures = (tree: HtmlTree, origin: string): void =>
  replaceNodes(tree, (node, around) => {
    if (!isElement(node)) return node
    if (node.name === 'img') return replacePicture(node, origin, around.includes('a'))
    return node.name === 'source' ? [] : node
  })

function writeForPage(tree: HtmlTree, origin: string, level: number) {
  shiftHeadings(tree, level)
  linkForeignPictures(tree, origin)
  return raw(writeHtml(tree))
}

/**
 * HTML that was sanitized when it was stored. `level` is the level of its first headings. A `<li>` or `<dd>` of the HTML
 * would end the list item around a `<div>`, but not around a `<section>`.
 */
export function Prose({ html, origin, level = 2 }: { html: string; origin: string; level?: number }) {
  if (!CHANGED_ELEMENT_PATTERN.test(html)) return <section class="prose">{raw(html)}</section>
  const tree = readWrittenHtml(html)
  const shown = tree
    ? writeForPage(tree, origin, level)
    : readHtmlTree(html).then((read) => writeForPage(read, origin, level))
  return <section class="prose">{shown}</section>
}
