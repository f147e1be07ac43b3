import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import { createImportUpload, describeImport, IMPORT_OPTIONS, importFile } from '../../workspace/imports/importing'
import { createRowsSchema, ImportQuery } from '../../workspace/imports/schema'

const ImportedItemRows = createRowsSchema('ImportedItems', [
  { externalKey: 'A', type: 'epic', summary: 'Checkout' },
  { type: 'userstory', summary: 'Pay by card', parent: 'A', team: 'Payments' },
])

export const importBacklog = operation({
  ...IMPORT_OPTIONS,
  id: 'importBacklog',
  of: 'work_item',
  route: 'POST /api/initiatives/{product_external_key}/backlog/import',
  summary: 'Import a backlog from a file',
  description: describeImport(
    'backlog',
    `Columns match regardless of case, spaces, \`_\`, \`-\` and accents: \`summary\` (required), \`type\`, \`externalKey\`, \`parent\`,
\`externalId\` (the id in the system that \`externalSource\` names), \`externalIds\` (a JSON array of \`{source, externalId}\`), \`comments\` (a JSON array of \`{text, email?, author?, isPrivate?, createdAt?, id?, parentId?}\`) and the other fields of a work item. A row names its parent by key, id or title. If several columns give a field, the first value of a row counts.
Any other column becomes an attribute, unless \`mapping\` changes this.

\`parent\` names a row of the file, before or after, by its key, its id in the other system or its \`name\`, or else an item of the
product by its key. A row without a type becomes a user story; with one level of rows below, a feature; with two levels, an epic. A row with an unknown type becomes a user story. A word like Bug or Task stays as the attribute \`issueType\`. The progress follows from \`statusCategory\`, or else from the word in \`status\`.

An \`assignee\` is a member with the address, or the only member with the full name. Other people stay as attributes, with a warning. \`solutionVersion\` links the item to open versions of the product by name; \`createMissing=versions\` creates the others, and the undo removes created versions that no item uses.
\`linkedItems\` links the item to items of the file or of the product by their keys or ids. The name of the column gives the type of the links: \`Blocks\`, \`Blocked by\`, \`Depends on\`, \`Duplicate of\`, \`Related to\` or a column of links of Jira. Another name gives the type \`relates\`, with a warning. A new or updated item gets the links; the undo removes the links of the run.
A row with the key of an item of this product, with its key in Jira or with its id in another system leaves the item unchanged, or updates the item with
\`onConflict=update\`. Every other row becomes a new item with a key of its own. A row of a known product without an id is identified by its address, or else by a checksum of its cells, so that a second import of the file creates nothing. Comments and ids in other systems are stored with new items. Unknown commenters become idea-manager members; for a key that is limited to products, the user of the key becomes the author. Each invalid row is rejected alone.`,
  ),
  params: ProductParams,
  query: ImportQuery,
  upload: createImportUpload('backlog', 'file', ImportedItemRows),
  handle: (input) => importFile('backlog', 'file', null, input),
})
