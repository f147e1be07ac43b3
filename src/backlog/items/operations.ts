import { ALL_LINKS, walk } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { hidingFilesOf } from '../../workspace/assets/hiding'
import { WorkItemDetail } from '../work-items/schema'
import * as queries from './queries'
import { WorkItemParams } from './schema'

export const getWorkItem = operation({
  id: 'getWorkItem',
  ceiling: walk(81_000, ALL_LINKS),
  of: 'work_item',
  route: 'GET /api/initiatives/{product_external_key}/backlog/{item_external_key}',
  summary: 'Retrieve an epic, a feature or a user story',
  description: 'By its key, or by one that it had before it was converted.',
  params: WorkItemParams,
  data: WorkItemDetail,
  handle: async ({ params, db, actor }) => hidingFilesOf(await queries.getWorkItem(db, params), actor),
})
