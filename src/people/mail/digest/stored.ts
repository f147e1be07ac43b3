import * as z from 'zod'
import { NOTICE_KINDS } from '../../notices/schema'
import type { DigestContent, DigestReader } from './compose'
import { MailTemplateChanges } from './schema'
import type { ChangedTemplates } from './templates'

// An export of another service can bring other variables, so the variables are read with care.
const Item = z.object({
  kind: z.enum(NOTICE_KINDS),
  key: z.string(),
  title: z.string(),
  productId: z.number().nullable(),
  slug: z.string().optional(),
  url: z.string().optional(),
  status: z.string().optional(),
  message: z.string().optional(),
  version: z.string().optional(),
  comment: z.string().optional(),
})
const StoredContent = z.object({
  items: z.record(z.string(), Item).catch({}),
  ideaUrl: z.string().nullable().catch(null),
  templates: MailTemplateChanges.catch({}),
})
const StoredReader = z.object({ notices: z.array(z.number()).catch([]), more: z.number().catch(0) })

const parse = (json: string | null): unknown => JSON.parse(json ?? '{}')

let last: { variables: string | null; content: DigestContent } | undefined

/** The messages of a batch share their variables, which have up to 2 MB. */
export function parseDigestContent(variables: string | null): DigestContent {
  const content = last?.variables === variables && last ? last.content : StoredContent.parse(parse(variables))
  last = { variables, content }
  return content
}

export const parseDigestReader = (variables: string | null): Pick<DigestReader, 'notices' | 'more'> =>
  StoredReader.parse(parse(variables))

export const readTemplates = (stored: string | undefined): ChangedTemplates =>
  MailTemplateChanges.catch({}).parse(parse(stored ?? null))
