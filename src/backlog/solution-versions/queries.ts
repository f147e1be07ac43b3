import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { productId } from '../../db/access'
import { changes, type Elsewhere, inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { equals, walking } from '../../db/filter'
import { lifecycle } from '../../db/lifecycle'
import { list } from '../../db/list'
import { currentKey, takeNumber } from '../../db/numbering'
import type { Reference } from '../../db/references'
import { type Guard, guard } from '../../db/refuse'
import { solutionVersionItems, solutionVersions } from '../../db/schema/solution-versions'
import { workItems } from '../../db/schema/work-items'
import { caller, insertInto, param, type Statement, statement, type Values } from '../../db/statement'
import { noticesRelease } from '../../feedback/notices/statements'
import { itemsOf, presentItems, rolledUp, type SolutionVersionKey, solutionVersion } from './fields'
import { CreateSolutionVersion, DuplicateSolutionVersion, ListSolutionVersions, ModifySolutionVersion } from './schema'

type Keys = readonly string[] | undefined

const references = (items: Keys = []): Reference[] =>
  items.map((value, n) => ({ kind: 'workItemKey', path: `/items/${n}`, value }))

const itemValues = (items: Keys): Values => ({ '=items': JSON.stringify([...new Set(items)]) })

const named = sql`json_each(${param('=items')}) g CROSS JOIN ${workItems} w ON w.subscription_id = ${caller.subscription}
  AND w.external_key = g.value AND w.deleted_at IS NULL`

const newest = sql`(SELECT ${solutionVersions.id} FROM ${solutionVersions} WHERE ${solutionVersion.newest})`

/** Statements that replace the items of a version; links to removed items stay. */
function replacing(version: SQL) {
  const { subscriptionId, solutionVersionId, workItemId, position } = solutionVersionItems
  const make = [
    sql`DELETE FROM ${solutionVersionItems} WHERE ${subscriptionId} = ${caller.subscription}
      AND ${solutionVersionId} = ${version} AND EXISTS (SELECT 1 FROM ${workItems} w WHERE w.id = ${workItemId}
        AND w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL
        AND w.external_key NOT IN (SELECT value FROM json_each(${param('=items')})))`,
    insertInto(
      solutionVersionItems,
      { subscriptionId: caller.subscription, solutionVersionId: version, workItemId: sql`w.id`, position: sql`g.key` },
      sql`FROM ${named} WHERE true
        ON CONFLICT DO UPDATE SET position = excluded.position WHERE ${position} <> excluded.position`,
    ),
  ].map((source) => statement<never, Values>(source))
  return (items: Keys, key: Values): Statement<never>[] =>
    items ? make.map((one) => one({ ...key, ...itemValues(items) })) : []
}

const given = { productId, externalKey: currentKey('SV') }
const inserted = inserts(solutionVersion, CreateSolutionVersion, { values: given, except: ['items'] })
const created = solutionVersion.event('created')
const linkNew = replacing(newest)

export const createSolutionVersion = (db: Database, { items, ...body }: z.output<typeof CreateSolutionVersion>) =>
  solutionVersion.save(db, {
    references: references(items),
    statements: [takeNumber('SV'), inserted(body), ...linkNew(items, {}), created({})],
    answer: solutionVersion.created(),
  })

export const getSolutionVersion = solutionVersion.get

export const listSolutionVersions = list(solutionVersion, ListSolutionVersions, {
  sorts: { createdAt: solutionVersions.createdAt, releaseDate: solutionVersions.releaseDate },
  filters: { status: walking(equals(solutionVersions.status)) },
}).page

const there = (condition: SQL) =>
  sql`EXISTS (SELECT 1 FROM ${solutionVersions} WHERE ${solutionVersion.addressed} AND ${condition})`

const released = guard<Values>(
  sql`'conflict:This version is released: it can only be archived. Duplicate it to go on from there.'`,
  there(sql`${solutionVersions.releasedAt} IS NOT NULL`),
)
const startsAfterRelease = guard<Values>(
  sql`'validation_failed:/startDate:Must not be after the releaseDate that the version has'`,
  there(sql`${param('newStart')} > ${solutionVersions.releaseDate}`),
)
const releasesBeforeStart = guard<Values>(
  sql`'validation_failed:/releaseDate:Must not be before the startDate that the version has'`,
  there(sql`${param('newRelease')} < ${solutionVersions.startDate}`),
)

/** Compares a single date with the stored date. */
const inOrder = (key: Values, { startDate, releaseDate }: z.output<typeof ModifySolutionVersion>): Guard[] => [
  ...(startDate != null && releaseDate === undefined ? [startsAfterRelease({ ...key, newStart: startDate })] : []),
  ...(releaseDate != null && startDate === undefined ? [releasesBeforeStart({ ...key, newRelease: releaseDate })] : []),
]

const modified = modifies(solutionVersion, ModifySolutionVersion, { except: ['items'] })
const link = replacing(solutionVersion.id)

const becoming = (name: string, json: SQL, becomes: SQL): Elsewhere => ({
  name,
  json,
  differs: sql`${json} IS NOT ${becomes}`,
  becomes,
})
const present = rolledUp()
const planned = rolledUp({
  from: sql`json_each(${param('=items')}) g CROSS JOIN ${workItems} r ON r.subscription_id = ${caller.subscription}
    AND r.external_key = g.value AND r.deleted_at IS NULL`,
  isBelowRoot: sql`EXISTS (SELECT 1 FROM ${workItems} p WHERE p.id IN (r.epic_id, r.feature_id) AND p.deleted_at IS NULL
    AND p.external_key IN (SELECT value FROM json_each(${param('=items')})))`,
})
const itemsChange = [
  becoming('items', presentItems, sql`${param('=items')}`),
  becoming('progress', present.progress, planned.progress),
  becoming('points', present.points, planned.points),
]

export const modifySolutionVersion = (
  db: Database,
  key: SolutionVersionKey,
  { items, ...body }: z.output<typeof ModifySolutionVersion>,
  ifMatch: string | null,
) =>
  solutionVersion.save(db, {
    guards: [...solutionVersion.writable(key, ifMatch), released(key), ...inOrder(key, body)],
    references: references(items),
    statements: [...modified({ ...key, ...itemValues(items) }, body, items ? itemsChange : []), ...link(items, key)],
    answer: solutionVersion.reply(key),
  })

const { removal, restoration } = lifecycle(solutionVersion)
const notArchived = guard<Values>(
  sql`'conflict:This version is released: it can only be archived, and be removed after that.'`,
  there(sql`${solutionVersions.status} = 'released'`),
)

export function removeSolutionVersion(db: Database, key: SolutionVersionKey, ifMatch: string | null) {
  const { guards, ...rest } = removal(key, ifMatch)
  return db.write({ guards: [...guards, notArchived(key)], ...rest })
}

export const restoreSolutionVersion = (db: Database, key: SolutionVersionKey) =>
  solutionVersion.save(db, restoration(key))

const ended = guard<Values>(
  sql`'conflict:Only a version that is planned or in progress can be released.'`,
  there(sql`${solutionVersions.status} NOT IN ('planned', 'in-progress')`),
)
const openItems = sql`(SELECT json_group_array(json_array(place, external_key, progress)) FROM (
    SELECT row_number() OVER (ORDER BY i.position, w.id) - 1 AS place, w.external_key, w.progress ${itemsOf(solutionVersion.id)})
  WHERE progress <> 'done' HAVING count(*) > 0)`
const unfinished = guard<Values>(sql`'unfinished_items:' || ${openItems}`, sql`${openItems} IS NOT NULL`)
const release = changes(
  solutionVersion,
  solutionVersion.addressed,
  {
    status: sql`'released'`,
    releasedAt: sql`${caller.now}`,
    releaseDate: sql`coalesce(${solutionVersions.releaseDate}, ${caller.now})`,
  },
  { happening: 'released' },
)

const notice = noticesRelease(solutionVersion.id)

export const releaseSolutionVersion = (db: Database, key: SolutionVersionKey, force: boolean) =>
  solutionVersion.save(db, {
    guards: [...solutionVersion.writable(key), ended(key), ...(force ? [] : [unfinished(key)])],
    statements: [...release(key), notice(key)],
    answer: solutionVersion.reply(key),
  })

const archive = changes(solutionVersion, solutionVersion.addressed, { status: sql`'archived'` })

/** An archived version stays unchanged. */
export const archiveSolutionVersion = (db: Database, key: SolutionVersionKey) =>
  solutionVersion.save(db, {
    guards: solutionVersion.writable(key),
    statements: archive(key),
    answer: solutionVersion.reply(key),
  })

const copied = inserts(solutionVersion, DuplicateSolutionVersion, {
  values: {
    ...given,
    description: sql`s.description`,
    startDate: sql`s.start_date`,
    releaseDate: sql`s.release_date`,
  },
  from: sql`FROM (SELECT * FROM ${solutionVersions} WHERE ${solutionVersion.addressed}) s`,
})
const copyItems = statement<never, Values>(
  insertInto(
    solutionVersionItems,
    {
      subscriptionId: caller.subscription,
      solutionVersionId: newest,
      workItemId: sql`i.work_item_id`,
      position: sql`i.position`,
    },
    sql`FROM ${solutionVersionItems} i WHERE i.subscription_id = ${caller.subscription}
      AND i.solution_version_id = ${solutionVersion.id}`,
  ),
)

/** Copies the dates and items to a planned version. */
export const duplicateSolutionVersion = (
  db: Database,
  key: SolutionVersionKey,
  body: z.output<typeof DuplicateSolutionVersion>,
) =>
  solutionVersion.save(db, {
    guards: solutionVersion.writable(key),
    statements: [takeNumber('SV'), copied(body, key), copyItems(key), created({})],
    answer: solutionVersion.created(),
  })
