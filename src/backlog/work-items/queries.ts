import { type SQL, sql } from 'drizzle-orm'
import { productId } from '../../db/access'
import { answer } from '../../db/answer'
import type { Database } from '../../db/client'
import { eventSql } from '../../db/events'
import {
  eventData,
  type Page,
  type PageValues,
  type PageVariant,
  pageAfter,
  pageValues,
  paginate,
  sortedBy,
} from '../../db/legacy'
import { currentKey, currentNumber, takeNumber } from '../../db/numbering'
import { fieldColumns, fieldValues, present, previousSql } from '../../db/patch'
import type { Reference } from '../../db/references'
import { guard, versionGuard } from '../../db/refuse'
import { assets } from '../../db/schema/assets'
import { kpis } from '../../db/schema/kpis'
import { workItemFiles, workItemKpis, workItems } from '../../db/schema/work-items'
import {
  assignments,
  caller,
  columns,
  insertInto,
  param,
  type Selected,
  type Statement,
  statement,
  type Values,
  variants,
} from '../../db/statement'
import type { EventType, Prefix } from '../../resources'
import { notFound } from '../../text/errors'
import { FILE_COLUMNS, type FileRow } from '../../workspace/assets/schema'
import { FIELDS, type WorkItemType } from './fields'
import { childrenStatements, type Links, linkStatements, PRESENT_LINKS } from './links/queries'

const PREFIX = { epic: 'EP', feature: 'FE', userstory: 'US' } as const satisfies Record<WorkItemType, Prefix>
const NOT_FOUND = { epic: 'epic_not_found', feature: 'feature_not_found', userstory: 'user_story_not_found' } as const

export const COLUMNS = [
  'id',
  'externalKey',
  'type',
  'productId',
  'epicId',
  'featureId',
  'status',
  'summary',
  'color',
  'progress',
  'progressPercentage',
  'firstChild',
  'backlog',
  'description',
  'businessGoal',
  'personas',
  'teamId',
  'userIds',
  'startDate',
  'endDate',
  'tags',
  'urls',
  'jiraId',
  'jiraKey',
  'externalProgress',
  'estimate',
  'businessValue',
  'storyPoint',
  'remainingTime',
  'score',
  'version',
  'createdAt',
  'updatedAt',
] as const

export type WorkItemRow = Selected<typeof workItems, (typeof COLUMNS)[number]>

/** The words of a variant's name. */
const words = (text: string) => (text ? text.split(' ') : [])

const pick = (from: Record<string, SQL>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (from[name] ? [[name, from[name]]] : [])))

const literal = (text: string) => sql.raw(`'${text}'`)

/** The work item of a type whose external key is `key`, in the product of the path. */
const addressed = (type: WorkItemType, key: SQL) => sql`${workItems.subscriptionId} = ${caller.subscription}
  AND ${workItems.externalKey} = ${key} AND ${workItems.type} = ${literal(type)}
  AND ${workItems.productId} = ${productId} AND ${workItems.deletedAt} IS NULL`

const newest = (type: WorkItemType) => sql`${workItems.subscriptionId} = ${caller.subscription}
  AND ${workItems.externalKey} = ${currentKey(PREFIX[type])}`

/** What a reply to a create or modify is made from. */
export interface SavedRow {
  id: number
  externalKey: string
  summary: string
  productId: number
  epicId: number | null
  featureId: number | null
  backlog: number
  version: number
  createdAt: number
}

const SAVED = {
  id: workItems.id,
  externalKey: workItems.externalKey,
  summary: workItems.summary,
  productId: workItems.productId,
  epicId: workItems.epicId,
  featureId: workItems.featureId,
  backlog: workItems.backlog,
  version: workItems.version,
  createdAt: workItems.createdAt,
}

/** A story under a feature follows that feature's epic. */
const epicOfFeature = sql`(SELECT f.epic_id FROM ${workItems} f WHERE f.id = ${param('featureId')})`

