import type { Area } from '../../http/token'
import { type Person, people } from '../../people/imports/kind'
import { peopleBulk } from '../../people/imports/statements'
import type { Bulk } from './bulk'
import type { Kind } from './kind'

/** A kind of import: how its rows are read, what of them is written, and how. */
export interface Importing<Row = never> {
  kind: Kind<Row>
  /** Whose `:read` shows its runs, and whose `:write` cancels and undoes them. */
  area: Area
  /** What tells two rows of one record. */
  identity(row: Row): string
  /** What of a row is bound, behind its number. */
  stored(row: Row): unknown[]
  bulk: Bulk
}

const importing = <Row>(one: Importing<Row>) => one

/** One line a kind, by its name. */
export const IMPORTS = {
  people: importing<Person>({
    kind: people,
    area: 'segments',
    identity: ({ email }) => email,
    stored: ({ email, firstName, lastName, role, attributes }) => [email, firstName, lastName, role, attributes],
    bulk: peopleBulk,
  }),
}

export type ImportName = keyof typeof IMPORTS

/** Takes back what a run of whichever kind did: what a kind did not note is none of its own. */
export const undoOfAny: Bulk['undo'] = (round) => Object.values(IMPORTS).flatMap(({ bulk }) => bulk.undo(round))
