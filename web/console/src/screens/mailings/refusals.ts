import type { Operations } from 'groundwork-client'
import type { MailingTexts } from './texts/en'

export type RefusedElsewhere = Operations['previewSegmentEmail']['data']['refusedElsewhere']

/** Recipients who want no mail by the file of an import, with a line for each import. */
export function describeRefusals(texts: MailingTexts, { people, imports }: RefusedElsewhere): string[] {
  if (people === 0) return []
  const { refused } = texts
  const lines = imports.map(({ file, columns, people: n }) =>
    columns.length ? refused.columns(n, file, columns) : refused.file(n, file),
  )
  return imports.length > 1 ? [refused.total(people), ...lines] : lines
}
