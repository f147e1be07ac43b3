import { storedValuesByColumn } from '../../db/records/body'
import { slugifyName } from '../../text/slug'
import type { ImportDefinition } from '../../workspace/imports/bulk'
import { loadHtmlSanitizer } from '../../workspace/imports/row-values'
import { feedback } from '../ideas/statements'
import { feedbackImportKind, type ImportedIdeaRow } from './kind'
import { createVoteMerger } from './merge-votes'
import { feedbackImportStatements } from './queries'
import { listStatusSlugs } from './status-names'

export const feedbackImport: ImportDefinition<ImportedIdeaRow> = {
  kind: feedbackImportKind,
  area: 'feedback',
  prepare: loadHtmlSanitizer,
  relations: createVoteMerger,
  // The other rows of an item in a file of votes add a voter each.
  describeDuplicate: ({ key, name, externalId, votes }) =>
    votes.length
      ? undefined
      : {
          ...{
            field: key !== null ? 'externalKey' : name !== null ? 'name' : 'externalId',
            value: key ?? name ?? externalId?.id ?? null,
          },
          reason: 'An earlier row has the same key or id. The earlier row counts.',
        },
  identityOf: ({ key, name, externalId }) => key ?? name ?? (externalId && `${externalId.source} ${externalId.id}`),
  storedValues: ({
    key,
    slug,
    author,
    authorName,
    namedAuthor,
    categoryName,
    statusName,
    createdAt,
    externalId,
    fields,
    tags,
    votes,
    comments,
    followers,
    covers,
  }) => [
    ...[key, slug, author, authorName],
    {
      ...storedValuesByColumn(feedback.fields, fields),
      ...(createdAt !== null && { created_at: createdAt }),
      ...(externalId && { source: externalId.source, external_id: externalId.id }),
    },
    tags,
    ...[categoryName, categoryName === null ? null : slugifyName(categoryName)],
    ...[statusName, statusName === null ? null : listStatusSlugs(statusName)],
    ...[votes, comments, namedAuthor?.name ?? null, namedAuthor?.key ?? null, followers],
    covers,
  ],
  statements: feedbackImportStatements,
  rowsPerRecord: 30,
}
