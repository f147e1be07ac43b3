import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client/client'
import { updateWhere } from '../../db/records/change'
import { workItems } from '../../db/schema/work-items'
import { returning } from '../../db/sql/returning'
import { param, type Values } from '../../db/sql/statement'
import { type WorkItemKey, workItem } from '../work-items/queries/any'
import type { Scoring } from './models'

const updateScore = updateWhere(workItem, workItem.byKey, {
  score: sql`${param('score')}`,
  scoring: sql`${param('scoring')}`,
})
const returningScoredItem = returning<{ externalKey: string; version: number }, Values>(
  { externalKey: workItems.externalKey, version: workItems.version },
  sql`FROM ${workItems} WHERE ${workItem.byKey}`,
)

export async function scoreWorkItem(
  db: Database,
  key: WorkItemKey,
  { scoring, score }: { scoring: Scoring; score: number },
  ifMatch: string | null,
) {
  const { rows } = await db.write({
    guards: workItem.writeGuards(key, ifMatch),
    statements: updateScore({ ...key, score, scoring: JSON.stringify(scoring) }),
    returning: returningScoredItem(key),
    shows: workItem.returningByKey(key),
  })
  return rows[0]
}
