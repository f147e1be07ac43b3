import type { ImportDefinition } from '../../../workspace/imports/bulk'
import { type ImportedSuppressionRow, suppressionImportKind } from './kind'
import { suppressionImportStatements } from './statements'

export const suppressionImport: ImportDefinition<ImportedSuppressionRow> = {
  kind: suppressionImportKind,
  area: 'mail',
  describeDuplicate: ({ email }) => ({
    ...{ field: 'email', value: email },
    reason: 'An earlier row has the same address and segment. The earlier row counts.',
  }),
  identityOf: ({ email, segment }) => JSON.stringify([email, segment]),
  storedValues: ({ email, reason, segment, createdAt }) => [email, reason, segment, createdAt],
  statements: suppressionImportStatements,
  rowsPerRecord: 12,
}
