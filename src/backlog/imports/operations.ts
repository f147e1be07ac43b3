import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import { importFile, importUpload } from '../../workspace/imports/importing'
import { ImportQuery, ImportRun, rowsOfJson } from '../../workspace/imports/schema'

const Rows = rowsOfJson('ImportedItems', [
  { externalKey: 'A', type: 'epic', summary: 'Checkout' },
  { type: 'userstory', summary: 'Pay by card', parent: 'A', team: 'Payments' },
])

export const importBacklog = operation({
  id: 'importBacklog',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/backlog/import',
  tag: 'Backlog',
  summary: 'Import a backlog from a file',
  description: `The file is CSV, JSON or NDJSON, at most 95 MB or 100,000 rows; what it holds decides which. The rows may be sent as JSON, too.

Columns are matched without regard to case, spaces, \`_\`, \`-\` and accents: \`summary\` (required), \`type\`, \`externalKey\`, \`parent\`,
and the other fields of a work item; the exports of Jira, Linear, Productboard and Trello and our own are known. Any other
column becomes an attribute, and \`mapping\` says otherwise.

\`parent\` names a row of the file by its key, its id elsewhere or its \`name\`, in any order, or else an item of the product by its
key. A row without a type is a user story, a feature where stories hang on it, an epic where features do. A row is known by
the key of an item of this product, or by its key in Jira: it is left as it is, or with \`onConflict=update\` gets what the file
has. Every other row becomes a new item with a key of its own. Rows that are wrong are rejected one by one.

Up to 5,000 rows are imported in the answer. More (or more than 8 MB) wait for the queue: the run at \`Location\` says how far it is. With \`dryRun=true\` nothing is imported: the answer has the mapping, the totals of all rows and a \`preview\` of the first 50.`,
  scope: 'backlog:write',
  bulk: true,
  // A large file is put into R2 before the batch.
  asksFirst: true,
  status: 201,
  otherStatus: 200,
  params: ProductParams,
  query: ImportQuery,
  upload: importUpload('backlog', 'file', Rows),
  data: ImportRun,
  handle: (input) => importFile('backlog', 'file', null, input),
})
