import { sql } from 'drizzle-orm'
import { feedbackItems, feedbackTags } from '../../../../db/schema/feedback'
import { caller, insertInto, statements } from '../../../../db/statement'
import { undoing } from '../../../../workspace/imports/statements'
import { hanging, upsert } from './write'

const { restored, statements: undone } = undoing('feedback', upsert)

/** Takes back what a run did with items. */
export const undo = statements(
  undone({
    noun: 'item',
    used: sql`(${hanging} <> r.previous)`,
    inUse: 'Somebody has voted or commented on the item since, or a work item was made of it.',
    before: [
      sql`DELETE FROM ${feedbackTags} WHERE ${feedbackTags.subscriptionId} = ${caller.subscription}
        AND ${feedbackTags.feedbackId} IN (SELECT ${feedbackItems.id} FROM ${restored()})`,
      insertInto(
        feedbackTags,
        { subscriptionId: caller.subscription, feedbackId: feedbackItems.id, tagId: sql`t.value` },
        sql`FROM ${restored(sql`CROSS JOIN json_each(r.previous, '$.tags') t`)} ON CONFLICT DO NOTHING`,
      ),
    ],
    // Their slugs are free.
    removes: [sql`slug = '#' || ${feedbackItems.id}`],
  }),
)
