import { type Reference, referencesTo } from '../../db/sql/references'
import { invalidValueError } from '../../text/errors'
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
