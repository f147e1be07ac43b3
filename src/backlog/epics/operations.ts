import * as z from 'zod'
import {
  ALL_LINKS_COST_REASON,
  declareCeiling,
  EACH_LINK_COST_REASON,
  PARENT_ITEMS_COST_REASON,
  WHOLE_EVENT_COST_REASON,
} from '../../http/ceiling'
import { operation } from '../../http/operation'
import { externalKey, integer, ProductParams } from '../../http/schemas'
import { hideFileDetailsInReply } from '../../workspace/assets/hide-details'
import { sanitizeDescription } from '../work-items/description'
import { ListWorkItems, RemoveParent } from '../work-items/list'
import * as create from '../work-items/queries/create'
import * as modify from '../work-items/queries/modify'
import * as read from '../work-items/queries/read'
import * as remove from '../work-items/queries/remove'
import * as restore from '../work-items/queries/restore'
import { toEpicResult } from '../work-items/result'
import { CreateEpic, ModifyEpic, WorkItem, WorkItemDetail, WorkItemResult } from '../work-items/schema'

const EpicParams = ProductParams.extend({
  epic_external_key: externalKey('EP', 'The epic key, like EP-1.'),
})

export const createEpic = operation({
  id: 'createEpic',
  of: 'epic',
  route: 'POST /api/initiatives/{product_external_key}/epics',
  storesRecords: true,
  summary: 'Create an epic',
  description:
    '`userStories` and `features` list the external keys of the children. Unknown users, teams, personas or keys are a 400 that names them.',
  params: ProductParams,
  body: CreateEpic,
  acceptsUnknownMembers: true,
  data: WorkItemResult,
  message: 'Epic saved',
  async handle({ params, body, db }) {
    const row = await create.createEpic(db, await sanitizeDescription(body))
    return {
      data: toEpicResult(row),
      location: `/api/initiatives/${params.product_external_key}/epics/${row.externalKey}`,
    }
  },
})

export const modifyEpic = operation({
  id: 'modifyEpic',
  ceiling: declareCeiling(1_200_000, WHOLE_EVENT_COST_REASON),
  of: 'epic',
  route: 'PUT /api/initiatives/{product_external_key}/epics/{epic_external_key}',
  summary: 'Modify an epic',
  description: 'Changes the fields that you send; `null` clears a field. `kpis` and `files` replace the present links.',
  params: EpicParams,
  query: z.object({
    epicId: integer().optional().meta({ description: 'Optional. Must be the id of the epic in the path.' }),
  }),
  body: ModifyEpic,
  acceptsUnknownMembers: true,
  data: WorkItemResult,
  message: 'Epic saved',
  async handle({ params, query, body, db, ifMatch }) {
    const row = await modify.modifyEpic(db, params, await sanitizeDescription(body), {
      ifMatch,
      queryEpicId: query.epicId,
    })
    return { data: toEpicResult(row), version: row.version }
  },
})

export const listEpics = operation({
  id: 'listEpics',
  ceiling: declareCeiling(53_000, PARENT_ITEMS_COST_REASON),
  of: 'epic',
  route: 'GET /api/initiatives/{product_external_key}/epics',
  summary: 'List epics',
  description: 'The newest epics first, unless you set `sort`. Children, KPIs and files come only with a single epic.',
  params: ProductParams,
  query: ListWorkItems,
  data: z.array(WorkItem),
  handle: ({ query, db }) => read.listEpics(db, query),
})

export const getEpic = operation({
  id: 'getEpic',
  ceiling: declareCeiling(140_000, ALL_LINKS_COST_REASON),
  of: 'epic',
  route: 'GET /api/initiatives/{product_external_key}/epics/{epic_external_key}',
  summary: 'Retrieve an epic',
  description: 'Includes the files and the keys of features, user stories and KPIs.',
  params: EpicParams,
  data: WorkItemDetail,
  handle: async ({ params, db, actor }) => hideFileDetailsInReply(await read.getEpic(db, params), actor),
})

export const removeEpic = operation({
  id: 'removeEpic',
  ceiling: declareCeiling(3_000_000, EACH_LINK_COST_REASON),
  of: 'epic',
  route: 'DELETE /api/initiatives/{product_external_key}/epics/{epic_external_key}',
  summary: 'Remove an epic',
  description:
    'Features and stories of the epic are detached, or removed too with `?cascade=true`. You can restore the epic for 30 days.',
  params: EpicParams,
  query: RemoveParent,
  message: 'Epic removed',
  handle: ({ params, query, db, ifMatch }) =>
    remove.removeEpic(db, params, { cascade: query.cascade === 'true', ifMatch }),
})

export const restoreEpic = operation({
  id: 'restoreEpic',
  ceiling: declareCeiling(2_400_000, EACH_LINK_COST_REASON),
  of: 'epic',
  route: 'POST /api/initiatives/{product_external_key}/epics/{epic_external_key}/restore',
  summary: 'Restore a removed epic',
  description: 'Items that the removal took or detached return too, unless moved since.',
  params: EpicParams,
  data: WorkItemDetail,
  message: 'Epic restored',
  async handle({ params, db, actor }) {
    return hideFileDetailsInReply(await restore.restoreEpic(db, params), actor)
  },
})
