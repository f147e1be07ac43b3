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

/** Ids of a table in the file. The ids in the workspace follow one another in the same order. */
export interface IdRange {
  /** Highest id in the file. */
  max: number
  /** Place of the row with the highest id. */
  last: LinePlace
  /** Ids that have a rank. */
  count: number
  /** Id in the workspace of the lowest id, after the reservation. */
  firstId: number | null
}

/** The state of a restore between two units of work, as JSON. */
export interface RestoreState {
  idRanges: Record<string, IdRange>
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
  ...{ idRanges: {}, source: null, owner: null, optionFields: [], erasedAddresses: [], hash: null },
})

interface OldBlock {
  delta: number | null
}

/** An older version keeps the distances of ids: in one block per table, or in a list of blocks. */
interface OldState {
  ranges?: Record<string, OldBlock>
  idBlocks?: Record<string, OldBlock[]>
}

type StoredState = RestoreState & { ranges: null }

const UPDATED_PROBLEM =
  'The service was updated while the restore worked. Erase this workspace, and restore the file into another workspace.'

/** Null for a restore that has to begin. */
export function readRestoreState(text: string | null): RestoreState | null {
  if (text === null) return null
  const stored: StoredState | OldState = JSON.parse(text)
  if ('idRanges' in stored) {
    const { ranges: _, ...state } = stored
    return state
  }
  const { ranges = {}, idBlocks = {} } = stored
  const blocks = [...Object.values(ranges), ...Object.values(idBlocks).flat()]
  if (blocks.some(({ delta }) => delta !== null)) throw new RestoreProblem(UPDATED_PROBLEM)
  return null
}

/** An older version cannot continue. It fails at `ranges`, and the queue retries. */
export const writeRestoreState = (state: RestoreState): string => JSON.stringify({ ...state, ranges: null })
