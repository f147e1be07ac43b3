import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { guard } from '../../db/client/refuse'
import { returningDone } from '../../db/records/lifecycle'
import { products } from '../../db/schema/tenancy'
import { workItemLinks, workItems } from '../../db/schema/work-items'
import { coversProduct } from '../../db/sql/access'
import { referenceTo, workItemIdOfKey } from '../../db/sql/references'
import { returning } from '../../db/sql/returning'
import { caller, inline, insertInto, param, statement, type Values } from '../../db/sql/statement'
import { notFoundError } from '../../text/errors'
import { toIso } from '../../text/moments'
import { type WorkItemKey, workItem } from '../work-items/queries/any'
import type { CreateLink, Link } from './schema'
import { linkEventSql } from './statements'

/** The list of links is a single page. */
const MAX_LINKS_PER_ITEM = 200

export type LinkKey = WorkItemKey & { linkId: number }

const pathItemId = workItem.id
const linkIsOfTenant = sql`${workItemLinks.subscriptionId} = ${caller.subscription}`

interface LinkRow {
  id: number
  type: 'blocks' | 'relates' | 'duplicates'
  direction: 'to' | 'from'
  itemId: number
  externalKey: string
  itemType: string
  summary: string
  progress: string
  product: string
  createdAt: number
}

const joinLinkedItem = (end: SQL) => sql`CROSS JOIN ${workItems} o ON o.id = ${end} AND o.deleted_at IS NULL
    AND o.subscription_id = ${caller.subscription}
  CROSS JOIN ${products} ON ${products.id} = o.product_id AND ${products.deletedAt} IS NULL
    AND ${coversProduct(sql`${products.id}`)}`

