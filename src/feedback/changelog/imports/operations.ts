import { requireUnlimitedKey } from '../../../http/auth'
import { operation } from '../../../http/operation'
import { text } from '../../../http/schemas'
import { createImportUpload, describeImport, IMPORT_OPTIONS, importFile } from '../../../workspace/imports/importing'
import { createRowsSchema, ImportQuery } from '../../../workspace/imports/schema'

const ImportedChangelogRows = createRowsSchema('ImportedChangelog', [
  { title: 'Dark mode', content: '<p>At night.</p>', labels: ['New'], publishedAt: '2026-01-31', ideas: ['IDEA-1'] },
])

const ImportChangelog = ImportQuery.extend({
  product: text(20).min(1).optional().meta({
    description: 'External key of the product of entries without a product in the file. Default: all products.',
    example: 'GW-DEMO',
  }),
})

export const importChangelogEntries = operation({
  ...IMPORT_OPTIONS,
  id: 'importChangelogEntries',
  of: 'changelog_entry',
  route: 'POST /api/v2/changelog/import',
  summary: 'Import changelog entries from a file',
  description: describeImport(
    'changelog',
    `Columns are matched by name, regardless of case, spaces, \`_\`, \`-\` and accents: \`title\` (required), \`content\` (HTML; Markdown with \`{"textFormat": "=markdown"}\` in \`mapping\`), \`labels\`, \`product\` (an external key), \`status\` (\`draft\`, \`scheduled\` or \`published\`), \`publishAt\`, \`publishedAt\`, \`notify\`, \`createdAt\`, and the keys of linked \`ideas\` and \`versions\`. \`externalId\` is the id of the entry in the system that \`source\` names. Any other column is left out.

Without a status, an entry with a date is published, or scheduled if the date lies ahead; an entry without a date is a draft. An unknown status is a draft, with a warning. The followers of the changelog get no mail about entries that the import publishes; a scheduled entry mails as usual at its time.

A row with the key or the id of an entry changes nothing; with \`onConflict=update\` the entry gets the title, the text, the labels and the links of the file, and keeps its product and its publication. Every other row becomes a new entry with its own key. Unknown keys of ideas and versions are warnings. A row with an unknown product is rejected. A key that is limited to products must send \`product\`, and changes and links only records of this product. Each invalid row is rejected alone.`,
  ),
  productInQuery: true,
  query: ImportChangelog,
  upload: createImportUpload('changelog', 'file', ImportedChangelogRows),
  handle(input) {
    if (input.query.product === undefined)
      requireUnlimitedKey(input.actor, 'Send a product of the key as `product`, or use a key without that limit.')
    return importFile('changelog', 'file', null, input)
  },
})
