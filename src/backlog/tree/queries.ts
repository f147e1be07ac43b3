import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { selectUnknownReferences, throwUnknownReferences } from '../../db/client/refuse'
import { solutionVersionItems, solutionVersions } from '../../db/schema/solution-versions'
import { workItemRollups, workItems } from '../../db/schema/work-items'
import {
  collectFilters,
  type Filter,
  filterConditions,
  type GivenFilter,
  listFilterReferences,
} from '../../db/sql/filter'
import { searchFilter } from '../../db/sql/search'
import { boundLimit, caller, inline, makeStatementCache, param } from '../../db/sql/statement'
import type { createItemFilters } from '../work-items/list'
import { workItem } from '../work-items/queries/any'
import { createListFilters, selectItemOfForeignId } from '../work-items/queries/filters'
import { selectShownPercentage, type WorkItemType } from '../work-items/queries/record'
import { MAX_NODES } from './schema'

export interface NodeRow {
  id: number
  type: 'epic' | 'feature' | 'userstory'
  externalKey: string
  summary: string
  progress: string
  progressPercentage: number
  epicId: number | null
  featureId: number | null
  points: number
  score: number
  /** Order among the items of one type. */
  rank: string
  leaves: string | null
  /** Only with the columns of an editor. */
  version?: number
  userIds?: string
  tags?: string
  /** Only with the column of versions. */
  versions?: string
}

const selectLeafTotalsJson = sql`CASE WHEN ${workItems.type} <> 'userstory' THEN (
  SELECT json_array(r.leaves, r.points / 1e6, r.done / 1e6) FROM ${workItemRollups} r
  WHERE r.subscription_id = ${caller.subscription} AND r.work_item_id = ${workItems.id} AND r.leaves > 0) END`

const levelOfItem = sql`(1 + (${workItems.epicId} IS NOT NULL) + (${workItems.featureId} IS NOT NULL))`

// One match more than a tree can hold, so that a larger search is refused instead of cut.
const createSearchFilters = (...types: [WorkItemType, ...WorkItemType[]]) =>
  Object.entries<Filter<unknown>>({
    ...createListFilters(...types),
    q: searchFilter(types[0], workItems.id, {
      ...{ inProduct: types, most: MAX_NODES + 1, selectNamed: selectItemOfForeignId },
    }),
  } as never)
const TREE_FILTER_ENTRIES = createSearchFilters('epic', 'feature', 'userstory')
const CHILD_FILTER_BY_NAME = Object.fromEntries(createSearchFilters('feature', 'userstory'))

const leanColumns = sql`${workItems.id} AS "id", ${workItems.type} AS "type", ${workItems.externalKey} AS "externalKey",
  ${workItems.summary} AS "summary", ${workItems.progress} AS "progress",
  ${selectShownPercentage()} AS "progressPercentage", ${workItems.epicId} AS "epicId",
  ${workItems.featureId} AS "featureId", ${workItems.points} / 1e6 AS "points", ${workItems.score} AS "score",
  ${selectLeafTotalsJson} AS "leaves", ${workItems.rank} AS "rank"`
const editorColumns = sql`${leanColumns}, ${workItems.version} AS "version", ${workItems.userIds} AS "userIds",
  ${workItems.tags} AS "tags"`

const versionKeysJson = sql`(SELECT json_group_array(key) FROM (SELECT v.external_key AS key FROM ${solutionVersionItems} l
  CROSS JOIN ${solutionVersions} v ON v.id = l.solution_version_id AND +v.subscription_id = ${caller.subscription} AND v.deleted_at IS NULL
  WHERE l.subscription_id = ${caller.subscription} AND l.work_item_id = ${workItems.id} ORDER BY v.id LIMIT -1))`
const versionedColumns = sql`${editorColumns}, ${versionKeysJson} AS "versions"`

const itemIsWithinDepth = sql`${workItem.notDeleted} AND ${levelOfItem} <= ${param('depth')}`
const maxSelectedNodes = inline(MAX_NODES + 1)

const selectAllNodes = (columns: SQL) => sql`SELECT ${columns} FROM ${workItems} WHERE ${itemIsWithinDepth}
  ORDER BY ${workItems.type}, ${workItems.rank}, ${workItems.id} ${boundLimit('@limit')}`

