import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { countRowsWithinBytes } from '../../../db/records/list'
import { leafBytesSql, MAX_PAGE_BYTES } from '../../../db/records/page'
import { feedbackItems, feedbackVotes } from '../../../db/schema/feedback'
import { rankedSearchMatches } from '../../../db/sql/search'
import { selectListOf } from '../../../db/sql/selection'
import { boundLimit, caller, inline, statement, type Values } from '../../../db/sql/statement'
import { notFoundError } from '../../../text/errors'
import { MAX_COMPARED_VOTERS } from '../schema'
import { type FeedbackKey, feedback } from './record'

// Significant words of the title, quoted for the search index; a title without significant words matches nothing.
const selectTitleWords = sql`(SELECT coalesce(group_concat('"' || replace(word, '"', ' ') || '"', ' OR '), '""') FROM (
  SELECT w.value AS word FROM (SELECT trim(words) AS title FROM feedback_item_words ${feedbackItems} WHERE ${feedback.byKey}) own
    CROSS JOIN json_each('[' || replace(json_quote(own.title), ' ', '","') || ']') w
  WHERE length(w.value) > 2 OR unicode(w.value) > 127 LIMIT 16))`

const itemBytes = leafBytesSql(feedback.items.filter(({ field }) => field.isLong))

const newestVoters = sql`SELECT ${feedbackVotes.userId} AS id FROM ${feedbackVotes}
  WHERE ${feedbackVotes.subscriptionId} = ${caller.subscription} AND ${feedbackVotes.feedbackId} = ${feedbackItems.id}
    AND ${feedbackVotes.type} = 'up'
  ORDER BY ${feedbackVotes.createdAt} DESC, ${feedbackVotes.userId} DESC LIMIT ${inline(MAX_COMPARED_VOTERS)}`
/** Voters whom the item of the request would gain by a merge. */
const newVoters = sql`(SELECT count(*) FROM (${newestVoters}) voter WHERE NOT EXISTS (SELECT 1 FROM ${feedbackVotes} own
  WHERE own.subscription_id = ${caller.subscription} AND own.feedback_id = page.own_id AND own.user_id = voter.id))`

// Reads only the best matches that fit into a page by bytes.
const selectSimilar = statement<Record<string, unknown> & { newVoters: number }, Values>(
  sql`SELECT ${selectListOf(feedback.items)}, ${newVoters} AS "newVoters" FROM (
      SELECT id, place, ${feedback.id} AS own_id, sum(bytes) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) - bytes AS before FROM (
        SELECT ${feedbackItems.id} AS id, row_number() OVER () AS place, ${itemBytes} AS bytes
        FROM ${rankedSearchMatches('feedback', selectTitleWords)} matched CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = matched.id
        WHERE ${feedback.notDeleted} AND ${feedbackItems.id} <> ${feedback.id} ${boundLimit('limit')})) page
    CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = page.id ${feedback.eventSource.joins}
    WHERE page.before <= ${inline(MAX_PAGE_BYTES)} ORDER BY page.place`,
)

export async function listSimilar(db: Database, key: FeedbackKey, limit: number) {
  const [rows, [found]] = await db.read(selectSimilar({ ...key, limit }), feedback.selectId(key))
  if (!found) throw notFoundError(feedback.missing)
  const end = countRowsWithinBytes(rows, feedback.items)
  return rows.slice(0, end).map((row) => ({ ...feedback.toItem(row), new_voters: row.newVoters }))
}