const linkColumns = {
  id: workItemLinks.id,
  type: workItemLinks.type,
  itemId: sql`o.id`,
  externalKey: sql`o.external_key`,
  itemType: sql`o.type`,
  summary: sql`o.summary`,
  progress: sql`o.progress`,
  product: products.externalKey,
  createdAt: workItemLinks.createdAt,
}
const selectedLinkColumns = sql.join(
  Object.entries(linkColumns).map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`),
  sql`, `,
)

const fromLinksByDirection = {
  to: sql`${workItemLinks} ${joinLinkedItem(sql`${workItemLinks.toId}`)} WHERE ${linkIsOfTenant} AND ${workItemLinks.fromId} = ${pathItemId}`,
  from: sql`${workItemLinks} ${joinLinkedItem(sql`${workItemLinks.fromId}`)} WHERE ${linkIsOfTenant} AND ${workItemLinks.toId} = ${pathItemId}`,
}

const selectLinks = statement<LinkRow, Values>(sql`SELECT * FROM (
    SELECT ${selectedLinkColumns}, 'to' AS "direction" FROM ${fromLinksByDirection.to} UNION ALL SELECT ${selectedLinkColumns}, 'from' AS "direction" FROM ${fromLinksByDirection.from})
  ORDER BY "id"`)

const toLink = ({ id, type, direction, createdAt, itemId, itemType, ...item }: LinkRow): z.input<typeof Link> => ({
  ...{ id, type, direction },
  item: {
    id: itemId,
    externalKey: item.externalKey,
    type: itemType,
    summary: item.summary,
    progress: item.progress,
    product: item.product,
  },
  createdAt: toIso(createdAt),
})

export async function listLinks(db: Database, key: WorkItemKey) {
  const [rows, [item]] = await db.read(selectLinks(key), workItem.selectId(key))
  if (!item) throw notFoundError(workItem.missing)
  return rows.map(toLink)
}

const targetItemId = workItemIdOfKey(sql`${param('to')}`)
const itemsAreLinked = (a: SQL, b: SQL) => sql`EXISTS (SELECT 1 FROM ${workItemLinks}
  WHERE ${linkIsOfTenant} AND ${workItemLinks.fromId} = ${a} AND ${workItemLinks.toId} = ${b}
    AND ${workItemLinks.type} = ${param('type')})`
const itemLinksItself = guard<Values>(
  'validation_failed:/to:Must be the key of another item',
  sql`${targetItemId} = ${pathItemId}`,
)
const itemsAlreadyLinked = guard<Values>(
  'conflict:The items already have a link of this type.',
  sql`(${itemsAreLinked(pathItemId, targetItemId)} OR ${itemsAreLinked(targetItemId, pathItemId)})`,
)
const itemsBlockEachOther = guard<Values>(
  'conflict:The other item already blocks this item, directly or through other items. Items cannot block each other.',
  sql`${param('type')} = 'blocks' AND EXISTS (WITH RECURSIVE blocked (id) AS (
      SELECT ${targetItemId} UNION SELECT l.to_id FROM blocked CROSS JOIN ${workItemLinks} l
        ON l.subscription_id = ${caller.subscription} AND l.from_id = blocked.id AND l.type = 'blocks' LIMIT 10000)
    SELECT 1 FROM blocked WHERE id = ${pathItemId})`,
)
const selectLinkCount = (
  id: SQL,
) => sql`((SELECT count(*) FROM ${workItemLinks} WHERE ${linkIsOfTenant} AND ${workItemLinks.fromId} = ${id})
  + (SELECT count(*) FROM ${workItemLinks} WHERE ${linkIsOfTenant} AND ${workItemLinks.toId} = ${id}))`
const tooManyLinks = guard<Values>(
  `conflict:An item can have at most ${MAX_LINKS_PER_ITEM} links. Remove a link first.`,
  sql`max(${selectLinkCount(pathItemId)}, ${selectLinkCount(targetItemId)}) >= ${inline(MAX_LINKS_PER_ITEM)}`,
)

const insertLink = statement<never, Values>(
  insertInto(workItemLinks, {
    subscriptionId: caller.subscription,
    productId: sql`(SELECT w.product_id FROM ${workItems} w WHERE w.id = ${pathItemId})`,
    fromId: pathItemId,
    toId: targetItemId,
    type: sql`${param('type')}`,
    createdAt: caller.now,
  }),
)
const linkIsNew = sql`${linkIsOfTenant} AND ${workItemLinks.id} = last_insert_rowid()`

const emitLinkEvent = (type: 'created' | 'deleted', where: SQL) =>
  statement<never, Values>(() => linkEventSql(type, sql`FROM ${workItemLinks} WHERE ${where}`, false))
const emitCreated = emitLinkEvent('created', linkIsNew)
const returningLink = returning<LinkRow, Values>(
  { ...linkColumns, direction: sql`'to'` },
  sql`FROM ${workItemLinks} ${joinLinkedItem(sql`${workItemLinks.toId}`)}
    WHERE ${linkIsOfTenant} AND ${workItemLinks.fromId} = ${pathItemId} AND ${workItemLinks.toId} = ${targetItemId}
      AND ${workItemLinks.type} = ${param('type')}`,
)

export async function createLink(db: Database, key: WorkItemKey, body: z.output<typeof CreateLink>) {
  const values = { ...key, ...body }
  const { rows } = await db.write({
    guards: [
      ...workItem.writeGuards(key),
      itemLinksItself(values),
      itemsAlreadyLinked(values),
      itemsBlockEachOther(values),
      tooManyLinks(values),
    ],
    references: referenceTo('itemOfWorkspace', '/to', body.to),
    statements: [insertLink(values), emitCreated({})],
    returning: returningLink(values),
  })
  return toLink(rows[0])
}

const linkMatchesPath = sql`${linkIsOfTenant} AND ${workItemLinks.id} = ${param('linkId')}
  AND (${workItemLinks.fromId} = ${pathItemId} OR ${workItemLinks.toId} = ${pathItemId})`
const linkNotFound = guard<Values>(
  'work_item_link_not_found',
  sql`NOT EXISTS (SELECT 1 FROM ${fromLinksByDirection.to} AND ${workItemLinks.id} = ${param('linkId')} UNION ALL
    SELECT 1 FROM ${fromLinksByDirection.from} AND ${workItemLinks.id} = ${param('linkId')})`,
)
const deleteLink = statement<never, Values>(sql`DELETE FROM ${workItemLinks} WHERE ${linkMatchesPath}`)
const emitDeleted = emitLinkEvent('deleted', linkMatchesPath)

export const removeLink = (db: Database, key: LinkKey) =>
  db.write({
    guards: [...workItem.writeGuards(key), linkNotFound(key)],
    statements: [emitDeleted(key), deleteLink(key)],
    returning: returningDone({}),
  })
