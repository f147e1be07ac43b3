import { operation } from '../../../http/operation'
import { createImportUpload, describeImport, IMPORT_OPTIONS, importFile } from '../../../workspace/imports/importing'
import { createRowsSchema, ImportQuery } from '../../../workspace/imports/schema'

const ImportedSuppressionRows = createRowsSchema('ImportedSuppressions', [
  { email: 'ada@example.com', reason: 'unsubscribe' },
])

export const importSuppressions = operation({
  ...IMPORT_OPTIONS,
  id: 'importSuppressions',
  of: 'suppression',
  route: 'POST /api/v2/suppressions/import',
  summary: 'Import suppressed addresses from a file',
  description: describeImport(
    'suppressions',
    `Every row stops mail to an address. Columns are matched without regard to case, spaces, \`_\`, \`-\` and accents: \`email\` (required), \`reason\` (\`unsubscribe\`, \`hard_bounce\`, \`complaint\` or \`manual\`; words of other products are understood), \`segment\` (the name of the segment whose mail stops; without a name, or with an unknown name, all mail stops) and \`suppressedAt\`. Any other column is left out. Without a \`reason\`, the columns of known products, a status or the name of the file decide, and else the reason is \`manual\`. A row whose columns say that the person gets mail is rejected.

A known suppression stays as it is, with either \`onConflict\`. The addresses do not need to belong to members. An undo ends the suppressions that the run created, except if the person has unsubscribed, or the address was suppressed in another way, since then: \`kept\` lists these.`,
  ),
  workspaceWide: true,
  query: ImportQuery,
  upload: createImportUpload('suppressions', 'file', ImportedSuppressionRows),
  handle: (input) => importFile('suppressions', 'file', null, input),
})
