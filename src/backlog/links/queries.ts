import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { covered } from '../../db/access'
import { answer } from '../../db/answer'
import type { Database } from '../../db/client'
import { eventSql } from '../../db/events'
import { keyOfOther, moment } from '../../db/field'
import { done } from '../../db/lifecycle'
import { workItemOfKey } from '../../db/references'
import { guard } from '../../db/refuse'
import { products } from '../../db/schema/tenancy'
import { workItemLinks, workItems } from '../../db/schema/work-items'
import { caller, inline, insertInto, param, statement, type Values } from '../../db/statement'
import { notFound } from '../../text/errors'
import { iso } from '../../text/moments'
import { type WorkItemKey, workItem } from '../work-items/queries/any'
import type { CreateLink, Link } from './schema'

/** Maximum links of an item, because the list is a single page. */
const MAX_LINKS = 200

export type LinkKey = WorkItemKey & { linkId: number }

const own = workItem.id
const tenant = sql`${workItemLinks.subscriptionId} = ${caller.subscription}`

interface LinkRow {
  id: number
  type: 'blocks' | 'relates' | 'duplicates'
  direction: 'to' | 'from'
  externalKey: string
  itemType: string
  summary: string
  progress: string
  product: string
  createdAt: number
}

/** Joins the linked item `o`, if the item is not removed and the key covers the product. */
const other = (end: SQL) => sql`CROSS JOIN ${workItems} o ON o.id = ${end} AND o.deleted_at IS NULL
    AND o.subscription_id = ${caller.subscription}
  CROSS JOIN ${products} ON ${products.id} = o.product_id AND ${products.deletedAt} IS NULL
    AND ${covered(sql`${products.id}`)}`