function creation(type: WorkItemType) {
  const insert = variants<never, Values>((fields) =>
    insertInto(workItems, {
      subscriptionId: caller.subscription,
      productId,
      type: literal(type),
      externalKey: currentKey(PREFIX[type]),
      rank: sql`printf('%012d', ${currentNumber(PREFIX[type])})`,
      epicId: sql`CASE WHEN ${param('featureId')} IS NULL THEN ${param('epicId')} ELSE ${epicOfFeature} END`,
      featureId: param('featureId'),
      createdAt: caller.now,
      updatedAt: caller.now,
      ...fieldColumns(words(fields), FIELDS),
    }),
  )
  const created = statement<never, Values>(
    eventSql({
      type: `${type}.created` as EventType,
      key: sql`${workItems.externalKey}`,
      product: sql`${workItems.productId}`,
      from: sql`FROM ${workItems} WHERE ${newest(type)}`,
    }),
  )
  const saved = answer<SavedRow>(SAVED, sql`FROM ${workItems} WHERE ${newest(type)}`)
  return {
    insert,
    created,
    saved,
    children: childrenStatements(type, sql`(SELECT id FROM ${workItems} WHERE ${newest(type)})`),
  }
}

const CREATION = { epic: creation('epic'), feature: creation('feature'), userstory: creation('userstory') }

export interface NewWorkItem {
  type: WorkItemType
  /** As stored: see `storable`. */
  fields: Record<string, unknown>
  epicId?: number | null | undefined
  featureId?: number | null | undefined
  children: { userStories?: string[] | undefined; features?: string[] | undefined }
  references: readonly Reference[]
  /** What the event says of it. */
  data: object
}

export async function createWorkItem(db: Database, item: NewWorkItem): Promise<SavedRow> {
  const { insert, created, saved, children } = CREATION[item.type]
  const names = present(item.fields, FIELDS)
  const parents = { epicId: item.epicId || null, featureId: item.featureId || null }
  const { answer } = await db.write({
    references: item.references,
    statements: [
      takeNumber(PREFIX[item.type]),
      insert(names.join(' '), { ...fieldValues(item.fields, names, FIELDS), ...parents }),
      created({ '@data': eventData(item.data) }),
      ...children(item.children, {}),
    ],
    answer: saved({}),
  })
  return answer[0]
}

type Key = { key: string }

function modification(type: WorkItemType) {
  const where = addressed(type, sql`${param('key')}`)
  const found = sql`SELECT 1 FROM ${workItems} WHERE ${where}`
  const version = sql`(SELECT ${workItems.version} FROM ${workItems} WHERE ${where})`
  const id = sql`(SELECT ${workItems.id} FROM ${workItems} WHERE ${where})`
  const stored = (column: SQL) => sql`(SELECT ${column} FROM ${workItems} WHERE ${where})`
  return {
    missing: guard<Key>(NOT_FOUND[type], sql`NOT EXISTS (${found})`),
    stale: versionGuard(version),
    otherEpic: guard<Key & { queryEpicId: number }>(
      sql`'validation_failed:/query/epicId:Must be the id of the epic in the path, or left out'`,
      sql`${id} IS NOT ${param('queryEpicId')}`,
    ),
    startsAfterEnd: guard<Key & { newStart: number }>(
      sql`'validation_failed:/startDate:Must not be after the endDate that the item has'`,
      sql`${param('newStart')} > ${stored(sql`${workItems.endDate}`)}`,
    ),
    endsBeforeStart: guard<Key & { newEnd: number }>(
      sql`'validation_failed:/endDate:Must not be before the startDate that the item has'`,
      sql`${param('newEnd')} < ${stored(sql`${workItems.startDate}`)}`,
    ),
    updated: variants<never, Values>((variant) => {
      const [fields = '', links = ''] = variant.split('|')
      return eventSql({
        type: `${type}.updated` as EventType,
        key: sql`${workItems.externalKey}`,
        product: sql`${workItems.productId}`,
        previous: previousSql(workItems, FIELDS, words(fields), pick(PRESENT_LINKS, words(links))),
        from: sql`FROM ${workItems} WHERE ${where}`,
      })
    }),
    update: variants<never, Values>(
      (fields) =>
        sql`UPDATE ${workItems} SET ${assignments(workItems, {
          ...fieldColumns(words(fields), FIELDS),
          version: sql`version + 1`,
          updatedAt: caller.now,
        })} WHERE ${where}`,
    ),
    reparent: statement<never, Key & Parents>(reparentSql(where)),
    saved: answer<SavedRow, Key>(SAVED, sql`FROM ${workItems} WHERE ${where}`),
    children: childrenStatements(type, id),
    links: linkStatements(type, id),
  }
}

