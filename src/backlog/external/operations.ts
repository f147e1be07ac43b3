import { declareCeiling, WHOLE_EVENT_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { hideFileDetailsInReply } from '../../workspace/assets/hide-details'
import { sanitizeDescription } from '../work-items/description'
import { WorkItemDetail } from '../work-items/schema'
import * as queries from './queries'
import { ForeignKeyParams, UpsertWorkItem, UpsertWorkItemQuery } from './schema'

export const upsertWorkItem = operation({
  id: 'upsertWorkItem',
  ceiling: declareCeiling(1_200_000, WHOLE_EVENT_COST_REASON),
  of: 'work_item',
  route: 'PUT /api/initiatives/{product_external_key}/backlog/external/{source}/{external_id}',
  summary: 'Create or modify an item by its id in another system',
  description:
    'The first request creates the item (201); later requests change the fields that you send (200). Only one of several concurrent requests creates the item. A removed item does not change; the request creates a new item. An item of another type is a 409.',
  status: 201,
  alternativeStatus: 200,
  params: ForeignKeyParams,
  query: UpsertWorkItemQuery,
  body: UpsertWorkItem,
  errors: [],
  data: WorkItemDetail,
  conditional: false,
  message: 'Item saved',
  async handle({ params, query, body, db, actor }) {
    const clean = await sanitizeDescription(body)
    const { isNew, ...reply } = await queries.upsertWorkItem(db, params, clean, query)
    const { data } = hideFileDetailsInReply(reply, actor)
    return { data, ...(!isNew && { status: 200 as const }) }
  },
})
