import { declareCeiling, EACH_LINK_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { hideFileDetailsInReply } from '../../workspace/assets/hide-details'
import { WorkItemParams } from '../items/schema'
import * as queries from './queries'
import { Converted, ConvertWorkItem } from './schema'

const PATH_SEGMENT_BY_TYPE = { epic: 'epics', feature: 'features', userstory: 'storyMap/card' }

export const convertWorkItem = operation({
  id: 'convertWorkItem',
  ceiling: declareCeiling(1_200_000, EACH_LINK_COST_REASON),
  of: 'work_item',
  route: 'POST /api/initiatives/{product_external_key}/backlog/{item_external_key}/convert',
  summary: 'Convert an item to another type',
  description:
    'The item gets a key of the new type and the last place in the order of the type. Former keys still find the item here. The item keeps its stories; a story that becomes a feature stays in its epic. Points move between `storyPoint` (story) and `estimate` (epic, feature). Children that the new type cannot have are a 409. An item that already has the type does not change.',
  params: WorkItemParams,
  body: ConvertWorkItem,
  data: Converted,
  message: 'Item converted',
  async handle({ params, body, db, actor }) {
    const reply = hideFileDetailsInReply(await queries.convertWorkItem(db, params, body.type), actor)
    const location = `/api/initiatives/${params.product_external_key}/${PATH_SEGMENT_BY_TYPE[body.type]}/${reply.data.externalKey}`
    return { ...reply, location }
  },
})
