import { escapeHtml } from './escape'

/** A node of the Atlassian Document Format, the JSON of descriptions and comments in Jira. */
interface AdfNode {
  type?: unknown
  text?: unknown
  attrs?: unknown
  marks?: unknown
  content?: unknown
}

const TAG_BY_NODE: Readonly<Record<string, string>> = {
  paragraph: 'p',
  bulletList: 'ul',
  orderedList: 'ol',
  listItem: 'li',
  taskList: 'ul',
  decisionList: 'ul',
  decisionItem: 'li',
  blockquote: 'blockquote',
  panel: 'blockquote',
  table: 'table',
  tableRow: 'tr',
  tableHeader: 'th',
  tableCell: 'td',
}

const TAG_BY_MARK: Readonly<Record<string, string>> = {
  strong: 'strong',
  em: 'em',
  code: 'code',
  strike: 'del',
  underline: 'u',
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const readAttribute = (node: AdfNode, name: string) => {
  const value = isObject(node.attrs) && Object.hasOwn(node.attrs, name) ? node.attrs[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
const wrapIn = (tag: string, html: string) => `<${tag}>${html}</${tag}>`
const toLink = (url: string, html = escapeHtml(url)) => (url === '' ? html : `<a href="${escapeHtml(url)}">${html}</a>`)

export const isAdf = (value: unknown): value is object => isObject(value) && value.type === 'doc'

/** HTML of a document, for the sanitizer. An unknown node becomes its content. Linear; the reader of JSON limits the depth. */
export function adfToHtml(node: unknown): string {
  if (Array.isArray(node)) return node.map(adfToHtml).join('')
  return isObject(node) ? renderNode(node) : ''
}

function renderNode(node: AdfNode): string {
  const type = typeof node.type === 'string' ? node.type : ''
  const tag = Object.hasOwn(TAG_BY_NODE, type) ? TAG_BY_NODE[type] : undefined
  if (tag !== undefined) return wrapIn(tag, adfToHtml(node.content))
  switch (type) {
    case 'text':
      return renderMarks(node)
    case 'hardBreak':
      return '<br>'
    case 'rule':
      return '<hr>'
    case 'heading':
      return wrapIn(`h${Math.min(6, Math.max(1, Number(readAttribute(node, 'level')) || 1))}`, adfToHtml(node.content))
    case 'codeBlock':
      return wrapIn('pre', wrapIn('code', adfToHtml(node.content)))
    case 'taskItem':
      return wrapIn('li', `[${readAttribute(node, 'state') === 'DONE' ? 'x' : ' '}] ${adfToHtml(node.content)}`)
    case 'expand':
    case 'nestedExpand':
      return `${wrapIn('p', escapeHtml(readAttribute(node, 'title')))}${adfToHtml(node.content)}`
    case 'inlineCard':
      return toLink(readAttribute(node, 'url'))
    case 'blockCard':
    case 'embedCard':
      return wrapIn('p', toLink(readAttribute(node, 'url')))
    case 'date':
      return renderDate(Number(readAttribute(node, 'timestamp')))
    case 'mention':
    case 'status':
    case 'emoji':
      return escapeHtml(readAttribute(node, 'text') || readAttribute(node, 'shortName'))
    default:
      return adfToHtml(node.content)
  }
}

function renderMarks({ text, marks }: AdfNode): string {
  let html = typeof text === 'string' ? escapeHtml(text) : ''
  for (const mark of Array.isArray(marks) ? marks : []) {
    const type = isObject(mark) && typeof mark.type === 'string' ? mark.type : ''
    const tag = Object.hasOwn(TAG_BY_MARK, type) ? TAG_BY_MARK[type] : undefined
    if (tag !== undefined) html = wrapIn(tag, html)
    else if (type === 'link') html = toLink(readAttribute(mark, 'href'), html)
  }
  return html
}

const MAX_DATE_MS = 8.64e15
const renderDate = (at: number) => (Math.abs(at) <= MAX_DATE_MS ? new Date(at).toISOString().slice(0, 10) : '')