/** What a change says of a story's parents: whether it names them, and their ids (null: none). */
type Parents = { namesEpic: boolean; newEpic: number | null; namesFeature: boolean; newFeature: number | null }

/**
 * `featureId` wins and brings its epic along. An `epicId` alone keeps the feature only where it belongs to that epic.
 */
function reparentSql(where: SQL): SQL {
  const kept = sql`CASE WHEN ${param('namesEpic')} AND (SELECT f.epic_id FROM ${workItems} f
      WHERE f.id = ${workItems.featureId}) IS NOT ${param('newEpic')} THEN NULL ELSE ${workItems.featureId} END`
  const feature = sql`CASE WHEN ${param('namesFeature')} THEN ${param('newFeature')} ELSE ${kept} END`
  const direct = sql`CASE WHEN ${param('namesEpic')} THEN ${param('newEpic')} ELSE ${workItems.epicId} END`
  const epic = sql`CASE WHEN (${feature}) IS NULL THEN ${direct}
    ELSE (SELECT f.epic_id FROM ${workItems} f WHERE f.id = (${feature})) END`
  return sql`UPDATE ${workItems} SET feature_id = ${feature}, epic_id = ${epic} WHERE ${where}`
}

const MODIFICATION = { epic: modification('epic'), userstory: modification('userstory') }

export interface WorkItemChange {
  type: keyof typeof MODIFICATION
  key: string
  fields: Record<string, unknown>
  parents?: { epicId?: number | null | undefined; featureId?: number | null | undefined }
  children?: { userStories?: string[] | undefined; features?: string[] | undefined }
  links: Links
  references: readonly Reference[]
  ifMatch: string | null
  /** The id that the addressed epic must have. */
  queryEpicId?: number | undefined
  data: object
}

export async function modifyWorkItem(db: Database, change: WorkItemChange): Promise<SavedRow> {
  const made = MODIFICATION[change.type]
  const key = { key: change.key }
  const names = present(change.fields, FIELDS)
  const values = { ...key, ...fieldValues(change.fields, names, FIELDS) }
  const { startDate, endDate } = change.fields as { startDate?: number | null; endDate?: number | null }
  const { epicId, featureId } = change.parents ?? {}
  const parents = {
    namesEpic: epicId !== undefined,
    newEpic: epicId || null,
    namesFeature: featureId !== undefined,
    newFeature: featureId || null,
  }
  const named: Record<string, unknown> = { ...change.parents, ...change.links }
  const links = Object.keys(PRESENT_LINKS).filter((name) => named[name] !== undefined)
  const { answer } = await db.write({
    guards: [
      made.missing(key),
      ...(change.ifMatch === null ? [] : [made.stale({ ifMatch: change.ifMatch })]),
      ...(change.queryEpicId === undefined ? [] : [made.otherEpic({ ...key, queryEpicId: change.queryEpicId })]),
      ...(startDate != null && endDate === undefined ? [made.startsAfterEnd({ ...key, newStart: startDate })] : []),
      ...(endDate != null && startDate === undefined ? [made.endsBeforeStart({ ...key, newEnd: endDate })] : []),
    ],
    references: change.references,
    statements: [
      made.updated(`${names.join(' ')}|${links.join(' ')}`, { ...values, '@data': eventData(change.data) }),
      made.update(names.join(' '), values),
      ...(parents.namesEpic || parents.namesFeature ? [made.reparent({ ...key, ...parents })] : []),
      ...made.children(change.children ?? {}, key),
      ...made.links(change.links, key),
    ],
    answer: made.saved(key),
  })
  return answer[0]
}

