import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client'
import { feedbackItems } from '../../../db/schema/feedback'
import { ranked } from '../../../db/search'
import { selectionOf } from '../../../db/selection'
import { boundLimit, statement, type Values } from '../../../db/statement'
import { notFound } from '../../../text/errors'
import { type FeedbackKey, feedback } from './record'

// The words of a title that say something, each as one of the index; a title without any is like no other.
const words = sql`(SELECT coalesce(group_concat('"' || replace(word, '"', ' ') || '"', ' OR '), '""') FROM (
  SELECT w.value AS word FROM (SELECT ${feedbackItems.title} AS title FROM ${feedbackItems} WHERE ${feedback.addressed}) own
    CROSS JOIN json_each('[' || replace(json_quote(own.title), ' ', '","') || ']') w
  WHERE length(w.value) > 2 OR unicode(w.value) > 127 LIMIT 16))`

const similar = statement<Record<string, unknown>, Values>(
  sql`SELECT ${selectionOf(feedback.items)} FROM ${ranked('feedback', words)} matched
    CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = matched.id ${feedback.told.joins}
    WHERE ${feedback.visible} AND ${feedbackItems.id} <> ${feedback.id} ${boundLimit('limit')}`,
)

/** Other items that have words of the title, the best first. */
export async function listSimilar(db: Database, key: FeedbackKey, limit: number) {
  const [rows, [found]] = await db.read(similar({ ...key, limit }), feedback.find(key))
  if (!found) throw notFound(feedback.missing)
  return rows.map((row) => feedback.item(row))
}
