import { type SQL, sql } from 'drizzle-orm'
import { withItemsAtOrBelow } from '../../../backlog/work-items/fields'
import { changelogEntries, changelogIdeas, changelogVersions } from '../../../db/schema/changelog'
import { feedbackItems } from '../../../db/schema/feedback'
import { solutionVersionItems, solutionVersions } from '../../../db/schema/solution-versions'
import { workItems } from '../../../db/schema/work-items'
import { lastTakenKey, takeNumber } from '../../../db/sql/numbering'
import { caller, inline, insertInto, type Statement, statements, type Values } from '../../../db/sql/statement'
import { changelogEntry } from '../fields'

// With cut titles, a list stays below the 512 KiB of an entry, also if each character is escaped.
const MAX_LISTED_PER_KIND = inline(200)
const MAX_TITLE_CHARACTERS = inline(200)

/** As the sanitizer writes text. */
const escapeHtmlSql = (text: SQL) =>
  sql`replace(replace(substr(${text}, 1, ${MAX_TITLE_CHARACTERS}), '&', '&#x26;'), '<', '&#x3C;')`

const newEntryId = sql`(SELECT ${changelogEntries.id} FROM ${changelogEntries} WHERE ${changelogEntry.justInserted})`

/** Ideas of the version's items and of items below, which visitors may see, and the version's items without such an idea. */
function withContent(version: SQL): SQL {
  const fromItems = sql`FROM ${solutionVersionItems} b WHERE b.subscription_id = ${caller.subscription} AND b.solution_version_id = ${version}`
  return sql`WITH ${withItemsAtOrBelow(sql`SELECT b.work_item_id ${fromItems}`)}, ideas AS MATERIALIZED (
      SELECT i.id, i.title, i.work_item_id FROM ${feedbackItems} i WHERE i.subscription_id = ${caller.subscription}
        AND i.work_item_id IN (SELECT id FROM below) AND i.deleted_at IS NULL AND i.merged_into IS NULL
        AND coalesce(i.visibility_level, 'approved') = 'approved' ORDER BY i.id LIMIT ${MAX_LISTED_PER_KIND}),
    items AS MATERIALIZED (SELECT w.id, w.summary, b.position FROM ${solutionVersionItems} b CROSS JOIN ${workItems} w ON w.id = b.work_item_id
        AND +w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL
      WHERE b.subscription_id = ${caller.subscription} AND b.solution_version_id = ${version}
        AND w.id NOT IN (SELECT work_item_id FROM ideas) ORDER BY b.position, w.id LIMIT ${MAX_LISTED_PER_KIND})`
}

const contentHtml = sql`coalesce((SELECT '<ul>' || group_concat('<li>' || ${escapeHtmlSql(sql`title`)} || '</li>', '' ORDER BY kind, place) || '</ul>'
  FROM (SELECT 0 AS kind, id AS place, title FROM ideas UNION ALL SELECT 1, row_number() OVER (ORDER BY position, id), summary FROM items)), '')`

/** A draft about a version. `where` finds the version, and `version` is its id. */
export function createDraftOfVersion(version: SQL, where: SQL): (values: Values) => Statement[] {
  const emitCreated = changelogEntry.emit('created')
  const insertDraft = statements([
    sql`${withContent(version)} ${insertInto(
      changelogEntries,
      {
        subscriptionId: caller.subscription,
        productId: sql`${solutionVersions.productId}`,
        externalKey: lastTakenKey('CL'),
        title: sql`${solutionVersions.name}`,
        content: contentHtml,
        createdAt: caller.now,
        updatedAt: caller.now,
      },
      sql`FROM ${solutionVersions} WHERE ${where}`,
    )}`,
    sql`${withContent(version)} ${insertInto(
      changelogIdeas,
      { subscriptionId: caller.subscription, changelogEntryId: newEntryId, feedbackId: sql`ideas.id` },
      sql`FROM ideas`,
    )}`,
    insertInto(changelogVersions, {
      subscriptionId: caller.subscription,
      changelogEntryId: newEntryId,
      solutionVersionId: version,
    }),
  ])
  return (values) => [takeNumber('CL'), ...insertDraft(values), emitCreated(values)]
}
