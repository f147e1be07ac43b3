import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client'
import { endByBytes } from '../../../db/list'
import { bytesOf, MAX_PAGE_BYTES } from '../../../db/page'
import { feedbackItems } from '../../../db/schema/feedback'
import { ranked } from '../../../db/search'
import { selectionOf } from '../../../db/selection'
import { boundLimit, inline, statement, type Values } from '../../../db/statement'
import { notFound } from '../../../text/errors'
import { type FeedbackKey, feedback } from './record'

// Significant words of the title, quoted for the search index; a title without significant words matches nothing.
const words = sql`(SELECT coalesce(group_concat('"' || replace(word, '"', ' ') || '"', ' OR '), '""') FROM (
  SELECT w.value AS word FROM (SELECT ${feedbackItems.title} AS title FROM ${feedbackItems} WHERE ${feedback.addressed}) own
    CROSS JOIN json_each('[' || replace(json_quote(own.title), ' ', '","') || ']') w
  WHERE length(w.value) > 2 OR unicode(w.value) > 127 LIMIT 16))`

const bytes = bytesOf(feedback.items.filter(({ field }) => field.long))

// Reads only the best matches that fit into a page by bytes.
const similar = statement<Record<string, unknown>, Values>(
  sql`SELECT ${selectionOf(feedback.items)} FROM (
      SELECT id, place, sum(bytes) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) - bytes AS before FROM (
        SELECT ${feedbackItems.id} AS id, row_number() OVER () AS place, ${bytes} AS bytes
        FROM ${ranked('feedback', words)} matched CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = matched.id
        WHERE ${feedback.visible} AND ${feedbackItems.id} <> ${feedback.id} ${boundLimit('limit')})) page
    CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = page.id ${feedback.told.joins}
    WHERE page.before <= ${inline(MAX_PAGE_BYTES)} ORDER BY page.place`,
)

/** Lists items that share words with the title, best match first. */
export async function listSimilar(db: Database, key: FeedbackKey, limit: number) {
  const [rows, [found]] = await db.read(similar({ ...key, limit }), feedback.find(key))
  if (!found) throw notFound(feedback.missing)
  const end = endByBytes(rows, feedback.items)
  return rows.slice(0, end).map((row) => feedback.item(row))
}
