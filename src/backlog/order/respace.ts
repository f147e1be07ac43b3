import { generateNKeysBetween } from 'fractional-indexing'
import type { Database } from '../../db/client'
import { ApiError } from '../../text/errors'
import type { WorkItemKey } from '../work-items/queries/any'
import { listAround, rerankItems } from './queries/respace'

// A fresh rank has twelve characters; one more comes with every sixth item that is put into the same gap.
export const MAX_RANK = 40

/**
 * Gives the items around one whose rank has grown long shorter ranks, in the same order. Where one of them was moved
 * meanwhile nothing is changed: the next move that finds a long rank does it.
 */
export async function respace(db: Database, item: WorkItemKey): Promise<void> {
  const around = await listAround(db, item)
  const ranks = generateNKeysBetween(around.first, around.last, around.items.length)
  try {
    await rerankItems(db, item, around, ranks)
  } catch (cause) {
    if (!(cause instanceof ApiError && cause.code === 'conflict')) throw cause
  }
}
