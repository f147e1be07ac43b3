import type { Element, Root, RootContent } from 'hast'

const LINE_BREAKS_AROUND_TAG: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'blockquote caption center dd details div dl dt figcaption figure hr li ol pre section summary table tr ul'
      .split(' ')
      .map((tag) => [tag, 1]),
  ),
  ...Object.fromEntries('h1 h2 h3 h4 h5 h6 p'.split(' ').map((tag) => [tag, 2])),
}

const WHITE_SPACE_PATTERN = /[\t\n\f\r ]+/g
const HIDDEN_STYLE_PATTERN = /(?:^|;)\s*display\s*:\s*none/i
const LINE_FEED_CODE = 10
// Limit on indentation, because the spaces of deeply nested lists would outgrow the list's tags.
const MAX_LIST_INDENT = 8

/** Cells are separated by tabs, pictures become descriptions, link addresses follow the link text. Linear. */
export function toPlainText(tree: Root): string {
  const text = createTextWriter()
  for (const child of tree.children) writeHtmlNode(child, text, { pre: false, list: undefined })
  return text.toString().trim()
}

interface TextContext {
  pre: boolean
  list: ListState | undefined
}

interface ListState {
  next: number | undefined
  indent: string
}

type TextWriter = ReturnType<typeof createTextWriter>

function writeHtmlNode(node: RootContent, text: TextWriter, context: TextContext): void {
  if (node.type === 'text') {
    if (context.pre) text.writeVerbatim(node.value)
    else text.words(node.value)
  }
  if (node.type !== 'element' || isHiddenElement(node)) return
  const { tagName } = node
  const breaks = LINE_BREAKS_AROUND_TAG[tagName] ?? 0
  text.breakLine(breaks)
  if (tagName === 'br') text.addBreak()
  else if (tagName === 'hr') text.words('---')
  else if (tagName === 'img') text.words(String(node.properties.alt ?? ''))
  else if (tagName === 'td' || tagName === 'th') text.nextCell()
  else if (tagName === 'li') text.bullet(takeBullet(context.list))
  const from = text.position()
  const inside = enterElement(node, context)
  for (const child of node.children) writeHtmlNode(child, text, inside)
  if (tagName === 'a') writeLinkAddress(node, text, from)
  if (tagName === 'li') text.bullet('')
  text.breakLine(breaks)
}

function isHiddenElement({ properties: { hidden, style } }: Element): boolean {
  return Boolean(hidden) || (typeof style === 'string' && HIDDEN_STYLE_PATTERN.test(style))
}

function enterElement({ tagName, properties: { start } }: Element, context: TextContext): TextContext {
  if (tagName === 'pre') return { ...context, pre: true }
  if (tagName !== 'ul' && tagName !== 'ol') return context
  const indent = context.list ? `  ${context.list.indent}`.slice(0, MAX_LIST_INDENT) : ''
  const first = typeof start === 'number' ? start : 1
  return { ...context, list: { next: tagName === 'ol' ? first : undefined, indent } }
}

function takeBullet(list: ListState | undefined): string {
  return list?.next === undefined ? `${list?.indent ?? ''}- ` : `${list.indent}${list.next++}. `
}

function writeLinkAddress({ properties: { href } }: Element, text: TextWriter, from: number): void {
  if (typeof href !== 'string' || href === '' || href.startsWith('#')) return
  if (!text.hasWritten(from, href) && !text.hasWritten(from, href.replace(/^(?:mailto|tel):/, '')))
    text.appendAside(from, `(${href})`)
}

function createTextWriter() {
  // Alternates gaps and words: a gap at even indexes, words at odd indexes.
  const parts: string[] = []
  let breaks = 0
  let gap = ''
  let bullet = ''

  const put = (words: string) => {
    if (words === '') return
    const begins = parts.length === 0
    parts.push(begins || breaks > 0 ? '\n'.repeat(begins ? 0 : breaks) + bullet : gap, words)
    breaks = 0
    gap = ''
    bullet = ''
  }
  const space = () => {
    if (gap === '') gap = ' '
  }

  return {
    position: () => parts.length,
    toString: () => parts.join(''),
    words(value: string) {
      const collapsed = value.replace(WHITE_SPACE_PATTERN, ' ')
      if (collapsed.startsWith(' ')) space()
      const ends = collapsed.length > 1 && collapsed.endsWith(' ')
      put(collapsed.slice(collapsed.startsWith(' ') ? 1 : 0, ends ? -1 : undefined))
      if (ends) space()
    },
    writeVerbatim(value: string) {
      let end = value.length
      while (value.charCodeAt(end - 1) === LINE_FEED_CODE) end--
      put(value.slice(0, end))
      breaks += value.length - end
    },
    breakLine(count: number) {
      if (count > breaks) breaks = count
      if (count > 0) gap = ''
    },
    addBreak() {
      if (breaks < 2) breaks++
      gap = ''
    },
    nextCell() {
      if (breaks === 0 && parts.length > 0) gap = gap === ' ' ? '\t' : `${gap}\t`
    },
    bullet(sign: string) {
      bullet = sign
    },
    /** Reads no more than the length of `expected`, because links can nest. */
    hasWritten(from: number, expected: string): boolean {
      let at = 0
      for (let index = from + 1; index < parts.length; index++) {
        const part = parts[index] as string
        if (!expected.startsWith(part, at)) return false
        at += part.length
      }
      return at === expected.length
    },
    appendAside(from: number, words: string) {
      const after = { breaks, gap }
      const empty = parts.length === from
      if (!empty) breaks = 0
      if (!empty || gap === '') gap = ' '
      put(words)
      if (!empty) ({ breaks, gap } = after)
    },
  }
}