/** External keys as JSON arrays: an epic's features and the stories below it, a feature's stories, the linked KPIs. */
export interface DetailRow extends WorkItemRow {
  featureKeys: string
  storyKeys: string
  kpiKeys: string
}

/** A work item as it is retrieved. */
export interface WorkItemFound {
  row: DetailRow
  files: FileRow[]
}

function selection(type: WorkItemType) {
  const where = addressed(type, sql`${param('key')}`)
  const parent = type === 'feature' ? sql`c.feature_id` : sql`c.epic_id`
  const childKeys = (of: WorkItemType) =>
    type === 'userstory' || type === of
      ? sql`'[]'`
      : sql`(SELECT json_group_array(c.external_key ORDER BY c.id) FROM ${workItems} c
          WHERE c.subscription_id = ${caller.subscription} AND ${parent} = ${workItems.id}
            AND c.type = ${literal(of)} AND c.deleted_at IS NULL)`
  const detail: (values: Key) => Statement<DetailRow> = statement(sql`SELECT ${columns(workItems, COLUMNS)},
    ${childKeys('feature')} AS "featureKeys", ${childKeys('userstory')} AS "storyKeys",
    (SELECT json_group_array(k.external_key ORDER BY k.id) FROM ${workItemKpis} l JOIN ${kpis} k ON k.id = l.kpi_id
      WHERE l.subscription_id = ${caller.subscription} AND l.work_item_id = ${workItems.id}
        AND k.deleted_at IS NULL) AS "kpiKeys"
    FROM ${workItems} WHERE ${where}`)
  const files: (values: Key) => Statement<FileRow> = statement(sql`SELECT ${columns(assets, FILE_COLUMNS)}
    FROM ${workItemFiles} JOIN ${assets} ON ${assets.id} = ${workItemFiles.assetId}
    WHERE ${workItemFiles.subscriptionId} = ${caller.subscription}
      AND ${workItemFiles.workItemId} = (SELECT ${workItems.id} FROM ${workItems} WHERE ${where})
      AND ${assets.deletedAt} IS NULL
    ORDER BY ${assets.id}`)
  const list = variants<WorkItemRow, PageValues, PageVariant>((variant) => {
    const after = pageAfter(sql`${workItems.createdAt}`, sql`${workItems.id}`, variant)
    return sql`SELECT ${columns(workItems, COLUMNS)} FROM ${workItems} WHERE ${workItems.productId} = ${productId}
      AND ${workItems.type} = ${literal(type)} AND ${workItems.deletedAt} IS NULL ${after}`
  })
  return { detail, files, list }
}

const SELECTION = { epic: selection('epic'), feature: selection('feature'), userstory: selection('userstory') }

export async function getWorkItem(db: Database, type: WorkItemType, key: string): Promise<WorkItemFound> {
  const { detail, files } = SELECTION[type]
  const [[row], attached] = await db.read(detail({ key }), files({ key }))
  if (!row) throw notFound(NOT_FOUND[type])
  return { row, files: attached }
}

export async function listWorkItems(db: Database, type: WorkItemType, page: Page) {
  const [rows] = await db.read(SELECTION[type].list(sortedBy(page), pageValues(page)))
  return paginate(rows, page, (row) => [row.createdAt, row.id])
}
