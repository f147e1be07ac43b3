import { BulkDone, BulkQuery, bulkModeOf, makeBulkReply } from '../../http/bulk'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import { BULK_ITEM_PROBLEMS } from './problems'
import * as queries from './queries/bulk'
import { readOperations } from './read'
import { BulkBacklog } from './schema'

export const bulkBacklog = operation({
  id: 'bulkBacklog',
  of: 'work_item',
  route: 'POST /api/initiatives/{product_external_key}/backlog/bulk',
  summary: 'Create, modify and remove many items at once',
  description:
    'Applies up to 1,000 operations in one transaction: creates first (epics, features, stories), then updates, then deletes. A delete detaches the children. A failed operation stops only the operations on its children, unless `atomic=true`. Each operation has its own result.',
  bulk: true,
  params: ProductParams,
  query: BulkQuery,
  body: BulkBacklog,
  data: BulkDone,
  async handle({ query, body, db }) {
    const mode = bulkModeOf(query)
    const items = await readOperations(body)
    return makeBulkReply({
      items,
      mode,
      known: BULK_ITEM_PROBLEMS,
      write: () => queries.applyBulkOperations(db, items, mode),
    })
  },
})
