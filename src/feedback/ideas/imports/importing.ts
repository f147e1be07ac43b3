import { storedValuesByColumn } from '../../../db/records/body'
import { slugify } from '../../../text/slug'
import type { ImportDefinition } from '../../../workspace/imports/bulk'
import { loadHtmlSanitizer } from '../../../workspace/imports/row-values'
import { feedback } from '../queries/record'
import { feedbackImportKind, type ImportedIdeaRow } from './kind'
import { createVoteMerger } from './merge-votes'
import { feedbackImportStatements } from './queries'

const toNameAndSlug = (name: string | null) => [name, name === null ? null : slugify(name)]

export const feedbackImport: ImportDefinition<ImportedIdeaRow> = {
  kind: feedbackImportKind,
  area: 'feedback',
  prepare: loadHtmlSanitizer,
  relations: createVoteMerger,
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
    ...[tags, ...toNameAndSlug(categoryName), ...toNameAndSlug(statusName), votes, comments],
  ],
  statements: feedbackImportStatements,
  rowsPerRecord: 30,
}
