import { readHtmlTree } from '../../../text/html/read-tree'
import { isElement, listElements, readWrittenHtml, replaceNodes, writeHtml } from '../../../text/html/tree'

export const VARIABLE_NAME_PATTERN = /^[A-Za-z]\w{0,63}$/

const PLACEHOLDER_PATTERN = /\{\{\s*([A-Za-z]\w{0,63})\s*\}\}/g

function holdsPlaceholder(value: string | true): boolean {
  const start = value === true ? -1 : value.indexOf('{{')
  return value !== true && start >= 0 && value.includes('}}', start)
}

/** `html` is sanitized. */
export async function parsePlaceholders(html: string): Promise<{ content: string; names: string[]; inTag: boolean }> {
  if (!html.includes('{{')) return { content: html, names: [], inTag: false }
  const tree = await readHtmlTree(html)
  const names = new Set<string>()
  let inTag = false
  replaceNodes(tree, (node) => {
    if (isElement(node)) {
      inTag ||= [...node.attributes.values()].some(holdsPlaceholder)
      return node
    }
    return node.replace(PLACEHOLDER_PATTERN, (_, name: string) => {
      names.add(name)
      return `{{${name}}}`
    })
  })
  return { content: writeHtml(tree), names: [...names], inTag }
}

/** Removes attributes with variables, because a value could become a scheme of an address. `html` is sanitized. */
export function removePlaceholdersInTags(html: string): string {
  const tree = html.includes('{{') ? readWrittenHtml(html) : undefined
  if (!tree) return html
  for (const { attributes } of listElements(tree))
    for (const [name, value] of attributes) if (holdsPlaceholder(value)) attributes.delete(name)
  return writeHtml(tree)
}

export const UNKNOWN_VARIABLE_MESSAGE = 'is not in the variables. Add the variable, or remove the placeholder.'
