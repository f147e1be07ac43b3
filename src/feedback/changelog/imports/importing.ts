import type { ImportDefinition } from '../../../workspace/imports/bulk'
import { loadHtmlSanitizer } from '../../../workspace/imports/row-values'
import { changelogImportKind, type ImportedEntryRow } from './kind'
import { changelogImportStatements } from './queries'

export const changelogImport: ImportDefinition<ImportedEntryRow> = {
  kind: changelogImportKind,
  area: 'feedback',
  prepare: loadHtmlSanitizer,
  describeDuplicate: ({ key, externalId }) => ({
    ...{ field: key === null ? 'externalId' : 'externalKey', value: key ?? externalId?.id ?? null },
    reason: 'An earlier row has the same key or id. The earlier row counts.',
  }),
  identityOf: ({ key, externalId }) => key ?? (externalId && `${externalId.source} ${externalId.id}`),
  storedValues: ({ key, product, externalId, createdAt, state, fields: { ideas, versions, ...fields } }) => [
    key,
    {
      ...fields,
      ...{ created_at: createdAt, status: state.status, at: state.at },
      ...(externalId && { source: externalId.source, external_id: externalId.id }),
    },
    product,
    ideas ?? null,
    versions ?? null,
  ],
  statements: changelogImportStatements,
  rowsPerRecord: 30,
}
