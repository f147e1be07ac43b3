import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import { described, IMPORTS_FILE, importFile, importUpload } from '../../workspace/imports/importing'
import { ImportQuery, rowsOfJson } from '../../workspace/imports/schema'

const Rows = rowsOfJson('ImportedItems', [
  { externalKey: 'A', type: 'epic', summary: 'Checkout' },
  { type: 'userstory', summary: 'Pay by card', parent: 'A', team: 'Payments' },
])

export const importBacklog = operation({
  ...IMPORTS_FILE,
  id: 'importBacklog',
  of: 'work_item',
  route: 'POST /api/initiatives/{product_external_key}/backlog/import',
  summary: 'Import a backlog from a file',
  description: described(
    'backlog',
    `Columns are matched without regard to case, spaces, \`_\`, \`-\` and accents: \`summary\` (required), \`type\`, \`externalKey\`, \`parent\`,
and the other fields of a work item; the exports of Jira, Linear, Productboard and Trello and our own are known. Any other
column becomes an attribute, and \`mapping\` says otherwise.

\`parent\` names a row of the file by its key, its id elsewhere or its \`name\`, in any order, or else an item of the product by its
key. A row without a type is a user story, a feature where stories hang on it, an epic where features do. A row is known by
the key of an item of this product, or by its key in Jira: it is left as it is, or with \`onConflict=update\` gets what the file
has. Every other row becomes a new item with a key of its own. Rows that are wrong are rejected one by one.`,
  ),
  params: ProductParams,
  query: ImportQuery,
  upload: importUpload('backlog', 'file', Rows),
  handle: (input) => importFile('backlog', 'file', null, input),
})
