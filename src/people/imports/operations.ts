import { operation } from '../../http/operation'
import { createImportUpload, describeImport, IMPORT_OPTIONS, importFile } from '../../workspace/imports/importing'
import { createRowsSchema, ImportQuery } from '../../workspace/imports/schema'
import { InviteOnRequestQuery } from '../invitations/schema'
import { SegmentParams } from '../segments/schema'
import { createMembershipGuards } from '../segments/statements'

const PEOPLE_UPLOAD_PART = 'users'

const ImportPeopleQuery = ImportQuery.extend(InviteOnRequestQuery.shape)

const ImportedPeopleRows = createRowsSchema('ImportedPeople', [
  { email: 'ada@example.com', name: 'Ada Lovelace', plan: 'pro' },
])

const PEOPLE_IMPORT_DESCRIPTION = describeImport(
  'people',
  `Columns are matched without regard to case, spaces, \`_\`, \`-\` and accents: \`email\` (required), \`name\`, \`firstName\`,
\`lastName\`, \`role\`, \`externalId\` (the id of the person in the system that \`source\` names). Any other column becomes an
attribute, unless \`mapping\` says otherwise. If several rows have the same address or id, the first row counts. The \`segments\` of an export of this service are names of manual segments; \`createMissing\` creates missing segments. Map another column to \`segmentNames\`, a JSON array, to do the same.

A person with a known id in another system, or else with a known address, stays unchanged. With \`onConflict=update\`, the
person gets the values of the file, also the address, but keeps a higher role and all further attributes. A removed person comes back. With \`invite=true\`, new and returning
people are invited by mail. Columns and statuses of known products that say that a person gets no mail become suppressions with their reason, and so does the column \`suppressed\` (a reason, \`yes\` or \`no\`); \`totals.suppressed\` counts the new ones. An import ends no suppression, and an undo keeps them. Unknown columns about this are warnings, and mail reaches these people. Invalid rows are rejected individually: \`rejected\` lists the
first 100.`,
)

export const importUsersIntoSegment = operation({
  ...IMPORT_OPTIONS,
  id: 'importUsersIntoSegment',
  of: 'segment',
  route: 'POST /api/v2/segments/{segmentId}/import-users',
  summary: 'Import users from a file into a segment',
  description: `${PEOPLE_IMPORT_DESCRIPTION} Every person in the file joins the segment; a dynamic segment is a 409.`,
  workspaceWide: true,
  preflight: { auth: true, guards: createMembershipGuards },
  params: SegmentParams,
  query: ImportPeopleQuery,
  upload: createImportUpload('people', PEOPLE_UPLOAD_PART, ImportedPeopleRows),
  handle: (input) => importFile('people', PEOPLE_UPLOAD_PART, input.params.segmentId, input),
})

export const importMembers = operation({
  ...IMPORT_OPTIONS,
  id: 'importMembers',
  of: 'import',
  route: 'POST /api/v2/idea-manager/members/import-users',
  summary: 'Import idea-manager members from a file',
  description: PEOPLE_IMPORT_DESCRIPTION,
  workspaceWide: true,
  query: ImportPeopleQuery,
  upload: createImportUpload('people', PEOPLE_UPLOAD_PART, ImportedPeopleRows),
  handle: (input) => importFile('people', PEOPLE_UPLOAD_PART, null, input),
})
