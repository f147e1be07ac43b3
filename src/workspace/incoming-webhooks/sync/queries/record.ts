import { type SQLWrapper, sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { deleteDetachments } from '../../../../db/records/detachments'
import { log, users } from '../../../../db/schema/tenancy'
import { incomingRecords } from '../../../../db/schema/webhooks'
import { workItemForeignIds, workItemKeys, workItems } from '../../../../db/schema/work-items'
import { lastEventId, logPlaceOf } from '../../../../db/sql/log'
import { caller, inline, param, type Statement, statement, type Values } from '../../../../db/sql/statement'
import type { ItemType, StoredMembers } from '../fields'

const isBoundRecord = sql`${incomingRecords.subscriptionId} = ${caller.subscription}
  AND ${incomingRecords.productId} = ${param('productId')} AND ${incomingRecords.kind} = 'work_item'
  AND ${incomingRecords.source} = ${param('source')} AND ${incomingRecords.foreignId} = ${param('foreignId')}`

// Longer than the requests of a delivery take. A crashed delivery continues with its own lease.
const RECORD_LEASE_MS = inline(120_000)
export const MAX_EVENTS_PER_CLAIM = 500
export const MAX_CHILDREN_PER_CLAIM = 50
export const MAX_WAITING_PER_CLAIM = 20

export interface StoredRecord {
  /** JSON. */
  details: string
  position: number
  waitsFor: string | null
}

/** No row while another delivery works on the item. */
const claimRecord = statement<StoredRecord, Values>(sql`INSERT INTO ${incomingRecords}
    (subscription_id, product_id, kind, source, foreign_id, lease_until, holder, seen_at)
  SELECT ${caller.subscription}, ${param('productId')}, 'work_item', ${param('source')}, ${param('foreignId')},
    ${caller.now} + ${RECORD_LEASE_MS}, ${param('receiptId')}, ${caller.now} WHERE true
  ON CONFLICT DO UPDATE SET lease_until = excluded.lease_until, holder = excluded.holder, seen_at = excluded.seen_at
    WHERE lease_until <= ${caller.now} OR holder = excluded.holder
  RETURNING details AS "details", position AS "position", waits_for AS "waitsFor"`)

const isItemOfProduct = sql`w.product_id = ${param('productId')} AND +w.subscription_id = ${caller.subscription}`
const selectCopyId = (foreignId: SQLWrapper) => sql`(SELECT x.work_item_id FROM ${workItemForeignIds} x
  WHERE x.subscription_id = ${caller.subscription} AND x.product_id = ${param('productId')} AND x.source = ${param('source')}
    AND x.foreign_id = ${foreignId})`
/** Removed items count, too. */
const selectItemId = (ownId: SQLWrapper, foreignId: SQLWrapper) => sql`(SELECT w.id FROM ${workItems} w
  WHERE w.id = coalesce((SELECT w.id FROM ${workItems} w WHERE w.id = ${ownId} AND ${isItemOfProduct}), ${selectCopyId(foreignId)})
    AND ${isItemOfProduct})`
const ownItemId = selectItemId(param('ownId'), param('foreignId'))

export interface LocalItem extends StoredMembers {
  id: number
  externalKey: string
  previousKeys: string
  version: number
  isRemoved: number
  /** 1 for a copy of an item of the other workspace. */
  isCopy: number
  epicId: number | null
  featureId: number | null
  /** A JSON array. */
  userIds: string
}

const selectLocalItem = statement<
  LocalItem,
  Values
>(sql`SELECT i.id AS "id", i.type AS "type", i.external_key AS "externalKey",
    (SELECT json_group_array(k.external_key ORDER BY k.created_at) FROM ${workItemKeys} k
      WHERE k.subscription_id = ${caller.subscription} AND k.work_item_id = i.id) AS "previousKeys",
    i.version AS "version", i.deleted_at IS NOT NULL AS "isRemoved",
    coalesce(${selectCopyId(param('foreignId'))} = i.id, 0) AS "isCopy",
    i.epic_id AS "epicId", i.feature_id AS "featureId", i.user_ids AS "userIds", i.summary AS "summary",
    i.description AS "description", i.business_goal AS "businessGoal", i.color AS "color", i.progress AS "progress",
    i.progress_percentage AS "progressPercentage", i.start_date AS "startDate", i.end_date AS "endDate", i.tags AS "tags",
    i.urls AS "urls", i.attributes AS "attributes", i.jira_id AS "jiraId", i.jira_key AS "jiraKey",
    i.external_progress AS "externalProgress", i.backlog AS "backlog", i.estimate AS "estimate", i.story_point AS "storyPoint",
    i.business_value AS "businessValue", i.score AS "score", i.remaining_time AS "remainingTime", i.first_child AS "firstChild"
  FROM ${workItems} i WHERE i.id = ${ownItemId} AND +i.subscription_id = ${caller.subscription}`)

export interface LocalEvent {
  id: number
  type: string
  key: string
  at: number
  /** Names of members, as a JSON array. */
  changed: string
  epicId: number | null
  featureId: number | null
  previousEpicId: number | null
  previousFeatureId: number | null
}

const memberOf = (column: SQLWrapper, name: string) => sql`(${column} ->> ${inline(`$.${name}`)})`
const itemKeys = sql`SELECT w.external_key FROM ${workItems} w WHERE w.id = ${ownItemId} AND +w.subscription_id = ${caller.subscription}
  UNION ALL SELECT k.external_key FROM ${workItemKeys} k WHERE k.subscription_id = ${caller.subscription} AND k.work_item_id = ${ownItemId}`
// A delivery to the other side has the same condition (src/workspace/webhooks/queries/matching.ts).
const isOwnChange = sql`coalesce(${log.hops}, 0) = 0`

/** Changes of people and programs here, after the stored position. Changes of deliveries are left out. */
const selectLocalEvents = statement<LocalEvent, Values>(sql`SELECT ${log.id} AS "id", ${log.type} AS "type",
    ${log.resourceKey} AS "key", ${log.createdAt} AS "at",
    (SELECT json_group_array(p.key) FROM json_each(coalesce(${log.previous}, '{}')) p) AS "changed",
    ${memberOf(log.data, 'epicId')} AS "epicId", ${memberOf(log.data, 'featureId')} AS "featureId",
    ${memberOf(log.previous, 'epicId')} AS "previousEpicId", ${memberOf(log.previous, 'featureId')} AS "previousFeatureId"
  FROM ${log} WHERE ${log.place} IN (SELECT ${log.place} FROM ${log} INDEXED BY log_resource
      WHERE ${log.subscriptionId} = ${caller.subscription} AND ${log.resourceKey} IN (${itemKeys})
        AND ${log.place} > ${logPlaceOf(sql`max(${param('after')}, coalesce((SELECT position FROM ${incomingRecords} WHERE ${isBoundRecord}), 0))`)})
    AND ${isOwnChange} AND (${log.type} GLOB 'epic.*' OR ${log.type} GLOB 'feature.*' OR ${log.type} GLOB 'userstory.*')
  ORDER BY ${log.place} LIMIT ${inline(MAX_EVENTS_PER_CLAIM)}`)

const selectLastEventId = statement<{ id: number }, Values>(sql`SELECT ${lastEventId} AS "id"`)

export interface LocalParent {
  id: number
  type: ItemType
  epicId: number | null
  isRemoved: number
}

const selectParent = statement<
  LocalParent,
  Values
>(sql`SELECT p.id AS "id", p.type AS "type", p.epic_id AS "epicId", p.deleted_at IS NOT NULL AS "isRemoved"
  FROM ${workItems} p WHERE p.id = ${selectItemId(param('parentOwnId'), param('parentId'))}
    AND +p.subscription_id = ${caller.subscription}`)

const selectAssignees = statement<{ id: number }, { addresses: string }>(sql`SELECT u.id AS "id"
  FROM json_each(${param('addresses')}) c CROSS JOIN ${users} u ON u.subscription_id = ${caller.subscription}
    AND u.email = c.value AND u.deleted_at IS NULL ORDER BY c.key`)

export interface RecordName {
  receiptId: number
  productId: number
  source: string
  foreignId: string
  /** Id of the item here, if known. */
  ownId: number | null
}

export interface ClaimedItem {
  stored: StoredRecord
  item: LocalItem | undefined
  events: LocalEvent[]
  /** All events up to this event are in `events`, if `events` is not full. */
  lastEventId: number
}

/** Takes the lease of the item; undefined while another delivery has the lease. `after`: last event that was read. */
export async function claimItem(
  store: Store,
  subscriptionId: number,
  name: RecordName,
  after: number,
): Promise<ClaimedItem | undefined> {
  const values = { ...name, after }
  const [[stored], [item], events, [last]] = await store.batch(
    subscriptionId,
    claimRecord(values),
    selectLocalItem(values),
    selectLocalEvents(values),
    selectLastEventId({}),
  )
  return stored && { stored, item, events, lastEventId: last?.id ?? 0 }
}

export interface Lookups {
  parentId: number
  parentOwnId: number | null
  addresses: readonly string[]
}

export async function findLinkedRecords(store: Store, subscriptionId: number, name: RecordName, lookups: Lookups) {
  const { parentId, parentOwnId, addresses } = lookups
  const [[parent], assignees] = await store.batch(
    subscriptionId,
    selectParent({ ...name, parentId: String(parentId), parentOwnId }),
    selectAssignees({ addresses: JSON.stringify(addresses) }),
  )
  return { parent, userIds: assignees.map(({ id }) => id) }
}

/** `position`: last event of this workspace that the details hold. */
export interface RecordDetails {
  details: string
  position: number
}

const updateDetails = statement<
  never,
  Values
>(sql`UPDATE ${incomingRecords} SET details = ${param('details')}, position = max(position, ${param('position')})
  WHERE ${isBoundRecord} AND holder = ${param('receiptId')}`)

/** Stores details while the delivery goes on. */
export async function storeDetails(
  store: Store,
  subscriptionId: number,
  name: RecordName,
  details: RecordDetails,
): Promise<void> {
  await store.batch(subscriptionId, updateDetails({ ...name, ...details }))
}

export interface RecordOutcome extends RecordDetails {
  isRemoved: boolean
  waitsFor: string | null
}

const releaseRecord = statement<
  never,
  Values
>(sql`UPDATE ${incomingRecords} SET lease_until = 0, details = ${param('details')},
    position = max(position, ${param('position')}), is_removed = ${param('isRemoved')}, waits_for = ${param('waitsFor')}
  WHERE ${isBoundRecord} AND holder = ${param('receiptId')}`)
const endLease = statement<never, Values>(sql`UPDATE ${incomingRecords} SET lease_until = 0
  WHERE ${isBoundRecord} AND holder = ${param('receiptId')}`)

/** Ends the lease, and stores the outcome if there is one. */
export const buildItemRelease = (name: RecordName, outcome: RecordOutcome | undefined): Statement<never> =>
  outcome ? releaseRecord({ ...name, ...outcome }) : endLease({ ...name })

export interface ChildItem {
  externalKey: string
  type: ItemType
  featureId: number | null
}

const selectChildren = statement<ChildItem, Values>(sql`SELECT c.external_key AS "externalKey", c.type AS "type",
    c.feature_id AS "featureId"
  FROM ${workItems} c WHERE c.subscription_id = ${caller.subscription} AND c.deleted_at IS NULL AND c.product_id = ${param('productId')}
    AND c.id IN (SELECT e.id FROM ${workItems} e WHERE e.subscription_id = ${caller.subscription} AND e.epic_id = ${param('itemId')}
        AND e.feature_id IS NULL
      UNION ALL SELECT f.id FROM ${workItems} f WHERE f.subscription_id = ${caller.subscription} AND f.feature_id = ${param('itemId')})
    AND (c.type = ${param('onlyType')} OR ${param('onlyType')} IS NULL)
  LIMIT ${inline(MAX_CHILDREN_PER_CLAIM)}`)

/** Features and stories directly below the item. */
export async function listChildren(
  store: Store,
  subscriptionId: number,
  values: { productId: number; itemId: number; onlyType: ItemType | null },
): Promise<ChildItem[]> {
  return (await store.batch(subscriptionId, selectChildren(values)))[0]
}

const forgetFormerHolders = (['work_item_epic', 'work_item_feature', 'work_item_taken'] as const).map((kind) =>
  deleteDetachments(kind, { id: sql`${param('itemId')}` }),
)

/** The restore then brings no children back: their own events do. */
export async function forgetFormerChildren(store: Store, subscriptionId: number, itemId: number): Promise<void> {
  await store.batch(subscriptionId, ...forgetFormerHolders.map((make) => make({ itemId })))
}

export interface WaitingRecord {
  foreignId: string
  details: string
}

const selectWaiting = statement<WaitingRecord, Values>(sql`SELECT foreign_id AS "foreignId", details AS "details"
  FROM ${incomingRecords} INDEXED BY incoming_records_waiting
  WHERE subscription_id = ${caller.subscription} AND product_id = ${param('productId')} AND waits_for = ${param('foreignId')}
    AND waits_for IS NOT NULL AND kind = 'work_item' AND source = ${param('source')} LIMIT ${inline(MAX_WAITING_PER_CLAIM)}`)

export async function listWaitingRecords(
  store: Store,
  subscriptionId: number,
  name: Pick<RecordName, 'productId' | 'source' | 'foreignId'>,
): Promise<WaitingRecord[]> {
  const { productId, source, foreignId } = name
  return (await store.batch(subscriptionId, selectWaiting({ productId, source, foreignId })))[0]
}
