import type { Reference } from '../../db/references'
import { invalid } from '../../text/errors'
import { sanitize } from '../../text/html'

interface Body {
  text?: string | undefined
  mentions?: number[] | undefined
}

export interface Read<B> {
  body: B
  references: Reference[]
}

/** Sanitizes the HTML of a comment and removes duplicate mentions. */
export async function read<B extends Body>(body: B): Promise<Read<B>> {
  const mentions = body.mentions && [...new Set(body.mentions)]
  const text = body.text === undefined ? undefined : await sanitize(body.text, '/text')
  if (text?.trim() === '') throw invalid('/text', 'Nothing is left of the HTML once scripts and the like are out.')
  return {
    body: { ...body, ...(text !== undefined && { text }), ...(mentions && { mentions }) },
    references: (body.mentions ?? []).map((value, n) => ({ kind: 'user', path: `/mentions/${n}`, value })),
  }
}