const row = {
  id: workItemLinks.id,
  type: workItemLinks.type,
  externalKey: sql`o.external_key`,
  itemType: sql`o.type`,
  summary: sql`o.summary`,
  progress: sql`o.progress`,
  product: products.externalKey,
  createdAt: workItemLinks.createdAt,
}
const selected = sql.join(
  Object.entries(row).map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`),
  sql`, `,
)

const from = {
  to: sql`${workItemLinks} ${other(sql`${workItemLinks.toId}`)} WHERE ${tenant} AND ${workItemLinks.fromId} = ${own}`,
  from: sql`${workItemLinks} ${other(sql`${workItemLinks.fromId}`)} WHERE ${tenant} AND ${workItemLinks.toId} = ${own}`,
}

const seen = statement<LinkRow, Values>(sql`SELECT * FROM (
    SELECT ${selected}, 'to' AS "direction" FROM ${from.to} UNION ALL SELECT ${selected}, 'from' AS "direction" FROM ${from.from})
  ORDER BY "id"`)

const shown = ({ id, type, direction, createdAt, itemType, ...item }: LinkRow): z.input<typeof Link> => ({
  ...{ id, type, direction },
  item: {
    externalKey: item.externalKey,
    type: itemType,
    summary: item.summary,
    progress: item.progress,
    product: item.product,
  },
  createdAt: iso(createdAt),
})

export async function listLinks(db: Database, key: WorkItemKey) {
  const [rows, [item]] = await db.read(seen(key), workItem.find(key))
  if (!item) throw notFound(workItem.missing)
  return rows.map(shown)
}

const target = workItemOfKey(sql`${param('to')}`)
const between = (a: SQL, b: SQL) => sql`EXISTS (SELECT 1 FROM ${workItemLinks}
  WHERE ${tenant} AND ${workItemLinks.fromId} = ${a} AND ${workItemLinks.toId} = ${b}
    AND ${workItemLinks.type} = ${param('type')})`
const itself = guard<Values>(sql`'validation_failed:/to:Must be the key of another item'`, sql`${target} = ${own}`)
const linkedAlready = guard<Values>(
  sql`'conflict:The items are linked like that already.'`,
  sql`(${between(own, target)} OR ${between(target, own)})`,
)
// Items blocked by the target, directly or indirectly; UNION visits each item once in a circle of links.
const roundabout = guard<Values>(
  sql`'conflict:The other item blocks this one, itself or by others: they would block each other.'`,
  sql`${param('type')} = 'blocks' AND EXISTS (WITH RECURSIVE blocked (id) AS (
      SELECT ${target} UNION SELECT l.to_id FROM blocked CROSS JOIN ${workItemLinks} l
        ON l.subscription_id = ${caller.subscription} AND l.from_id = blocked.id AND l.type = 'blocks' LIMIT 10000)
    SELECT 1 FROM blocked WHERE id = ${own})`,
)
const countOf = (
  id: SQL,
) => sql`((SELECT count(*) FROM ${workItemLinks} WHERE ${tenant} AND ${workItemLinks.fromId} = ${id})
  + (SELECT count(*) FROM ${workItemLinks} WHERE ${tenant} AND ${workItemLinks.toId} = ${id}))`
const full = guard<Values>(
  inline(`conflict:An item has at most ${MAX_LINKS} links. Remove one of them first.`),
  sql`max(${countOf(own)}, ${countOf(target)}) >= ${inline(MAX_LINKS)}`,
)

const link = statement<never, Values>(
  insertInto(workItemLinks, {
    subscriptionId: caller.subscription,
    productId: sql`(SELECT w.product_id FROM ${workItems} w WHERE w.id = ${own})`,
    fromId: own,
    toId: target,
    type: sql`${param('type')}`,
    createdAt: caller.now,
  }),
)
const newest = sql`${tenant} AND ${workItemLinks.id} = last_insert_rowid()`

/** Key of an end of the link, hidden from readers without access to the product of the end. */
const keyOf = (id: SQL) => {
  const end = (column: SQL) => sql`(SELECT ${column} FROM ${workItems} w WHERE w.id = ${id})`
  return keyOfOther({ key: end(sql`w.external_key`), product: end(sql`w.product_id`) }, sql`${workItemLinks.productId}`)
}
const told = (type: 'created' | 'deleted', where: SQL) =>
  statement<never, Values>(() =>
    eventSql({
      type: `work_item_link.${type}`,
      key: sql`CAST(${workItemLinks.id} AS TEXT)`,
      product: sql`${workItemLinks.productId}`,
      data: sql`json_object('id', ${workItemLinks.id}, 'type', ${workItemLinks.type},
        'from', ${keyOf(sql`${workItemLinks.fromId}`)}, 'to', ${keyOf(sql`${workItemLinks.toId}`)},
        'createdAt', ${moment(workItemLinks.createdAt).json()})`,
      from: sql`FROM ${workItemLinks} WHERE ${where}`,
    }),
  )
const created = told('created', newest)
const answered = answer<LinkRow, Values>(
  { ...row, direction: sql`'to'` },
  sql`FROM ${workItemLinks} ${other(sql`${workItemLinks.toId}`)}
    WHERE ${tenant} AND ${workItemLinks.fromId} = ${own} AND ${workItemLinks.toId} = ${target}
      AND ${workItemLinks.type} = ${param('type')}`,
)

export async function createLink(db: Database, key: WorkItemKey, body: z.output<typeof CreateLink>) {
  const given = { ...key, ...body }
  const { answer: rows } = await db.write({
    guards: [...workItem.writable(key), itself(given), linkedAlready(given), roundabout(given), full(given)],
    references: [{ kind: 'itemOfWorkspace', path: '/to', value: body.to }],
    statements: [link(given), created({})],
    answer: answered(given),
  })
  return shown(rows[0])
}

const addressed = sql`${tenant} AND ${workItemLinks.id} = ${param('linkId')}
  AND (${workItemLinks.fromId} = ${own} OR ${workItemLinks.toId} = ${own})`
const absent = guard<Values>(
  'work_item_link_not_found',
  sql`NOT EXISTS (SELECT 1 FROM ${from.to} AND ${workItemLinks.id} = ${param('linkId')} UNION ALL
    SELECT 1 FROM ${from.from} AND ${workItemLinks.id} = ${param('linkId')})`,
)
const unlink = statement<never, Values>(sql`DELETE FROM ${workItemLinks} WHERE ${addressed}`)
const deleted = told('deleted', addressed)

export const removeLink = (db: Database, key: LinkKey) =>
  db.write({
    guards: [...workItem.writable(key), absent(key)],
    statements: [deleted(key), unlink(key)],
    answer: done({}),
  })
