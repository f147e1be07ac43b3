import { sql } from 'drizzle-orm'
import { makeListReader } from '../../db/records/list'
import { record } from '../../db/records/record'
import { sortInWorkspace } from '../../db/records/sorts'
import { products } from '../../db/schema/tenancy'
import { workItems } from '../../db/schema/work-items'
import { computedValue } from '../../db/sql/field'
import { equalsAny, type Filter, hasAttributes, namesRecord, unindexed } from '../../db/sql/filter'
import { caller, param } from '../../db/sql/statement'
import { workItem } from '../work-items/queries/any'
import { ListAllWorkItems } from './schema'

export const getWorkItem = workItem.get

const productOfItem = (column: typeof products.externalKey) =>
  sql`(SELECT ${column} FROM ${products} WHERE ${products.subscriptionId} = ${caller.subscription}
    AND ${products.id} = ${workItems.productId})`

const workItemOfWorkspace = record('work_item', {
  table: workItems,
  scope: { product: workItems.productId },
  key: {},
  // Condition of the indexes of this list.
  discriminator: sql`AND ${workItems.productId} > 0`,
  resourceName: sql`${workItems.type}`,
  fields: {
    ...workItem.fields,
    productId: workItems.productId,
    productKey: computedValue<string>(productOfItem(products.externalKey)),
  },
})

const productFilter: Filter<string> = unindexed({
  where: (name) => sql`${workItems.productId} = (SELECT p.id FROM ${products} p
    WHERE p.subscription_id = ${caller.subscription} AND p.external_key = ${param(name)})`,
})

export const listAllWorkItems = makeListReader(workItemOfWorkspace, ListAllWorkItems, {
  sorts: { createdAt: sortInWorkspace(workItems.createdAt) },
  filters: {
    type: unindexed(equalsAny(workItems.type)) as Filter<readonly ('epic' | 'feature' | 'userstory')[]>,
    progress: unindexed(equalsAny(workItems.progress)),
    product: namesRecord('product', productFilter),
    attributes: hasAttributes(workItems.attributes),
  },
  // The items of a removed product stay, because their paths contain the product.
  shownIf: sql`${workItems.productId} NOT IN (SELECT ${products.id} FROM ${products}
    WHERE ${products.subscriptionId} = ${caller.subscription} AND ${products.deletedAt} IS NOT NULL)`,
}).page
