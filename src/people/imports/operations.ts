import { operation } from '../../http/operation'
import { described, IMPORTS_FILE, importFile, importUpload } from '../../workspace/imports/importing'
import { ImportQuery, rowsOfJson } from '../../workspace/imports/schema'
import { NotInviting } from '../invitations/schema'
import { SegmentParams } from '../segments/schema'
import { takesMembers } from '../segments/statements'

const PART = 'users'

const PeopleQuery = ImportQuery.extend(NotInviting.shape)

const Rows = rowsOfJson('ImportedPeople', [{ email: 'ada@example.com', name: 'Ada Lovelace', plan: 'pro' }])

const DESCRIPTION = described(
  'people',
  `Columns are matched without regard to case, spaces, \`_\`, \`-\` and accents: \`email\` (required), \`name\`, \`firstName\`,
\`lastName\`, \`role\`; the exports of Mailchimp, HubSpot and Intercom are known. Any other column becomes an attribute, and
\`mapping\` says otherwise. Of several rows of one address the first counts.

Whoever is known by the address is left as they are, or with \`onConflict=update\` gets what the file has, keeps a higher
role, and attributes that the file does not have; whoever was removed comes back. With \`invite=true\` those whom it makes are invited by mail. Suppressions stay. Rows that are wrong
are rejected one by one: \`rejected\` names the first 100.`,
)

export const importUsersIntoSegment = operation({
  ...IMPORTS_FILE,
  id: 'importUsersIntoSegment',
  of: 'segment',
  route: 'POST /api/v2/segments/{segmentId}/import-users',
  summary: 'Import users from a file into a segment',
  description: `${DESCRIPTION} Everyone in the file joins the segment; a dynamic one is a 409.`,
  workspaceWide: true,
  refusesFirst: takesMembers,
  params: SegmentParams,
  query: PeopleQuery,
  upload: importUpload('people', PART, Rows),
  handle: (input) => importFile('people', PART, input.params.segmentId, input),
})

export const importMembers = operation({
  ...IMPORTS_FILE,
  id: 'importMembers',
  of: 'import',
  route: 'POST /api/v2/idea-manager/members/import-users',
  summary: 'Import idea-manager members from a file',
  description: DESCRIPTION,
  workspaceWide: true,
  query: PeopleQuery,
  upload: importUpload('people', PART, Rows),
  handle: (input) => importFile('people', PART, null, input),
})
