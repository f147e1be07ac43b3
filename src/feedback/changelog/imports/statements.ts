import { type SQL, sql } from 'drizzle-orm'
import { changelogEntries, changelogIdeas, changelogVersions } from '../../../db/schema/changelog'
import { importRows } from '../../../db/schema/imports'
import { caller, inline, insertInto } from '../../../db/sql/statement'
import { fromBoundRowsWithJournal, type LookupScope, RUN_LOOKUP_SCOPE } from '../../../workspace/imports/statements'
import { CHANGELOG_LINKS } from '../statements'

// Indexes into the array made by `storedValues` in importing.ts.
export const IMPORTED_LINKS = {
  ideas: { ...CHANGELOG_LINKS.ideas, path: inline('$[5]') },
  versions: { ...CHANGELOG_LINKS.versions, path: inline('$[6]') },
} as const
type ImportedLinks = (typeof IMPORTED_LINKS)[keyof typeof IMPORTED_LINKS]
const ALL_LINKS: readonly ImportedLinks[] = Object.values(IMPORTED_LINKS)

const idOfLink = ({ target }: ImportedLinks, alias: string) => sql`${sql.raw(alias)}.${sql.identifier(target.name)}`
const rowNames = ({ path }: ImportedLinks) => sql`coalesce(json_type(p.value, ${path}) = 'array', false)`

/** A run of a key that is limited to products links and unlinks records of its product only. */
const targetIsCovered = ({ product, limited }: LookupScope) =>
  sql`t.deleted_at IS NULL AND (NOT ${limited} OR t.product_id = ${product})`

const joinNamedTargets = ({ targetTable, path }: ImportedLinks, place: LookupScope) =>
  sql`json_each(p.value, ${path}) wanted CROSS JOIN ${targetTable} t ON t.subscription_id = ${caller.subscription}
    AND t.external_key = wanted.value AND ${targetIsCovered(place)}`
const fromPresentTargets = (links: ImportedLinks, place: LookupScope) =>
  sql`FROM ${links.table} l CROSS JOIN ${links.targetTable} t ON t.id = ${idOfLink(links, 'l')}
    AND +t.subscription_id = ${caller.subscription} AND ${targetIsCovered(place)}
  WHERE l.subscription_id = ${caller.subscription} AND l.changelog_entry_id = ${changelogEntries.id}`

const sortedIds = (from: SQL) => sql`(SELECT json_group_array(id) FROM (SELECT DISTINCT t.id AS id ${from} ORDER BY 1))`

/** A row without a list changes no link. */
export const linksDiffer = (place: LookupScope) =>
  sql`(${sql.join(
    ALL_LINKS.map(
      (links) => sql`${rowNames(links)} AND ${sortedIds(fromPresentTargets(links, place))}
        <> ${sortedIds(sql`FROM ${joinNamedTargets(links, place)}`)}`,
    ),
    sql` OR `,
  )})`

/** Keys that the entry links after the import. */
export const selectNewKeys = (links: ImportedLinks, place: LookupScope) =>
  sql`(SELECT json_group_array(key ORDER BY id) FROM (
    SELECT t.external_key AS key, t.id AS id FROM ${joinNamedTargets(links, place)} WHERE ${rowNames(links)}
    UNION SELECT t.external_key, t.id ${fromPresentTargets(links, place)} AND NOT ${rowNames(links)}))`

const allLinkedIds = (
  links: ImportedLinks,
) => sql`(SELECT json_group_array(${idOfLink(links, 'l')}) FROM ${links.table} l
  WHERE l.subscription_id = ${caller.subscription} AND l.changelog_entry_id = ${changelogEntries.id})`
export const oldLinks = { ideas: allLinkedIds(IMPORTED_LINKS.ideas), versions: allLinkedIds(IMPORTED_LINKS.versions) }

function insertLinks(links: ImportedLinks, { entry, target, from }: Record<'entry' | 'target' | 'from', SQL>): SQL {
  const holder = { subscriptionId: caller.subscription, changelogEntryId: entry }
  const rows = sql`${from} ON CONFLICT DO NOTHING`
  return links.table === changelogIdeas
    ? insertInto(changelogIdeas, { ...holder, feedbackId: target }, rows)
    : insertInto(changelogVersions, { ...holder, solutionVersionId: target }, rows)
}

export const replaceImportedLinks = ALL_LINKS.flatMap((links) => [
  sql`DELETE FROM ${links.table} WHERE ${links.table.subscriptionId} = ${caller.subscription}
    AND ${links.table.changelogEntryId} IN (SELECT ${importRows.recordId}
      FROM ${fromBoundRowsWithJournal('updated')} WHERE ${rowNames(links)})
    AND EXISTS (SELECT 1 FROM ${links.targetTable} t WHERE t.id = ${links.target} AND +t.subscription_id = ${caller.subscription}
      AND ${targetIsCovered(RUN_LOOKUP_SCOPE)})`,
  insertLinks(links, {
    entry: sql`${importRows.recordId}`,
    target: sql`t.id`,
    from: sql`FROM ${fromBoundRowsWithJournal('created', 'updated')} CROSS JOIN ${joinNamedTargets(links, RUN_LOOKUP_SCOPE)}
      WHERE true`,
  }),
])

/** `fromRestored` gives the restored entries, joined with the given SQL. */
export const restoreLinks = (fromRestored: (beside?: SQL) => SQL) =>
  Object.entries(IMPORTED_LINKS).flatMap(([name, links]) => [
    sql`DELETE FROM ${links.table} WHERE ${links.table.subscriptionId} = ${caller.subscription}
      AND ${links.table.changelogEntryId} IN (SELECT ${changelogEntries.id} FROM ${fromRestored()})`,
    insertLinks(links, {
      entry: sql`${changelogEntries.id}`,
      target: sql`t.value`,
      from: sql`FROM ${fromRestored(sql`CROSS JOIN json_each(r.previous, ${inline(`$.${name}`)}) t`)}`,
    }),
  ])
