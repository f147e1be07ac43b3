import { sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { DerivedField } from '../../db/records/change'
import { createLinkStatements } from '../../db/records/links'
import { changelogEntries, changelogIdeas, changelogVersions } from '../../db/schema/changelog'
import { feedbackItems } from '../../db/schema/feedback'
import { solutionVersions } from '../../db/schema/solution-versions'
import { products } from '../../db/schema/tenancy'
import { coversProduct } from '../../db/sql/access'
import { type Field, listedKey, parseList } from '../../db/sql/field'
import { caller, param, type Statement, type Values } from '../../db/sql/statement'

interface ChangelogLinks {
  table: typeof changelogIdeas | typeof changelogVersions
  target: SQLiteColumn
  targetTable: typeof feedbackItems | typeof solutionVersions
}

export const CHANGELOG_LINKS = {
  ideas: { table: changelogIdeas, target: changelogIdeas.feedbackId, targetTable: feedbackItems },
  versions: {
    ...{ table: changelogVersions, target: changelogVersions.solutionVersionId },
    targetTable: solutionVersions,
  },
} as const satisfies Record<string, ChangelogLinks>

const isShownTarget = sql`t.subscription_id = ${caller.subscription} AND t.deleted_at IS NULL
  AND EXISTS (SELECT 1 FROM ${products} p WHERE p.id = t.product_id AND p.deleted_at IS NULL)`
const isCoveredTarget = coversProduct(sql`t.product_id`)
const fromLinks = ({ table, target, targetTable }: ChangelogLinks) =>
  sql`FROM ${table} l CROSS JOIN ${targetTable} t ON t.id = l.${sql.identifier(target.name)} AND ${isShownTarget}
    WHERE l.subscription_id = ${caller.subscription} AND l.changelog_entry_id = ${changelogEntries.id}`

const listedTargetKey = listedKey({ key: sql`t.external_key`, product: sql`t.product_id` })
const loggedKeysJson = (links: ChangelogLinks) =>
  sql`(SELECT json_group_array(${listedTargetKey} ORDER BY t.id) ${fromLinks(links)})`

/** Keys of linked records of the reader's products. */
export const linkedKeys = (links: ChangelogLinks): Field<string, string[], never> => ({
  sql: sql`(SELECT json_group_array(t.external_key ORDER BY t.id) ${fromLinks(links)} AND ${isCoveredTarget})`,
  show: parseList,
  json: () => sql`json(${loggedKeysJson(links)})`,
})

/** A key that is limited to products replaces only links to records of its products. */
export function createChangelogLinks(name: keyof typeof CHANGELOG_LINKS, holderWhere: ReturnType<typeof sql>) {
  const links = CHANGELOG_LINKS[name]
  const { table, target, targetTable } = links
  const keys = sql`(SELECT value FROM json_each(${param(`=${name}`)}))`
  const json = loggedKeysJson(links)
  const becomes = sql`(SELECT json_group_array(${listedTargetKey} ORDER BY t.id) FROM ${targetTable} t WHERE ${isShownTarget}
    AND t.id IN (SELECT k.id FROM ${targetTable} k WHERE k.subscription_id = ${caller.subscription} AND k.external_key IN ${keys}
      UNION SELECT t.id ${fromLinks(links)} AND NOT ${isCoveredTarget}))`
  const change: DerivedField = { name, json, differs: sql`${json} IS NOT ${becomes}`, newValue: becomes }
  const { replace } = createLinkStatements({
    table,
    holder: table.changelogEntryId,
    holderId: sql`(SELECT ${changelogEntries.id} FROM ${changelogEntries} WHERE ${holderWhere})`,
    holderColumn: changelogEntries.id,
    isDropped: sql`EXISTS (SELECT 1 FROM ${targetTable} t WHERE t.id = ${target} AND ${isShownTarget} AND ${isCoveredTarget}
      AND t.external_key NOT IN ${keys})`,
    targets: [[target, sql`t.id`]],
    from: sql`FROM ${changelogEntries} CROSS JOIN ${targetTable} t
      ON ${isShownTarget} AND t.external_key IN ${keys} WHERE ${holderWhere}`,
  })
  const bind = (given: readonly string[]): Values => ({ [`=${name}`]: JSON.stringify(given) })
  return {
    bind,
    change,
    replace: (given: readonly string[] | undefined, key: Values): Statement<never>[] =>
      given ? replace({ ...key, ...bind(given) }) : [],
  }
}
