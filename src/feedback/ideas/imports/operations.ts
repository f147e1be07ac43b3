import { operation } from '../../../http/operation'
import { text } from '../../../http/schemas'
import { described, IMPORTS_FILE, importFile, importUpload } from '../../../workspace/imports/importing'
import { ImportQuery, rowsOfJson } from '../../../workspace/imports/schema'

const Rows = rowsOfJson('ImportedFeedback', [
  { title: 'Dark mode', description: '<p>At night.</p>', tags: ['ui'], author: 'ada@example.com', plan: 'pro' },
  { title: 'It crashes', type: 'bug', votes: ['ada@example.com'] },
])

const ImportFeedback = ImportQuery.extend({
  product: text(20).min(1).meta({ description: 'External key of the product.', example: 'GW-DEMO' }),
})

export const importFeedbackItems = operation({
  ...IMPORTS_FILE,
  id: 'importFeedbackItems',
  of: 'feedback',
  route: 'POST /api/feedback-items/import',
  summary: 'Import feedback items from a file',
  description: described(
    'feedback',
    `Columns are matched without regard to case, spaces, \`_\`, \`-\` and accents: \`title\` (required), \`type\`, \`description\`, \`category\`, \`status\`,
\`tags\`, \`author\` (an address), \`createdAt\`, \`votes\` (addresses, or a JSON array of \`{email, type?, createdAt?}\` with the type \`up\` or \`down\`), \`comments\` (a JSON array of \`{text, email?, createdAt?}\`) and the
other fields of an item; the exports of Canny, Fider and UserVoice and our own are known. Any other column becomes an
attribute, and \`mapping\` says otherwise. Rows that are called the same in the file (\`name\`) are one item, with the votes of all.

A row is known by the key of an item of this product: it is left as it is, or with \`onConflict=update\` gets what the file
has, but no other author, votes or comments. Every other row becomes a new item with a key of its own, made when the file
says. A category or status is found by its name, and is an attribute where there is none; nobody is mailed about the status. Authors, voters and commenters whom
nobody is yet become idea-manager members, and stay when the run is undone; for a key that is limited to products, a row by
somebody unknown is rejected, and votes and comments of such people are left out. Rows that are wrong are rejected one by one.`,
  ),
  productInQuery: true,
  query: ImportFeedback,
  upload: importUpload('feedback', 'file', Rows),
  handle: (input) => importFile('feedback', 'file', null, input),
})
