import { operation } from '../../http/operation'
import { importFile, importUpload } from '../../workspace/imports/importing'
import { ImportQuery, ImportRun, rowsOfJson } from '../../workspace/imports/schema'
import { NotInviting } from '../invitations/schema'
import { SegmentParams } from '../segments/schema'
import { takesMembers } from '../segments/statements'

const PART = 'users'

const PeopleQuery = ImportQuery.extend(NotInviting.shape)

const Rows = rowsOfJson('ImportedPeople', [{ email: 'ada@example.com', name: 'Ada Lovelace', plan: 'pro' }])

const DESCRIPTION = `The file is CSV, JSON or NDJSON, at most 95 MB or 500,000 rows; what it holds decides which. The rows may be sent as JSON, too.

Columns are matched without regard to case, spaces, \`_\`, \`-\` and accents: \`email\` (required), \`name\`, \`firstName\`,
\`lastName\`, \`role\`; the exports of Mailchimp, HubSpot and Intercom are known. Any other column becomes an attribute, and
\`mapping\` says otherwise. Of several rows of one address the first counts.

Whoever is known by the address is left as they are, or with \`onConflict=update\` gets what the file has, keeps a higher
role, and attributes that the file does not have; whoever was removed comes back. With \`invite=true\` those whom it makes are invited by mail. Suppressions stay. Rows that are wrong
are rejected one by one: \`rejected\` names the first 100.

Up to 5,000 rows are imported in the answer. More (or more than 8 MB) wait for the queue: the run at \`Location\` says how far it is. With \`dryRun=true\` nothing is imported: the answer has the mapping, the totals of all rows and a \`preview\` of the first 50.`

export const importUsersIntoSegment = operation({
  id: 'importUsersIntoSegment',
  method: 'post',
  path: '/api/v2/segments/{segmentId}/import-users',
  tag: 'Segments',
  summary: 'Import users from a file into a segment',
  description: `${DESCRIPTION} Everyone in the file joins the segment; a dynamic one is a 409.`,
  scope: 'segments:write',
  workspaceWide: true,
  bulk: true,
  // A large file is put into R2 before the batch.
  asksFirst: true,
  refusesFirst: takesMembers,
  status: 201,
  otherStatus: 200,
  params: SegmentParams,
  query: PeopleQuery,
  upload: importUpload('people', PART, Rows),
  data: ImportRun,
  errors: ['segment_not_found'],
  handle: (input) => importFile('people', PART, input.params.segmentId, input),
})

export const importMembers = operation({
  id: 'importMembers',
  method: 'post',
  path: '/api/v2/idea-manager/members/import-users',
  tag: 'Imports',
  summary: 'Import idea-manager members from a file',
  description: DESCRIPTION,
  scope: 'segments:write',
  workspaceWide: true,
  bulk: true,
  asksFirst: true,
  status: 201,
  otherStatus: 200,
  query: PeopleQuery,
  upload: importUpload('people', PART, Rows),
  data: ImportRun,
  handle: (input) => importFile('people', PART, null, input),
})
