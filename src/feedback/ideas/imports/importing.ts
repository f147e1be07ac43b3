import { storedValuesByColumn } from '../../../db/records/body'
import { slugify } from '../../../text/slug'
import type { ImportDefinition } from '../../../workspace/imports/bulk'
import { loadHtmlSanitizer } from '../../../workspace/imports/row-values'
import { feedback } from '../queries/record'
import { feedbackKind, type Idea } from './kind'
import { mergeVotes } from './merge-votes'
import { bulk } from './queries'

const nameAndSlug = (name: string | null) => [name, name === null ? null : slugify(name)]

export const feedbackImport: ImportDefinition<Idea> = {
  kind: feedbackKind,
  area: 'feedback',
  prepare: loadHtmlSanitizer,
  relations: mergeVotes,
  identityOf: ({ key, name }) => key ?? name ?? undefined,
  storedValues: ({
    key,
    slug,
    author,
    authorName,
    categoryName,
    statusName,
    createdAt,
    fields,
    tags,
    votes,
    comments,
  }) => [
    ...[key, slug, author, authorName],
    { ...storedValuesByColumn(feedback.fields, fields), ...(createdAt !== null && { created_at: createdAt }) },
    ...[tags, ...nameAndSlug(categoryName), ...nameAndSlug(statusName), votes, comments],
  ],
  statements: bulk,
  rowsPerRecord: 30,
}
