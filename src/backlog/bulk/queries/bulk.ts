import { sql } from 'drizzle-orm'
import {
  type BulkOutcome,
  makeBulkWriter,
  makeChunkStatements,
  markReadOnlyRows,
  READ_ONLY_MEMBER,
} from '../../../db/client/bulk'
import type { Database } from '../../../db/client/client'
import { packPresented } from '../../../db/client/presented'
import { ANY_STORAGE_GUARD } from '../../../db/client/storage'
import { workItemBulkRows, workItems } from '../../../db/schema/work-items'
import { recordJson } from '../../../db/sql/selection'
import { caller } from '../../../db/sql/statement'
import { type BulkMode, collectReferences } from '../../../http/bulk'
import { workItem } from '../../work-items/queries/any'
import type { WorkItemType } from '../../work-items/queries/record'
import { listTagSlugs } from '../../work-items/tags'
import type { BulkItem, BulkItemBody } from '../read'
import { adoptChildren, removeItems, updateItems } from './change'
import { assignNewItems, BULK_FIELD_BY_NAME, emitNewItems, insertNewItems, updateTagSlugs } from './create'
import { keepPreviousLists, LINK_LIST_NAMES, replaceLists } from './links'
import { markInvalidRows, requestOperationNames, stageItemRows } from './rows'

const WRITTEN_ROWS_PER_ITEM = 20
const markReadOnlyItems = markReadOnlyRows(
  workItemBulkRows,
  sql`SELECT ${recordJson(workItem.detailFields, true)} AS data ${workItem.from} WHERE ${workItems.id} = ${workItemBulkRows.itemId}`,
)
const bulkItemWriter = makeBulkWriter(
  workItemBulkRows,
  sql`coalesce(${workItemBulkRows.externalKey}, (SELECT w.external_key FROM ${workItems} w
    WHERE w.id = ${workItemBulkRows.itemId} AND w.subscription_id = ${caller.subscription}))`,
  WRITTEN_ROWS_PER_ITEM,
  sql`AND ${workItemBulkRows.op} IN ${requestOperationNames}`,
)

function toStoredBody({ epicId, featureId, ...body }: BulkItemBody, update: boolean): Record<string, unknown> {
  const fields = Object.entries(body).flatMap(([name, value]) => {
    const field = BULK_FIELD_BY_NAME.get(name)
    if (!field || value === undefined) return []
    return [[name, value !== null && field.store ? field.store(value) : value]]
  })
  return {
    ...Object.fromEntries(fields),
    ...(epicId !== undefined && { epicId: epicId || null }),
    ...(featureId !== undefined && { featureId: featureId || null }),
    ...(body.tags !== undefined && { slugs: listTagSlugs(body.tags) }),
    ...(update && { lists: LINK_LIST_NAMES.filter((list) => body[list] !== undefined) }),
  }
}

/** A row for each operation, and after them a row for each child, KPI and file in a body. */
function toStagedRows(items: readonly BulkItem[]) {
  const { refs, named } = collectReferences(items)
  const others: unknown[][] = []
  const own = items.map((item, n) => {
    const { features = [], userStories = [], kpis = [], files = [] } = item.body
    for (const [op, type, keys] of [
      ['adopt', 'feature', features],
      ['adopt', 'userstory', userStories],
      ['kpi', '', kpis],
      ['file', '', files.map(({ file }) => file.id)],
    ] as const) {
      for (const key of item.issues.length ? [] : keys) others.push([op, type, key, n, {}, [], 0])
    }
    const body = {
      ...toStoredBody(item.body, item.op === 'update'),
      ...(item.ifMatch !== null && { ifMatch: JSON.parse(item.ifMatch) }),
      ...(item.presented?.members.length && { [READ_ONLY_MEMBER]: packPresented(item.presented.members) }),
    }
    const wrong = item.issues.length ? 1 : 0
    return [n, item.op, item.type, item.externalKey ?? null, item.parent ?? null, body, named[n], wrong]
  })
  const rows = [...own, ...others.map((row, n) => [items.length + n, ...row])]
  return { rows, refs, adopts: others.some(([op]) => op === 'adopt') }
}

export async function applyBulkOperations(
  db: Database,
  items: readonly BulkItem[],
  { dryRun, atomic }: BulkMode,
): Promise<BulkOutcome[]> {
  const { rows, refs, adopts } = toStagedRows(items)
  const validItems = items.filter(({ issues }) => !issues.length)
  const withOp = (op: BulkItem['op']) => validItems.filter((item) => item.op === op)
  const updates = withOp('update')
  const parents = validItems.some(({ parent }) => parent !== undefined)
  const creates = withOp('create')
  const types = new Set<WorkItemType>(creates.map(({ type }) => type))
  const hang = updates.some(({ body, parent }) => parent !== undefined || 'epicId' in body || 'featureId' in body)
  const contents = {
    types,
    fieldNames: new Set(creates.flatMap(({ body }) => Object.keys(body))),
    parents,
    fields: new Set(updates.flatMap(({ body }) => Object.keys(body))),
    hang,
    lists: LINK_LIST_NAMES.filter((list) => updates.some(({ body }) => body[list] !== undefined)),
  }
  const writes = [
    ...insertNewItems(contents),
    ...(validItems.some(({ body }) => body.tags !== undefined) ? updateTagSlugs({ updates: updates.length > 0 }) : []),
    ...keepPreviousLists(contents.lists),
    ...(adopts ? adoptChildren() : []),
    ...replaceLists(LINK_LIST_NAMES.filter((list) => validItems.some(({ body }) => body[list] !== undefined))),
    ...(updates.length ? updateItems(contents) : []),
    ...(types.size
      ? emitNewItems({ linked: parents || adopts || creates.some(({ body }) => body.kpis || body.files) })
      : []),
    ...(contents.fieldNames.has('userId') ? assignNewItems() : []),
    ...(withOp('delete').length ? removeItems() : []),
  ]
  const writtenStatements = [
    ...makeChunkStatements(stageItemRows, rows, refs),
    ...markInvalidRows({ parents, named: validItems.some(({ op }) => op !== 'create') }),
    ...(validItems.some(({ presented }) => presented?.members.length) ? [markReadOnlyItems({})] : []),
    ...(atomic ? [bulkItemWriter.refuse()] : []),
    ...(dryRun ? [] : writes),
  ]
  return bulkItemWriter.write(db, items.length, writtenStatements, creates.length ? ANY_STORAGE_GUARD : undefined)
}
