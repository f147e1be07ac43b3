import { backlogImport } from './backlog/imports/importing'
import { feedbackImport } from './feedback/ideas/imports/importing'
import { type Person, people } from './people/imports/kind'
import { peopleBulk } from './people/imports/statements'
import type { Bulk, Importing } from './workspace/imports/bulk'

const importing = <Row>(one: Importing<Row>) => one

const KINDS = {
  people: importing<Person>({
    kind: people,
    area: 'segments',
    identity: ({ email }) => email,
    stored: ({ email, firstName, lastName, role, attributes }) => [email, firstName, lastName, role, attributes],
    bulk: peopleBulk,
    rowsPerRecord: 10,
  }),
  backlog: backlogImport,
  feedback: feedbackImport,
}

export type ImportName = keyof typeof KINDS

export const IMPORTS: Readonly<Record<ImportName, Importing<unknown>>> = KINDS

/** Undoes a run of any kind: a kind without journal entries of the run changes nothing. */
export const undoOfAny: Bulk['undo'] = (round) => Object.values(IMPORTS).flatMap(({ bulk }) => bulk.undo(round))
