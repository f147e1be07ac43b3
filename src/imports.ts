import { backlogImport } from './backlog/imports/importing'
import type { Guard } from './db/client/refuse'
import { changelogImport } from './feedback/changelog/imports/importing'
import { feedbackImport } from './feedback/imports/importing'
import { type ImportedPerson, peopleImportKind } from './people/imports/kind'
import { undoNewMembers } from './people/imports/new-members/statements'
import { peopleImportStatements } from './people/imports/statements'
import { suppressionImport } from './people/imports/suppression-lists/importing'
import { revokeKeysBeyondFormerRole, undoneIsStrongerThanCaller } from './people/imports/undone-roles/statements'
import type { ImportDefinition, ImportStatements } from './workspace/imports/bulk'

const defineImport = <Row>(one: ImportDefinition<Row>) => one

const IMPORT_DEFINITIONS = {
  people: defineImport<ImportedPerson>({
    kind: peopleImportKind,
    area: 'segments',
    describeDuplicate: ({ email }) => ({
      ...{ field: 'email', value: email },
      reason: 'An earlier row has the same address or id. The earlier row counts.',
    }),
    identityOf: ({ email, externalId }) => [email, ...(externalId ? [`${externalId.source} ${externalId.id}`] : [])],
    storedValues: ({ email, firstName, lastName, role, attributes, externalId, createdAt, segments, refusesMail }) => [
      ...[email, firstName, lastName, role, attributes],
      ...[externalId?.source ?? null, externalId?.id ?? null, createdAt, segments ?? null, refusesMail ? 1 : 0],
    ],
    suppressionsOf: ({ email, externalId, suppressions = [] }) =>
      suppressions.map(({ reason, segment }) => [
        email,
        externalId?.source ?? null,
        externalId?.id ?? null,
        reason,
        segment,
      ]),
    statements: {
      ...peopleImportStatements,
      undo: (round) => [...revokeKeysBeyondFormerRole(round), ...peopleImportStatements.undo(round)],
    },
    rowsPerRecord: 10,
  }),
  backlog: backlogImport,
  feedback: feedbackImport,
  changelog: changelogImport,
  suppressions: suppressionImport,
}

export type ImportName = keyof typeof IMPORT_DEFINITIONS

export const IMPORTS: Readonly<Record<ImportName, ImportDefinition<unknown>>> = IMPORT_DEFINITIONS

/** A run of ideas or work items also creates members, who go after the records. */
export const undoImportOfKind = (name: ImportName): ImportStatements['undo'] => {
  const { statements } = IMPORTS[name]
  return (round) => [...statements.undo(round), ...undoNewMembers(round)]
}

/** Undoes a run of any kind: a kind without journal entries of the run changes nothing. */
export const undoImportOfAnyKind: ImportStatements['undo'] = (round) => [
  ...Object.values(IMPORTS).flatMap(({ statements }) => statements.undo(round)),
  ...undoNewMembers(round),
]

export const makeUndoGuards = (key: { importId: number }): Guard[] => [undoneIsStrongerThanCaller(key)]
