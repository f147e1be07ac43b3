import { ALL_LINKS_COST_REASON, declareCeiling } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { hideFileDetailsInReply } from '../../workspace/assets/hide-details'
import { WorkItemDetail } from '../work-items/schema'
import * as queries from './queries'
import { WorkItemParams } from './schema'

export const getWorkItem = operation({
  id: 'getWorkItem',
  ceiling: declareCeiling(81_000, ALL_LINKS_COST_REASON),
  of: 'work_item',
  route: 'GET /api/initiatives/{product_external_key}/backlog/{item_external_key}',
  summary: 'Retrieve an epic, a feature or a user story',
  description: 'Finds the item by its key, or by a former key from before a conversion.',
  params: WorkItemParams,
  data: WorkItemDetail,
  handle: async ({ params, db, actor }) => hideFileDetailsInReply(await queries.getWorkItem(db, params), actor),
})
