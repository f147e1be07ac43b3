import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../db/client/client'
import { experimentPersonas, experiments, experimentWorkItems } from '../../db/schema/experiments'
import { feedbackItems } from '../../db/schema/feedback'
import { kpis } from '../../db/schema/kpis'
import { opportunities, personas } from '../../db/schema/personas'
import { products } from '../../db/schema/tenancy'
import { workItemKpis, workItems } from '../../db/schema/work-items'
import { coversProduct } from '../../db/sql/access'
import { workItemIdOfKey } from '../../db/sql/references'
import { caller, inline, param, statement } from '../../db/sql/statement'
import type { ResourceName } from '../../resources'
import { MAX_TRACE_NODES } from './schema'

interface TracedResource {
  table: SQLiteTable
  resource: ResourceName
  /** First three characters of the keys, as an SQL list. */
  prefixes: string
  type?: string
  title: string
  status: string
  condition?: SQL
}

const opportunityHasPersona = sql`AND EXISTS (SELECT 1 FROM ${personas} p WHERE p.id = e.persona_id
  AND p.subscription_id = ${caller.subscription} AND p.deleted_at IS NULL)`

const TRACED_RESOURCES = {
  persona: { table: personas, resource: 'persona', prefixes: `'PE-'`, title: 'e.name', status: 'NULL' },
  opportunity: {
    ...{ table: opportunities, resource: 'opportunity', prefixes: `'OP-'`, title: 'e.summary', status: 'e.progress' },
    condition: opportunityHasPersona,
  },
  experiment: {
    ...{ table: experiments, resource: 'experiment', prefixes: `'EX-'`, title: 'e.title', status: 'e.status' },
  },
  kpi: { table: kpis, resource: 'kpi', prefixes: `'KPI'`, title: 'e.title', status: 'NULL' },
  work_item: {
    ...{ table: workItems, resource: 'work_item', prefixes: `'EP-', 'FE-', 'US-'`, type: 'e.type' },
    ...{ title: 'e.summary', status: 'e.progress' },
  },
  feedback: {
    ...{ table: feedbackItems, resource: 'feedback', prefixes: `'IDE'`, title: 'e.title' },
    status:
      '(SELECT t.name FROM feedback_statuses t WHERE t.id = e.status_id AND t.subscription_id = e.subscription_id)',
  },
} as const satisfies Record<string, TracedResource>

export type TracedKind = keyof typeof TRACED_RESOURCES
const tracedKinds = Object.keys(TRACED_RESOURCES) as TracedKind[]
const tracedResourceByKind: Readonly<Record<TracedKind, TracedResource>> = TRACED_RESOURCES

const keyReadsKind = (kind: TracedKind) => sql`${inline(kind)} IN (SELECT value FROM json_each(${param('kinds')}))`

function recordIsVisible(kind: TracedKind): SQL {
  const { productId }: Record<string, SQLiteColumn> = getTableColumns(tracedResourceByKind[kind].table)
  const standing = sql`EXISTS (SELECT 1 FROM ${products} s WHERE s.id = e.product_id
    AND s.subscription_id = ${caller.subscription} AND s.deleted_at IS NULL) AND ${coversProduct(sql`e.product_id`)}`
  const place = productId?.notNull ? standing : sql`(e.product_id IS NULL OR ${standing})`
  return sql`e.subscription_id = ${caller.subscription} AND e.deleted_at IS NULL AND ${place} ${tracedResourceByKind[kind].condition ?? sql``}
    AND ${keyReadsKind(kind)}`
}

export const MAX_LINKS_OF_ROOT = 400
export const MAX_LINKS_PER_FURTHER_RECORD = 20

const CUT_MARKER = 'cut'

const linkedIdsOfKind = (kind: TracedKind, links: SQL, most: number) => sql`(SELECT json_group_array(e.id)
  FROM (${links} LIMIT ${inline(most + 1)}) l LEFT JOIN ${tracedResourceByKind[kind].table} e ON e.id = l.id AND ${recordIsVisible(kind)})`

type TraceLinkEnd = readonly [TracedKind, id: string]

/** A trace follows the links both ways, in this order. */
const TRACE_LINK_TABLES: readonly (readonly [SQLiteTable, TraceLinkEnd, TraceLinkEnd, only?: SQL])[] = [
  [opportunities, ['persona', 'persona_id'], ['opportunity', 'id'], sql`AND x.deleted_at IS NULL`],
  [experiments, ['opportunity', 'opportunity_id'], ['experiment', 'id']],
  [experimentPersonas, ['persona', 'persona_id'], ['experiment', 'experiment_id']],
  [experiments, ['experiment', 'id'], ['kpi', 'kpi_id']],
  [workItemKpis, ['kpi', 'kpi_id'], ['work_item', 'work_item_id']],
  [experimentWorkItems, ['experiment', 'experiment_id'], ['work_item', 'work_item_id']],
  [feedbackItems, ['work_item', 'work_item_id'], ['feedback', 'id']],
]

const listLinkedIdsOfKind = (kind: TracedKind, most: number): SQL[] =>
  TRACE_LINK_TABLES.flatMap(([table, one, other, only = sql``]) => {
    const [[here, by], [there, id]] = one[0] === kind ? [one, other] : [other, one]
    if (here !== kind) return []
    const ids = sql`SELECT ${sql.raw(`x.${id}`)} AS id FROM ${table} x
      WHERE x.subscription_id = ${caller.subscription} AND ${sql.raw(`x.${by}`)} = walk.id ${only} AND ${keyReadsKind(there)}`
    return [sql`${inline(there)}, ${linkedIdsOfKind(there, ids, most)}`]
  })

