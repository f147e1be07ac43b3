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
export interface IdRange {
  min: number
  max: number
  /** Place of the row with the highest id. */
  last: LinePlace
  /** Difference between the id in the workspace and the id in the file, after the reservation. */
  delta: number | null
}

/** The state of a restore between two units of work, as JSON. */
export interface RestoreState {
  ranges: Record<string, IdRange>
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

export const startRestoreState = (): RestoreState => ({
  ...{ ranges: {}, source: null, owner: null, optionFields: [], erasedAddresses: [], hash: null },
})
