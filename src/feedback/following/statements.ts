import { type SQL, sql } from 'drizzle-orm'
import { feedbackItems } from '../../db/schema/feedback'
import { log } from '../../db/schema/tenancy'
import { eventSql } from '../../db/sql/events'
import { caller } from '../../db/sql/statement'
import { feedback } from '../ideas/statements'

const { joins, key, product, person, hidesActor, data } = feedback.eventSource

/**
 * Emits `updated` for the ideas whose status followed the progress of their work item: a trigger changes the ideas, and
 * emits `status_changed` as their newest event. `items` selects the ids of the work items.
 */
export const emitFollowingIdeas = (items: SQL): SQL =>
  eventSql({
    type: 'feedback.updated',
    ...{ key, product, person, hidesActor, data },
    previous: sql`changed.previous`,
    // LIMIT keeps SQLite from flattening the subquery, which would read the log of the workspace.
    from: sql`FROM (SELECT idea.id AS idea_id, emitted.previous AS previous FROM (SELECT f.id, f.external_key FROM ${feedbackItems} f
          WHERE f.subscription_id = ${caller.subscription} AND f.work_item_id IN (${items}) AND f.deleted_at IS NULL
            AND f.merged_into IS NULL AND f.updated_at = ${caller.now} LIMIT -1) idea
        CROSS JOIN ${log} emitted ON emitted.place = (SELECT max(e.place) FROM ${log} e INDEXED BY log_resource
          WHERE e.subscription_id = ${caller.subscription} AND e.resource_key = idea.external_key)
        WHERE emitted.type = 'feedback.status_changed' AND emitted.created_at = ${caller.now} LIMIT -1) changed
      CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = changed.idea_id AND +${feedbackItems.subscriptionId} = ${caller.subscription} ${joins}`,
    many: true,
  })
