import { sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { users } from '../../../../db/schema/tenancy'
import { workItemForeignIds, workItemKeys, workItems } from '../../../../db/schema/work-items'
import { caller, inline, param, statement, type Values } from '../../../../db/sql/statement'

export interface ItemNames {
  id: number
  externalKey: string
  /** A JSON array, the oldest first. */
  previousKeys: string
  /** A JSON array of pairs: source and id. */
  externalIds: string
}

const MAX_EXTERNAL_IDS = inline(20)

const selectItemNames = statement<ItemNames, Values>(sql`SELECT w.id AS "id", w.external_key AS "externalKey",
    (SELECT json_group_array(k.external_key ORDER BY k.created_at) FROM ${workItemKeys} k
      WHERE k.subscription_id = ${caller.subscription} AND k.work_item_id = w.id) AS "previousKeys",
    (SELECT json_group_array(json_array(x.source, x.foreign_id)) FROM (SELECT f.source, f.foreign_id FROM ${workItemForeignIds} f
      WHERE f.subscription_id = ${caller.subscription} AND f.work_item_id = w.id LIMIT ${MAX_EXTERNAL_IDS}) x) AS "externalIds"
  FROM json_each(${param('items')}) e CROSS JOIN ${workItems} w ON w.id = e.value AND +w.subscription_id = ${caller.subscription}`)

const selectAddresses = statement<{ id: number; email: string }, Values>(sql`SELECT u.id AS "id", u.email AS "email"
  FROM json_each(${param('people')}) e CROSS JOIN ${users} u ON u.id = e.value AND +u.subscription_id = ${caller.subscription}
    AND u.deleted_at IS NULL`)

/** Names of items, and addresses of assignees, as stored now. */
export async function findLinkedNames(
  store: Store,
  subscriptionId: number,
  { items, people }: { items: readonly number[]; people: readonly number[] },
) {
  const [names, addresses] = await store.batch(
    subscriptionId,
    selectItemNames({ items: JSON.stringify(items) }),
    selectAddresses({ people: JSON.stringify(people) }),
  )
  return {
    namesById: new Map(names.map((one) => [one.id, one])),
    addressById: new Map(addresses.map(({ id, email }) => [id, email])),
  }
}
