import { backlogImport } from './backlog/imports/importing'
import { feedbackImport } from './feedback/imports/importing'
import { type ImportedPerson, peopleImportKind } from './people/imports/kind'
import { peopleImportStatements } from './people/imports/statements'
import type { ImportDefinition, ImportStatements } from './workspace/imports/bulk'

const defineImport = <Row>(one: ImportDefinition<Row>) => one

const IMPORT_DEFINITIONS = {
  people: defineImport<ImportedPerson>({
    kind: peopleImportKind,
    area: 'segments',
    identityOf: ({ email, externalId }) => [email, ...(externalId ? [`${externalId.source} ${externalId.id}`] : [])],
    storedValues: ({ email, firstName, lastName, role, attributes, externalId, createdAt, segments }) => [
      ...[email, firstName, lastName, role, attributes],
      ...[externalId?.source ?? null, externalId?.id ?? null, createdAt, segments ?? null],
    ],
    statements: peopleImportStatements,
    rowsPerRecord: 10,
  }),
  backlog: backlogImport,
  feedback: feedbackImport,
}

export type ImportName = keyof typeof IMPORT_DEFINITIONS

export const IMPORTS: Readonly<Record<ImportName, ImportDefinition<unknown>>> = IMPORT_DEFINITIONS

/** Undoes a run of any kind: a kind without journal entries of the run changes nothing. */
export const undoImportOfAnyKind: ImportStatements['undo'] = (round) =>
  Object.values(IMPORTS).flatMap(({ statements }) => statements.undo(round))
