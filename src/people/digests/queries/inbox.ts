import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { feedbackItems } from '../../../db/schema/feedback'
import { feedbackNotices, notices } from '../../../db/schema/notices'
import { log } from '../../../db/schema/tenancy'
import { workItems } from '../../../db/schema/work-items'
import {
  caller,
  columnList,
  inline,
  insertInto,
  type SelectedRow,
  type Statement,
  statement,
  statements,
} from '../../../db/sql/statement'

const MAX_TAKEN_PER_BATCH = inline(500)

const selectTaken = sql`SELECT ${feedbackNotices.id} FROM ${feedbackNotices}
  WHERE ${feedbackNotices.subscriptionId} = ${caller.subscription} ORDER BY ${feedbackNotices.id} LIMIT ${MAX_TAKEN_PER_BATCH}`

// The events of one write stand together, near the end of the log.
const MAX_EVENTS_OF_ITEM = inline(100)
const selectActor = (key: SQL) => sql`(SELECT actor_user_id FROM (
    SELECT e.actor_user_id, e.created_at FROM ${log} e INDEXED BY log_resource
    WHERE e.subscription_id = ${caller.subscription} AND e.resource_key = ${key} ORDER BY e.place DESC LIMIT ${MAX_EVENTS_OF_ITEM})
  WHERE created_at = n.created_at AND actor_user_id IS NOT NULL LIMIT 1)`
/** Events of an anonymous idea name no actor; the event of the work item that the idea follows does. */
const actorOfChange = sql`coalesce(${selectActor(sql`i.external_key`)},
  ${selectActor(sql`(SELECT w.external_key FROM ${workItems} w WHERE w.id = i.work_item_id)`)})`

const takeTriggered = statements([
  insertInto(
    notices,
    {
      subscriptionId: caller.subscription,
      kind: sql`iif(n.solution_version_id IS NULL, 'status', 'release')`,
      feedbackId: sql`n.feedback_id`,
      solutionVersionId: sql`n.solution_version_id`,
      notify: sql`'later'`,
      actorUserId: actorOfChange,
      createdAt: sql`n.created_at`,
    },
    sql`FROM ${feedbackNotices} n LEFT JOIN ${feedbackItems} i ON i.id = n.feedback_id AND i.subscription_id = ${caller.subscription}
      WHERE n.id IN (${selectTaken}) AND +n.subscription_id = ${caller.subscription} ORDER BY n.id`,
  ),
  sql`DELETE FROM ${feedbackNotices} WHERE ${feedbackNotices.id} IN (${selectTaken})
    AND +${feedbackNotices.subscriptionId} = ${caller.subscription}`,
])

export type WaitingNotice = SelectedRow<typeof notices, 'id' | 'kind' | 'feedbackId' | 'people' | 'position'>

const selectNext = statement<WaitingNotice>(sql`
  SELECT ${columnList(notices, ['id', 'kind', 'feedbackId', 'people', 'position'])} FROM ${notices}
  WHERE ${notices.subscriptionId} = ${caller.subscription} AND ${notices.expandedAt} IS NULL
  ORDER BY ${notices.id} LIMIT 1`)

/** Does the work, takes over the changes by triggers, and returns the next notice without recipients. */
export async function takeNext(
  store: Store,
  subscriptionId: number,
  work: readonly Statement<never>[],
): Promise<WaitingNotice | undefined> {
  const results = await store.batch(subscriptionId, ...work, ...takeTriggered({}), selectNext({}))
  return (results.at(-1) as WaitingNotice[])[0]
}
