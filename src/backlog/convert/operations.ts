import { EACH_LINK, walk } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { hidingFilesOf } from '../../workspace/assets/hiding'
import { WorkItemParams } from '../items/schema'
import * as queries from './queries'
import { Converted, ConvertWorkItem } from './schema'

const FOLDERS = { epic: 'epics', feature: 'features', userstory: 'storyMap/card' }

export const convertWorkItem = operation({
  id: 'convertWorkItem',
  ceiling: walk(1_200_000, EACH_LINK),
  of: 'work_item',
  route: 'POST /api/initiatives/{product_external_key}/backlog/{item_external_key}/convert',
  summary: 'Make an item one of another type',
  description:
    'It gets a key of that type, and the last place in its order; the keys that it had still find it here. Its stories stay with it, a story that becomes a feature stays in its epic. Its points stay with it, as `storyPoint` of a story and `estimate` of another. What the new type cannot have below it is a 409; what is of the type already stays as it is.',
  params: WorkItemParams,
  body: ConvertWorkItem,
  data: Converted,
  message: 'Item converted',
  async handle({ params, body, db, actor }) {
    const reply = hidingFilesOf(await queries.convertWorkItem(db, params, body.type), actor)
    const location = `/api/initiatives/${params.product_external_key}/${FOLDERS[body.type]}/${reply.data.externalKey}`
    return { ...reply, location }
  },
})
