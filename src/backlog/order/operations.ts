import { declareCeiling, WHOLE_EVENT_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { WorkItemParams } from '../items/schema'
import * as queries from './queries/move'
import { MAX_RANK_CHARACTERS, respaceRanks } from './respace'
import { MoveWorkItem, Place } from './schema'

export const moveWorkItem = operation({
  id: 'moveWorkItem',
  ceiling: declareCeiling(1_100_000, WHOLE_EVENT_COST_REASON),
  of: 'work_item',
  route: 'POST /api/initiatives/{product_external_key}/backlog/{item_external_key}/move',
  summary: 'Move an item in its order or to another parent',
  description:
    'Each type has one order per product. Lists with `sort=order` and the tree use this order. The response names the new neighbors. A story below a feature has the epic of the feature; stories follow their feature.',
  params: WorkItemParams,
  body: MoveWorkItem,
  data: Place,
  message: 'Item moved',
  async handle({ params, body, db, runAfterResponse }) {
    const { rankLength, ...data } = await queries.moveWorkItem(db, params, body)
    if (rankLength > MAX_RANK_CHARACTERS) runAfterResponse(respaceRanks(db, params))
    return { data }
  },
})
