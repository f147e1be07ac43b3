import { escapeHtml } from './escape'
import { type HtmlNode, isElement, readWrittenHtml } from './tree'

/** HTML of a plain text. An empty line begins a paragraph. */
export const toParagraphs = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .trim()
    .split(/\n(?:[ \t]*\n)+/)
    .filter(Boolean)
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('')

const readLine = (node: HtmlNode): string | null =>
  isElement(node) ? (node.name === 'br' && node.attributes.size === 0 ? '\n' : null) : node

function joinLines(nodes: readonly HtmlNode[]): string | null {
  const lines = nodes.map(readLine)
  return lines.includes(null) ? null : lines.join('')
}

/** The text of paragraphs, for a form; null if the HTML holds more than paragraphs and line breaks. */
export function fromParagraphs(html: string): string | null {
  const nodes = readWrittenHtml(html)?.children
  if (!nodes) return null
  if (!nodes.some((node) => isElement(node) && node.name === 'p')) return joinLines(nodes)
  const paragraphs: (string | null)[] = []
  for (const node of nodes) {
    if (isElement(node))
      paragraphs.push(node.name === 'p' && node.attributes.size === 0 ? joinLines(node.children) : null)
    else if (node.trim() !== '') return null
  }
  return paragraphs.includes(null) ? null : paragraphs.join('\n\n')
}