/** A row with the key `cut` marks more links than `most`. */
const selectLinkedRecords = (
  from: SQL,
  most: number,
) => sql`SELECT iif(m.key < ${inline(most)}, n.key, ${inline(CUT_MARKER)}),
    iif(m.key < ${inline(most)}, m.value, 0)
  FROM ${from} CROSS JOIN json_each(CASE walk.kind ${sql.join(
    tracedKinds.map(
      (kind) => sql`WHEN ${inline(kind)} THEN json_object(${sql.join(listLinkedIdsOfKind(kind, most), sql`, `)})`,
    ),
    sql` `,
  )} END) n CROSS JOIN json_each(n.value) m
  WHERE (m.value IS NOT NULL OR m.key = ${inline(most)})`

type OwnedLink = readonly [table: SQLiteTable, holder: string, column: string, target: TracedKind]

/** Columns for the record, the target and the kind of the target. */
const OWNED_LINKS_BY_KIND: Readonly<Partial<Record<TracedKind, readonly OwnedLink[]>>> = {
  opportunity: [[opportunities, 'id', 'persona_id', 'persona']],
  experiment: [
    [experimentPersonas, 'experiment_id', 'persona_id', 'persona'],
    [experiments, 'id', 'opportunity_id', 'opportunity'],
    [experiments, 'id', 'kpi_id', 'kpi'],
    [experimentWorkItems, 'experiment_id', 'work_item_id', 'work_item'],
  ],
  work_item: [[workItemKpis, 'work_item_id', 'kpi_id', 'kpi']],
  feedback: [[feedbackItems, 'id', 'work_item_id', 'work_item']],
}

const ownedLinksJson = sql`CASE walk.kind ${sql.join(
  Object.entries(OWNED_LINKS_BY_KIND).map(([kind, holders]) => {
    const links = holders.map(
      ([table, holder, column, target]) => sql`SELECT ${inline(target)} AS kind, ${sql.raw(`x.${column}`)} AS id
        FROM ${table} x WHERE x.subscription_id = ${caller.subscription} AND ${sql.raw(`x.${holder}`)} = walk.id
          AND ${sql.raw(`x.${column}`)} IN (SELECT walk.id FROM walk WHERE walk.kind = ${inline(target)})`,
    )
    return sql`WHEN ${inline(kind)} THEN (SELECT json_group_array(json_array(kind, id))
      FROM (${sql.join(links, sql` UNION ALL `)}))`
  }),
  sql` `,
)} ELSE '[]' END`

const keyOfRoot = sql`${param('traced_external_key')}`
const rootRecordCases = sql.join(
  tracedKinds.map((kind) => {
    const id = kind === 'work_item' ? sql`e.id = ${workItemIdOfKey(keyOfRoot)}` : sql`e.external_key = ${keyOfRoot}`
    return sql`WHEN substr(${keyOfRoot}, 1, 3) IN (${sql.raw(tracedResourceByKind[kind].prefixes)})
      THEN (SELECT json_array(${inline(kind)}, e.id) FROM ${tracedResourceByKind[kind].table} e WHERE ${id} AND ${recordIsVisible(kind)})`
  }),
  sql` `,
)

const shownValueCases = sql.join(
  tracedKinds.map((kind) => {
    const { table, type = `'${kind}'`, title, status } = tracedResourceByKind[kind]
    return sql`WHEN ${inline(kind)} THEN (SELECT json_array(${sql.raw(type)}, e.external_key, ${sql.raw(title)}, ${sql.raw(status)})
      FROM ${table} e WHERE e.id = walk.id)`
  }),
  sql` `,
)

export interface ReachedRecord {
  kind: TracedKind
  id: number
  shown: string
  held: string
}

type ReachedRow = ReachedRecord | { kind: typeof CUT_MARKER }

// UNION finds each record once, and the queue is first-in first-out: the nearest records come first. The limit adds a
// node beyond the trace and a row with the key `cut`.
const selectReachedRecords = statement<ReachedRow, { traced_external_key: string; kinds: string }>(
  () => sql`WITH RECURSIVE root (kind, id) AS (
      SELECT r.found ->> 0, r.found ->> 1 FROM (SELECT CASE ${rootRecordCases} END AS found) r WHERE r.found IS NOT NULL),
    walk (kind, id) AS (
      SELECT kind, id FROM root
      UNION ALL ${selectLinkedRecords(sql`root walk`, MAX_LINKS_OF_ROOT)}
      UNION ${selectLinkedRecords(sql`walk`, MAX_LINKS_PER_FURTHER_RECORD)} AND (walk.kind, walk.id) <> (SELECT kind, id FROM root)
      LIMIT ${inline(MAX_TRACE_NODES + 2)})
    SELECT walk.kind AS "kind", walk.id AS "id", CASE walk.kind ${shownValueCases} END AS "shown", ${ownedLinksJson} AS "held" FROM walk`,
)

export const TRACED_KINDS_WITH_RESOURCE = tracedKinds.map(
  (kind) => [kind, tracedResourceByKind[kind].resource] as const,
)

export async function listReachedRecords(db: Database, traced_external_key: string, kinds: readonly TracedKind[]) {
  const [rows] = await db.read(selectReachedRecords({ traced_external_key, kinds: JSON.stringify(kinds) }))
  const reached = rows.flatMap((row): ReachedRecord[] => (row.kind === CUT_MARKER ? [] : [row]))
  return { reached, isCut: reached.length < rows.length }
}
