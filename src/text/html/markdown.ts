import { escapeStraySigns } from './stray-tags'

/** Deeper lists of a text join the list of this depth. */
const MAX_LIST_DEPTH = 8

const FENCE_PATTERN = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const FENCE_END_PATTERN = /^[ \t]*(?:`+|~+)[ \t]*$/
const HEADING_PATTERN = /^(#{1,6})[ \t]+(.*)$/
const RULE_PATTERN = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*$/
const ITEM_PATTERN = /^([ \t]{0,40})(?:([-*+])|(\d{1,9})[.)])[ \t]+(.*)$/
const QUOTE_PATTERN = /^ {0,3}>/
const QUOTE_SIGNS_PATTERN = /^[> \t]{1,40}/

// Each alternative ends at the next sign of its own kind, so that the search stays linear.
const INLINE_PATTERN =
  /(`{1,3})([^`\n]+)\1|!?\[([^[\]\n]{0,500})\]\(((?:https?:\/\/|mailto:)[^\s()<>"]{1,2000})\)|(<\/?[a-z][^<>\n]*>)|\*\*([^*\n]+)\*\*|\*([^*\s][^*\n]*)\*|~~([^~\n]+)~~|(?<![\p{L}\p{N}_])_([^_\n]+)_(?![\p{L}\p{N}_])/giu

const escapeAll = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const escapeText = (text: string) => escapeStraySigns(text.replace(/&(?!#?\w{1,32};)/g, '&amp;'))

function renderInline(text: string): string {
  let html = ''
  let from = 0
  for (const match of text.matchAll(INLINE_PATTERN)) {
    const [whole, , code, label, address, tag, strong, emphasis, deleted, underlined] = match
    html += escapeText(text.slice(from, match.index))
    from = match.index + whole.length
    const emphasized = emphasis ?? underlined
    if (code !== undefined) html += `<code>${escapeAll(code)}</code>`
    else if (address !== undefined) html += `<a href="${escapeAll(address)}">${escapeText(label || address)}</a>`
    else if (tag !== undefined) html += escapeText(tag)
    else if (strong !== undefined) html += `<strong>${renderInline(strong)}</strong>`
    else if (emphasized !== undefined) html += `<em>${renderInline(emphasized)}</em>`
    else html += `<del>${renderInline(deleted ?? '')}</del>`
  }
  return html + escapeText(text.slice(from))
}

const isFenceEnd = (line: string, fence: string) => line.trimStart().startsWith(fence) && FENCE_END_PATTERN.test(line)

interface OpenList {
  tag: 'ul' | 'ol'
  indent: number
}

/**
 * HTML of a Markdown text, for the sanitizer: paragraphs, headings, lists, quotes, code, links and emphasis. Tags of HTML
 * stay, and a table stays a paragraph with its lines. Linear.
 */
export function markdownToHtml(markdown: string): string {
  const lines = markdown.replace(/\r\n?/g, '\n').split('\n')
  const parts: string[] = []
  const lists: OpenList[] = []
  let paragraph: string[] = []
  const endParagraph = () => {
    if (!paragraph.length) return
    const html = paragraph.map((line) => renderInline(line.trim())).join('<br>')
    parts.push(lists.length ? html : `<p>${html}</p>`)
    paragraph = []
  }
  const endList = () => parts.push(`</li></${lists.pop()?.tag}>`)
  const endBlock = () => {
    endParagraph()
    while (lists.length) endList()
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const fence = FENCE_PATTERN.exec(line)?.[1]
    const [, signs, heading = ''] = HEADING_PATTERN.exec(line) ?? []
    const item = ITEM_PATTERN.exec(line)
    if (fence !== undefined) {
      endBlock()
      const first = at + 1
      do at++
      while (at < lines.length && !isFenceEnd(lines[at] ?? '', fence))
      parts.push(`<pre><code>${escapeAll(lines.slice(first, at).join('\n'))}</code></pre>`)
    } else if (line.trim() === '') {
      endParagraph()
      if (!ITEM_PATTERN.test(lines[at + 1] ?? '') && !/^[ \t]{2}/.test(lines[at + 1] ?? '')) endBlock()
    } else if (signs !== undefined) {
      endBlock()
      parts.push(`<h${signs.length}>${renderInline(heading.trim())}</h${signs.length}>`)
    } else if (RULE_PATTERN.test(line)) {
      endBlock()
      parts.push('<hr>')
    } else if (item) takeItem(item)
    else if (QUOTE_PATTERN.test(line)) {
      endBlock()
      const quoted: string[] = []
      for (; QUOTE_PATTERN.test(lines[at] ?? ''); at++)
        quoted.push(renderInline((lines[at] ?? '').replace(QUOTE_SIGNS_PATTERN, '')))
      at--
      parts.push(`<blockquote><p>${quoted.join('<br>')}</p></blockquote>`)
    } else {
      if (lists.length && !paragraph.length) parts.push('<br>')
      paragraph.push(line)
    }
  }
  endBlock()
  return parts.join('')

  function takeItem([, before = '', bullet, , text = '']: RegExpExecArray): void {
    endParagraph()
    const indent = before.replaceAll('\t', '    ').length
    while (lists.length > 1 && indent < (lists.at(-1)?.indent ?? 0)) endList()
    const open = lists.at(-1)
    const isDeeper = open === undefined || (indent > open.indent + 1 && lists.length < MAX_LIST_DEPTH)
    if (isDeeper) {
      const tag = bullet === undefined ? 'ol' : 'ul'
      lists.push({ tag, indent })
      parts.push(`<${tag}><li>`)
    } else parts.push('</li><li>')
    parts.push(renderInline(text.trim()))
  }
}
