import { WHOLE_EVENT, walk } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { WorkItemParams } from '../items/schema'
import * as queries from './queries/move'
import { MAX_RANK, respace } from './respace'
import { MoveWorkItem, Place } from './schema'

export const moveWorkItem = operation({
  id: 'moveWorkItem',
  ceiling: walk(1_100_000, WHOLE_EVENT),
  of: 'work_item',
  route: 'POST /api/initiatives/{product_external_key}/backlog/{item_external_key}/move',
  summary: 'Move an item in its order, or below another parent',
  description:
    'Each type of a product has one order, which the lists have by `sort=order`, and the tree. Answers between which items it stands now. A story that hangs on a feature has the epic of that; the stories of a feature follow it.',
  params: WorkItemParams,
  body: MoveWorkItem,
  data: Place,
  message: 'Item moved',
  async handle({ params, body, db, afterwards }) {
    const { length, ...data } = await queries.moveWorkItem(db, params, body)
    if (length > MAX_RANK) afterwards(respace(db, params))
    return { data }
  },
})
