import { type Reference, referencesTo } from '../../db/sql/references'
import { invalidValueError } from '../../text/errors'
import { escapeHtml } from '../../text/escape'
import { sanitizeRichText } from '../../text/html'

interface CommentBody {
  text?: string | undefined
  mentions?: number[] | undefined
}

export interface SanitizedComment<B> {
  body: B
  references: readonly Reference[]
}

export async function sanitizeComment<B extends CommentBody>(body: B): Promise<SanitizedComment<B>> {
  const mentions = body.mentions && [...new Set(body.mentions)]
  const text = body.text === undefined ? undefined : await sanitizeRichText(body.text, '/text')
  if (text?.trim() === '')
    throw invalidValueError('/text', 'The HTML is empty after unsafe elements like scripts are removed. Send a text.')
  return {
    body: { ...body, ...(text !== undefined && { text }), ...(mentions && { mentions }) },
    references: referencesTo('user', '/mentions', body.mentions),
  }
}

const FIRST_PARAGRAPH = '<p>'
const MARKUP_PATTERN = /^</

/** Names an author without an address before the text. */
export function signText(text: string, name: string | undefined): string {
  if (name === undefined) return text
  const sign = `${escapeHtml(name)}:`
  if (text.startsWith(FIRST_PARAGRAPH)) return `<p>${sign} ${text.slice(FIRST_PARAGRAPH.length)}`
  return MARKUP_PATTERN.test(text) ? `<p>${sign}</p>${text}` : `${sign} ${text}`
}
