import { type Reference, referencesTo } from '../../db/sql/references'
import { invalidValueError } from '../../text/errors'
import { sanitizeRichText } from '../../text/html/rich-text'
import { isElement, readWrittenHtml, writeHtml } from '../../text/html/tree'

interface CommentBody {
  text?: string | undefined
  mentions?: number[] | undefined
}

export interface SanitizedComment<B> {
  body: B
  references: readonly Reference[]
}

/** `author` names an author without an address. */
export async function sanitizeComment<B extends CommentBody>(body: B, author?: string): Promise<SanitizedComment<B>> {
  const mentions = body.mentions && [...new Set(body.mentions)]
  const html = body.text === undefined ? undefined : await sanitizeRichText(body.text, '/text')
  const text = html === undefined || author === undefined ? html : signText(html, author)
  if (html?.trim() === '')
    throw invalidValueError('/text', 'The HTML is empty after unsafe elements like scripts are removed. Send a text.')
  return {
    body: { ...body, ...(text !== undefined && { text }), ...(mentions && { mentions }) },
    references: referencesTo('user', '/mentions', body.mentions),
  }
}

/** Names an author without an address before the text, which is sanitized. */
export function signText(html: string, name: string): string {
  const tree = readWrittenHtml(html) ?? { children: [html] }
  const [first] = tree.children
  const sign = `${name}:`
  if (first === undefined || !isElement(first)) tree.children.unshift(`${sign} `)
  else if (first.name === 'p') first.children.unshift(`${sign} `)
  else tree.children.unshift({ name: 'p', attributes: new Map(), children: [sign] })
  return writeHtml(tree)
}
