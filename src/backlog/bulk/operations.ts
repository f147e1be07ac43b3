import { BulkDone, BulkQuery, bulkReply, modeOf } from '../../http/bulk'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import { PROBLEMS } from './problems'
import * as queries from './queries/bulk'
import { readOperations } from './read'
import { BulkBacklog } from './schema'

export const bulkBacklog = operation({
  id: 'bulkBacklog',
  of: 'work_item',
  route: 'POST /api/initiatives/{product_external_key}/backlog/bulk',
  summary: 'Create, modify and remove many items at once',
  description:
    'Up to 1,000 operations, together in one transaction: what is made first, epics before features before stories, then what is modified, then what is removed, of which what hangs below is detached. An operation that is wrong keeps none of the others out, but those that hang on it, unless `atomic=true`; each has its result.',
  bulk: true,
  params: ProductParams,
  query: BulkQuery,
  body: BulkBacklog,
  data: BulkDone,
  async handle({ query, body, db }) {
    const mode = modeOf(query)
    const items = await readOperations(body)
    return bulkReply({ items, mode, known: PROBLEMS, write: () => queries.bulkItems(db, items, mode) })
  },
})