const selectParentNodes = (columns: SQL, ids: SQL) => sql`SELECT * FROM (WITH parents (id) AS MATERIALIZED (${ids})
  SELECT ${columns} FROM (SELECT id AS shown FROM parents UNION SELECT f.epic_id FROM parents
    CROSS JOIN ${workItems} f ON f.id = parents.id AND f.subscription_id = ${caller.subscription})
  CROSS JOIN ${workItems} ON ${workItems.id} = shown WHERE ${itemIsWithinDepth})`

function selectNodesFromIndex(columns: SQL, { name, given }: GivenFilter, conditions: SQL): SQL {
  const from = (filter: Filter<unknown> | undefined) => filter?.source?.(name, given) ?? sql`${workItems}`
  const all = Object.fromEntries(TREE_FILTER_ENTRIES)
  return sql`SELECT ${columns} FROM ${from(all[name])} WHERE ${itemIsWithinDepth} ${conditions}
    UNION ALL ${selectParentNodes(
      columns,
      sql`SELECT DISTINCT coalesce(${workItems.featureId}, ${workItems.epicId})
      FROM ${from(CHILD_FILTER_BY_NAME[name])} WHERE ${workItem.notDeleted} ${conditions}`,
    )}`
}

const selectNodesByWalk = (columns: SQL, conditions: SQL) => sql`WITH matching (id, parent) AS MATERIALIZED (
    SELECT ${workItems.id}, coalesce(${workItems.featureId}, ${workItems.epicId}) FROM ${workItems}
    WHERE ${workItem.notDeleted} ${conditions} ORDER BY ${workItems.type} DESC
    LIMIT iif(${param('depth')} < 3, -1, ${maxSelectedNodes}))
  SELECT ${columns} FROM matching CROSS JOIN ${workItems} ON ${workItems.id} = matching.id WHERE ${itemIsWithinDepth}
  UNION ALL ${selectParentNodes(columns, sql`SELECT DISTINCT parent FROM matching`)}`

const makeNodeStatements = (columns: SQL) =>
  makeStatementCache((filters: readonly GivenFilter[]) => {
    if (!filters.length) return selectAllNodes(columns)
    const conditions = filterConditions(filters)
    const driven = filters.find(({ name, filter, given }) => filter.source?.(name, given))
    return sql`SELECT * FROM (${driven ? selectNodesFromIndex(columns, driven, conditions) : selectNodesByWalk(columns, conditions)})
      ${boundLimit('@limit')}`
  })
const selectLeanNodes = makeNodeStatements(leanColumns)
const selectEditorNodes = makeNodeStatements(editorColumns)
const selectVersionedNodes = makeNodeStatements(versionedColumns)

type NodeQuery = { depth: number } & Partial<z.output<z.ZodObject<ReturnType<typeof createItemFilters>>>>

/** The columns of an editor, or these with the versions of each item, cost more to read. */
export type NodeColumns = keyof typeof SELECTS_BY_COLUMNS
const SELECTS_BY_COLUMNS = { lean: selectLeanNodes, editor: selectEditorNodes, versioned: selectVersionedNodes }

/** Returns one node more than the maximum if the tree is too large. */
export async function listNodes(db: Database, asked: NodeQuery, columns: NodeColumns): Promise<NodeRow[]> {
  const selectNodes = SELECTS_BY_COLUMNS[columns]
  const { filters, text, values } = collectFilters(TREE_FILTER_ENTRIES, asked)
  const references = listFilterReferences(TREE_FILTER_ENTRIES, asked)
  const ask = async (limit: number) => {
    const [rows, unknown] = await db.read(
      {
        template: selectNodes(text, filters),
        values: { ...values, depth: asked.depth, '@limit': limit },
      },
      ...(references.length ? [selectUnknownReferences(references)] : []),
    )
    throwUnknownReferences(unknown)
    return { rows, nodes: sortNodes(rows as NodeRow[]) }
  }
  const { rows, nodes } = await ask(MAX_NODES + 1)
  // A parent that passes the filters is there twice and can take the place of another item.
  if (rows.length > MAX_NODES && nodes.length <= MAX_NODES) return (await ask(2 * MAX_NODES + 1)).nodes
  return nodes
}

const TYPES_IN_TREE_ORDER = ['epic', 'feature', 'userstory'] as const

function sortNodes(rows: readonly NodeRow[]): NodeRow[] {
  const once = [...new Map(rows.map((row) => [row.id, row])).values()]
  const before = (a: NodeRow, b: NodeRow) =>
    TYPES_IN_TREE_ORDER.indexOf(a.type) - TYPES_IN_TREE_ORDER.indexOf(b.type) ||
    (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : a.id - b.id)
  return once.sort(before)
}
