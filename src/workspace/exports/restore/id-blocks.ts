import { IDS_PER_RANGE } from '../../../db/sql/home-ids'
import { type IdBlock, type LinePlace, RestoreProblem } from './state'

/*
 * A workspace that has moved has ids in the ranges of several homes, billions apart. The ids of a table in a range are a
 * block. Ids keep their distances within a block, and the blocks follow one another in the restored workspace.
 */

// Each move begins at most one block per table. A limit keeps a crafted file from filling the state.
const MAX_BLOCKS = 64

// All blocks of a table together. A limit keeps a crafted file from using up the ids of the home.
const MAX_ID_SPAN = 1_000_000_000

const rangeOf = (id: number): number => Math.floor(id / IDS_PER_RANGE)

function extendBlocks(blocks: IdBlock[], id: number, last: LinePlace): void {
  const range = rangeOf(id)
  // A block of an older version can reach into a second range.
  const block = blocks.find(({ min, max }) => rangeOf(min) <= range && range <= rangeOf(max))
  if (!block) {
    const place = blocks.filter(({ max }) => max < id).length
    blocks.splice(place, 0, { min: id, max: id, last, delta: null })
    return
  }
  block.min = Math.min(block.min, id)
  if (id >= block.max) Object.assign(block, { max: id, last })
}

/** Adds the id of a row to the blocks of its table, in the order of ids. Throws RestoreProblem beyond the limits. */
export function addId(blocks: IdBlock[], id: number, { path, place }: { path: string; place: LinePlace }): void {
  if (id < 1) throw new RestoreProblem(`${path} has an id below 1.`)
  extendBlocks(blocks, id, place)
  if (blocks.length > MAX_BLOCKS)
    throw new RestoreProblem(`The ids in ${path} lie in more than ${MAX_BLOCKS} ranges of ${IDS_PER_RANGE} ids.`)
  const span = blocks.reduce((sum, { min, max }) => sum + max - min, 0)
  if (span > MAX_ID_SPAN) throw new RestoreProblem(`The ids in ${path} are too far apart.`)
}

/** Places the blocks one after the other from the id. */
export function placeBlocks(blocks: readonly IdBlock[], firstId: number): void {
  let nextId = firstId
  for (const block of blocks) {
    block.delta = nextId - block.min
    nextId += block.max - block.min + 1
  }
}

/** The id in the workspace; undefined outside the blocks, and before they are placed. */
export function mapId(blocks: readonly IdBlock[], id: number): number | undefined {
  const block = blocks.find(({ min, max }) => id >= min && id <= max)
  return block && block.delta !== null ? id + block.delta : undefined
}
