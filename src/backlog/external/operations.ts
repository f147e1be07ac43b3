import { WHOLE_EVENT, walk } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { hidingFilesOf } from '../../workspace/assets/hiding'
import { described } from '../work-items/description'
import { WorkItemDetail } from '../work-items/schema'
import * as queries from './queries'
import { ForeignParams, UpsertWorkItem } from './schema'

export const upsertWorkItem = operation({
  id: 'upsertWorkItem',
  ceiling: walk(1_200_000, WHOLE_EVENT),
  of: 'work_item',
  route: 'PUT /api/initiatives/{product_external_key}/backlog/external/{source}/{external_id}',
  summary: 'Create or modify an item by what another system calls it',
  description:
    'The first time it is made (201); from then on the fields that are sent are changed (200). At the same time one of several makes it. An item that was removed is made anew; one of another type is a 409.',
  status: 201,
  otherStatus: 200,
  params: ForeignParams,
  body: UpsertWorkItem,
  errors: [],
  data: WorkItemDetail,
  conditional: false,
  message: 'Item saved',
  async handle({ params, body, db, actor }) {
    const { isNew, ...reply } = await queries.upsertWorkItem(db, params, await described(body))
    const { data } = hidingFilesOf(reply, actor)
    return { data, ...(!isNew && { status: 200 as const }) }
  },
})
