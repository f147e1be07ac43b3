import { type SQL, sql } from 'drizzle-orm'
import { feedbackItems } from '../../db/schema/feedback'
import { eventSql } from '../../db/sql/events'
import { momentJson } from '../../db/sql/field'

/** A vote as the list of all votes shows it. */
export const voteJson = (vote: { key: SQL; userId: SQL; type: SQL; createdAt: SQL }) =>
  sql`json_object('feedbackKey', ${vote.key}, 'userId', CAST(${vote.userId} AS INTEGER), 'type', ${vote.type}, 'createdAt', ${momentJson(vote.createdAt)})`

/** `from`: votes `v` with their ideas. `previous`: changed members, as JSON. */
export const emitVotes = (happening: 'created' | 'updated' | 'deleted', from: SQL, previous = sql`NULL`): SQL =>
  eventSql({
    type: `vote.${happening}`,
    key: sql`${feedbackItems.externalKey}`,
    product: sql`${feedbackItems.productId}`,
    data: voteJson({
      ...{ key: sql`${feedbackItems.externalKey}`, userId: sql`v.user_id` },
      ...{ type: sql`v.type`, createdAt: sql`v.created_at` },
    }),
    previous,
    from,
    many: true,
  })
