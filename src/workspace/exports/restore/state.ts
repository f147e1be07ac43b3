import type { Sha256State } from '../../../files/archive/sha256'

/** The restore cannot continue. The message becomes the problem of the run. */
export class RestoreProblem extends Error {}

/** Place after a line of an NDJSON file. */
export interface LinePlace {
  /** Bytes before the place. */
  offset: number
  /** Lines before the place. */
  line: number
}

export const FIRST_LINE: LinePlace = { offset: 0, line: 0 }

/** Ids of a table in the file, which keep their order and their distances in the workspace. */
export interface IdBlock {
  min: number
  max: number
  /** Place of the row with the highest id. */
  last: LinePlace
  /** Difference between the id in the workspace and the id in the file, after the reservation. */
  delta: number | null
}

/** The state of a restore between two units of work, as JSON. */
export interface RestoreState {
  /** The blocks of each table, in the order of ids. */
  idBlocks: Record<string, IdBlock[]>
  /** The workspace of the export. */
  source: { id: number; createdAt: number } | null
  /** The owner of the workspace, who is the same person as a user of the file. */
  owner: { from: number; to: number } | null
  /** Ids in the file of custom fields whose values are options. */
  optionFields: number[]
  /** Addresses in the file of people who were erased after the export. */
  erasedAddresses: string[]
  /** Digest of the file that the present step checks. */
  hash: Sha256State | null
}

const startRestoreState = (): RestoreState => ({
  ...{ idBlocks: {}, source: null, owner: null, optionFields: [], erasedAddresses: [], hash: null },
})

/** An older version stores one block per table as `ranges`. Without `ranges` that version fails, and the queue retries. */
type StoredState = Omit<RestoreState, 'idBlocks'> & {
  idBlocks?: RestoreState['idBlocks']
  ranges?: Record<string, IdBlock>
}

export function readRestoreState(text: string | null): RestoreState {
  if (text === null) return startRestoreState()
  const { ranges = {}, idBlocks, ...state }: StoredState = JSON.parse(text)
  const blocksOfRanges = Object.fromEntries(Object.entries(ranges).map(([table, range]) => [table, [range]]))
  return { ...state, idBlocks: idBlocks ?? blocksOfRanges }
}
