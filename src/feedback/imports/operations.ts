import { operation } from '../../http/operation'
import { text } from '../../http/schemas'
import { createImportUpload, describeImport, IMPORT_OPTIONS, importFile } from '../../workspace/imports/importing'
import { createRowsSchema, ImportQuery } from '../../workspace/imports/schema'

const ImportedFeedbackRows = createRowsSchema('ImportedFeedback', [
  { title: 'Dark mode', description: '<p>At night.</p>', tags: ['ui'], author: 'ada@example.com', plan: 'pro' },
  { title: 'It crashes', type: 'bug', votes: ['ada@example.com'] },
])

const ImportFeedback = ImportQuery.extend({
  product: text(20).min(1).meta({ description: 'External key of the product.', example: 'GW-DEMO' }),
})

export const importFeedbackItems = operation({
  ...IMPORT_OPTIONS,
  id: 'importFeedbackItems',
  of: 'feedback',
  route: 'POST /api/feedback-items/import',
  summary: 'Import feedback items from a file',
  description: describeImport(
    'feedback',
    `Columns are matched by name, regardless of case, spaces, \`_\`, \`-\` and accents: \`title\` (required), \`type\`, \`description\`, \`category\`, \`status\`,
\`tags\`, \`author\` (an address), \`createdAt\`, \`votes\` (addresses, or a JSON array of \`{email, type?, createdAt?}\` with the type \`up\` or \`down\`), \`comments\` (a JSON array of \`{text, email?, createdAt?}\`) and the
other fields of an item. \`externalId\` is the id of the item in the system that \`source\` names. \`visibilityLevel\`, \`isPinned\`, \`isVotingOpen\`, \`votingStartTime\` and \`votingEndTime\` are as in an item; a row with one of the two times replaces both. \`coverPhotos\` has the download paths of images of this workspace, separated by commas; the import fetches no other address. Any other column becomes an
attribute, unless \`mapping\` changes that. Rows with the same \`name\` become one item with the votes of all these rows.

A row with the key of an item of this product, or with its id in another system, changes nothing; with \`onConflict=update\` the item gets the values of the
file, but no new author, votes or comments. Every other row becomes a new item with its own key and the creation time of the
file. A category or status is found by name, and a status also by words of other products like Shipped or Won't do. An unknown name becomes an attribute, with a warning, unless \`createMissing\` creates the record; no mail is sent about the status. Voters and commenters follow a new item, unless \`followers\` (addresses, or a JSON array of \`{email, reason?}\`) names the followers. The undo removes created categories, statuses and tags that no item uses. An author without an address is the only member with this full name. Unknown authors, voters and
commenters become idea-manager members, and stay when the run is undone. For a key that is limited to products, a row by
an unknown author is rejected, votes of unknown people are left out, and the user of the key becomes the author of their comments. Each invalid row is rejected alone.`,
  ),
  productInQuery: true,
  query: ImportFeedback,
  upload: createImportUpload('feedback', 'file', ImportedFeedbackRows),
  handle: (input) => importFile('feedback', 'file', null, input),
})
