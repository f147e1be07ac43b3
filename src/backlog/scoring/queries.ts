import { sql } from 'drizzle-orm'
import { answer } from '../../db/answer'
import { changes } from '../../db/change'
import type { Database } from '../../db/client'
import { workItems } from '../../db/schema/work-items'
import { param, type Values } from '../../db/statement'
import { type WorkItemKey, workItem } from '../work-items/queries/any'
import type { Scoring } from './models'

const scored = changes(workItem, workItem.addressed, {
  score: sql`${param('score')}`,
  scoring: sql`${param('scoring')}`,
})
const named = answer<{ externalKey: string; version: number }, Values>(
  { externalKey: workItems.externalKey, version: workItems.version },
  sql`FROM ${workItems} WHERE ${workItem.addressed}`,
)

/** Stores the scoring and the score; `score` is in hundredths. */
export async function scoreWorkItem(
  db: Database,
  key: WorkItemKey,
  { scoring, score }: { scoring: Scoring; score: number },
  ifMatch: string | null,
) {
  const { answer } = await db.write({
    guards: workItem.writable(key, ifMatch),
    statements: scored({ ...key, score, scoring: JSON.stringify(scoring) }),
    answer: named(key),
  })
  return answer[0]
}
