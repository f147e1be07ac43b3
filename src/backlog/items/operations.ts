import * as z from 'zod'
import { ALL_LINKS_COST_REASON, declareCeiling, PAGE_RECORDS_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { hideFileDetailsInReply } from '../../workspace/assets/hide-details'
import { WorkItemDetail } from '../work-items/schema'
import * as queries from './queries'
import { ListAllWorkItems, WorkItemOfWorkspace, WorkItemParams } from './schema'

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

export const listAllWorkItems = operation({
  id: 'listAllWorkItems',
  ceiling: declareCeiling(31_000, PAGE_RECORDS_COST_REASON),
  of: 'work_item',
  route: 'GET /api/v2/work-items',
  summary: 'List the work items of all products',
  description:
    'Epics, features and user stories of all products, newest first, for mirrors and reports. A key that is limited to products sees the items of its products; each page looks at 10,000 items and can be short or empty and still have a next page.',
  query: ListAllWorkItems,
  data: z.array(WorkItemOfWorkspace),
  handle: ({ query, db }) => queries.listAllWorkItems(db, query),
})
