import { generateNKeysBetween } from 'fractional-indexing'
import type { Database } from '../../db/client/client'
import { ApiError } from '../../text/errors'
import type { WorkItemKey } from '../work-items/queries/any'
import { readRankWindow, rerankItems } from './queries/respace'

// A fresh rank has 12 characters; every sixth insert into a gap adds a character.
export const MAX_RANK_CHARACTERS = 40

/** A concurrent move cancels the change, and the next move to a long rank tries again. */
export async function respaceRanks(db: Database, item: WorkItemKey): Promise<void> {
  const around = await readRankWindow(db, item)
  const ranks = generateNKeysBetween(around.first, around.last, around.items.length)
  try {
    await rerankItems(db, item, around, ranks)
  } catch (cause) {
    if (!(cause instanceof ApiError && cause.code === 'conflict')) throw cause
  }
}
