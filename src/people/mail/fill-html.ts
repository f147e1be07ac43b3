import { escapeAttribute, escapeHtml, escapeText } from '../../text/html/escape'
import { readMailTree } from '../../text/html/read-tree'
import { changeTexts, writeAttribute, writeHtml, writeNodes } from '../../text/html/tree'
import { fillText, normalizeVariables, splitVariables, type VariableLookup } from './variables'

export const SAFE_LINK_PATTERN = /^(?:https?:|mailto:|tel:)/i

const ADDRESS_ATTRIBUTES = new Set(['href', 'src', 'cite', 'longdesc'])
const VARIABLE_SCHEME_PATTERN = /^[^:/?#]*\{\{/
// Decides only whether to read the tree.
const SPACED_VARIABLE_PATTERN = /\{\{\s|\s\}\}/

/** Fixed HTML, or HTML that depends on the recipient. */
type MailPart = string | HtmlFiller
export type HtmlFiller = (values: VariableLookup) => string

const listParts = (text: string, write: (text: string) => string): MailPart[] =>
  splitVariables(text).map((part) => {
    if (typeof part === 'string') return write(part)
    return (values) => {
      const value = values(part.name)
      return value === undefined ? write(part.place) : escapeHtml(value)
    }
  })

const fillParts = (parts: readonly MailPart[], values: VariableLookup): string =>
  parts.map((part) => (typeof part === 'string' ? part : part(values))).join('')

/** An address with a variable where its scheme stands must have a safe scheme or becomes empty. */
function createAddressFiller(value: string): HtmlFiller {
  const address = value.trimStart()
  const space = value.slice(0, value.length - address.length)
  const parts = listParts(address, escapeAttribute)
  return (values) => {
    const filled = fillText(address, values)
    const isSafe = filled === address || SAFE_LINK_PATTERN.test(filled)
    return isSafe ? space + fillParts(parts, values) : space
  }
}

async function readParts(html: string): Promise<MailPart[]> {
  const parts: MailPart[] = []
  writeNodes((await readMailTree(html)).children, {
    text: (text) => parts.push(...listParts(text, escapeText)),
    attribute([name, value]) {
      if (value === true || !value.includes('{{')) parts.push(writeAttribute([name, value]))
      else if (ADDRESS_ATTRIBUTES.has(name) && VARIABLE_SCHEME_PATTERN.test(value))
        parts.push(` ${name}="`, createAddressFiller(value), '"')
      else parts.push(` ${name}="`, ...listParts(value, escapeAttribute), '"')
    },
    markup: (markup) => parts.push(markup),
  })
  return parts
}

/** Reads the HTML of a mailing once, for all recipients. */
export async function createHtmlFiller(html: string): Promise<HtmlFiller> {
  if (!html.includes('{{')) return () => html
  const parts = await readParts(html)
  return (values) => fillParts(parts, values)
}

/** Normalizes the variables of sanitized HTML. */
export async function normalizeHtmlVariables(html: string): Promise<string> {
  if (!SPACED_VARIABLE_PATTERN.test(html)) return html
  const tree = await readMailTree(html)
  changeTexts(tree, normalizeVariables)
  return writeHtml(tree)
}
