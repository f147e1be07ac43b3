import * as z from 'zod'
import { operation } from '../../http/operation'
import { listQuery } from '../../http/pagination'
import { externalKey, integer, ProductParams } from '../../http/schemas'
import { prepare } from '../work-items/change'
import * as queries from '../work-items/queries'
import { references } from '../work-items/references'
import { toEpicResult, toWorkItem, toWorkItemDetail } from '../work-items/result'
import { CreateEpic, ModifyEpic, WorkItem, WorkItemDetail, WorkItemResult } from '../work-items/schema'

const EpicParams = ProductParams.extend({
  epic_external_key: externalKey('EP', 'The epic key, like EP-1.'),
})

export const createEpic = operation({
  id: 'createEpic',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/epics',
  tag: 'Epics',
  summary: 'Create an epic',
  description:
    '`userStories` and `features` name, by external key, what becomes its children. Unknown users, teams, personas or keys are a 400 that names them.',
  scope: 'backlog:write',
  params: ProductParams,
  body: CreateEpic,
  data: WorkItemResult,
  async handle({ params, body, db }) {
    const { fields, data } = await prepare(body)
    const { userStories, features } = body
    const children = { userStories, features }
    const row = await queries.createWorkItem(db, { type: 'epic', fields, children, references: references(body), data })
    return {
      data: toEpicResult(row),
      message: 'Epic saved',
      location: `/api/initiatives/${params.product_external_key}/epics/${row.externalKey}`,
    }
  },
})

export const modifyEpic = operation({
  id: 'modifyEpic',
  method: 'put',
  path: '/api/initiatives/{product_external_key}/epics/{epic_external_key}',
  tag: 'Epics',
  summary: 'Modify an epic',
  description: 'Changes the fields that are sent; `null` clears one. `kpis` and `files` replace the present links.',
  scope: 'backlog:write',
  params: EpicParams,
  query: z.object({
    epicId: integer().optional().meta({ description: 'When given, the id of the epic in the path.' }),
  }),
  body: ModifyEpic,
  data: WorkItemResult,
  conditional: true,
  errors: ['epic_not_found'],
  async handle({ params, query, body, db, ifMatch }) {
    const { fields, data } = await prepare(body)
    const row = await queries.modifyWorkItem(db, {
      type: 'epic',
      key: params.epic_external_key,
      fields,
      children: { userStories: body.userStories, features: body.features },
      links: { kpis: body.kpis, files: body.files },
      references: references(body),
      ifMatch,
      queryEpicId: query.epicId,
      data,
    })
    return { data: toEpicResult(row), message: 'Epic saved', version: row.version }
  },
})

export const listEpics = operation({
  id: 'listEpics',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/epics',
  tag: 'Epics',
  summary: 'List epics',
  description: 'The newest first, without children, KPIs and files: those come with the single epic.',
  scope: 'backlog:read',
  params: ProductParams,
  query: listQuery(['-createdAt', 'createdAt']),
  data: z.array(WorkItem),
  async handle({ query, db }) {
    const { rows, next } = await queries.listWorkItems(db, 'epic', query)
    return { data: rows.map(toWorkItem), next }
  },
})

export const getEpic = operation({
  id: 'getEpic',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/epics/{epic_external_key}',
  tag: 'Epics',
  summary: 'Retrieve an epic',
  description: 'With the keys of its features, user stories and KPIs, and its files.',
  scope: 'backlog:read',
  params: EpicParams,
  data: WorkItemDetail,
  errors: ['epic_not_found'],
  async handle({ params, db }) {
    const found = await queries.getWorkItem(db, 'epic', params.epic_external_key)
    return { data: toWorkItemDetail(found, params.product_external_key), version: found.row.version }
  },
})
