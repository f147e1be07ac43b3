/** Ways to change the address of a person. test/workspace/sessions/address-change.test.ts goes through each of them. */
export const ADDRESS_DOORS = [
  'modifyUser',
  'patchUser',
  'modifyMember',
  'upsertMember',
  'importPeople',
  'undoChangedPerson',
  'undoCreatedPerson',
  'undoIdeaImport',
  'eraseMember',
] as const

export type AddressDoor = (typeof ADDRESS_DOORS)[number]

/** Statements of src that update rows of `users`, one entry per statement: the doors that change an address with it. */
export const USER_UPDATES: Readonly<Record<string, readonly (readonly AddressDoor[])[]>> = {
  'src/workspace/users/queries.ts': [['modifyUser', 'patchUser']],
  'src/people/members/queries/upsert.ts': [['upsertMember']],
  'src/people/imports/statements.ts': [['importPeople', 'undoChangedPerson', 'undoCreatedPerson']],
  'src/people/imports/new-members/statements.ts': [['undoIdeaImport']],
  // The second ends the time to restore.
  'src/people/erasure/queries/erase.ts': [['eraseMember'], []],
  'src/people/members/queries/write.ts': [['modifyMember']],
  // Names, attributes, ids of other systems and versions.
  'src/people/members/statements.ts': [[]],
  'src/people/joining/queries.ts': [[]],
  'src/people/invitations/queries/reinvite.ts': [[]],
  'src/portal/api/end-users/statements.ts': [[], []],
  // The owner of the workspace keeps the address.
  'src/workspace/exports/queries/restored-rows.ts': [[]],
}
