import { escapeHtml } from '../../../text/html/escape'
import { SAFE_LINK_PATTERN } from '../fill-html'

export type TextValues = Readonly<Record<string, string>>

/** The same content as plain text and as HTML. */
export interface Written {
  text: string
  html: string
}

const VARIABLE_PATTERN = /\{\{\s*(\w+)\s*\}\}/g
const LINK_NAME_PATTERN = /url$/i
// "Stop this mail: {{stopUrl}}" becomes a link with the text before the colon.
const LABELED_LINK_PATTERN = /^(.*\S)\s*:\s*\{\{\s*(\w+)\s*\}\}\s*$/

const findValue = (values: TextValues, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** Replaces known variables. A variable of another text stays as it is. */
const fill = (text: string, values: TextValues, write: (value: string, name: string) => string) =>
  text.replace(VARIABLE_PATTERN, (place, name: string) => {
    const value = findValue(values, name)
    return value === undefined ? place : write(value, name)
  })

const writeLink = (address: string, label: string) =>
  SAFE_LINK_PATTERN.test(address) ? `<a href="${escapeHtml(address)}">${label}</a>` : escapeHtml(address)

/** Lines of a value, such as a message, become lines of the HTML. */
const writeHtmlValue = (value: string, name: string) =>
  LINK_NAME_PATTERN.test(name) ? writeLink(value, escapeHtml(value)) : escapeHtml(value).replace(/\r?\n/g, '<br>')

function fillHtmlLine(line: string, values: TextValues): string {
  const [, label, name = ''] = LABELED_LINK_PATTERN.exec(line) ?? []
  const address = LINK_NAME_PATTERN.test(name) ? findValue(values, name) : undefined
  if (label !== undefined && address) return writeLink(address, fill(escapeHtml(label), values, writeHtmlValue))
  return fill(escapeHtml(line), values, writeHtmlValue)
}

/** True for a line with variables that are all empty. */
function isEmptyLine(line: string, values: TextValues): boolean {
  const known = Array.from(line.matchAll(VARIABLE_PATTERN), ([, name = '']) => findValue(values, name)).filter(
    (value) => value !== undefined,
  )
  return known.length > 0 && known.every((value) => value.trim() === '')
}

/** Sets lines with a block apart, so that each is a paragraph. */
const separateBlocks = (template: string, blocks: object) =>
  template.replace(/^[ \t]*\{\{\s*(\w+)\s*\}\}[ \t]*\r?$/gm, (line, name: string) =>
    Object.hasOwn(blocks, name) ? `\n${line}\n` : line,
  )

/** Leaves out lines whose variables are all empty. `blocks` replace a line that has only the variable. */
export function fillTemplate(
  template: string,
  values: TextValues,
  blocks: Readonly<Record<string, readonly Written[]>> = {},
): Written {
  const paragraphs = separateBlocks(template, blocks)
    .split(/\r?\n(?:[ \t]*\r?\n)+/)
    .flatMap((paragraph): Written[] => {
      const [, name = ''] = /^\s*\{\{\s*(\w+)\s*\}\}\s*$/.exec(paragraph) ?? []
      if (Object.hasOwn(blocks, name)) return [...(blocks[name] ?? [])]
      const lines = paragraph.split(/\r?\n/).filter((line) => !isEmptyLine(line, values))
      if (!lines.some((line) => line.trim())) return []
      const text = lines.map((line) => fill(line, values, (value) => value)).join('\n')
      return [{ text, html: `<p>${lines.map((line) => fillHtmlLine(line, values)).join('<br>')}</p>` }]
    })
  return {
    text: paragraphs.map(({ text }) => text).join('\n\n'),
    html: paragraphs.map(({ html }) => html).join('\n'),
  }
}

/** Control characters would begin another header. */
export const fillSubject = (subject: string, values: TextValues): string =>
  fill(subject, values, (value) => value)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
