import * as z from 'zod'
import { operation } from '../../http/operation'
import { listQuery } from '../../http/pagination'
import { externalKey, ProductParams } from '../../http/schemas'
import { prepare } from '../work-items/change'
import * as queries from '../work-items/queries'
import { references } from '../work-items/references'
import { toStoryResult, toWorkItem, toWorkItemDetail } from '../work-items/result'
import { CreateUserStory, ModifyUserStory, WorkItem, WorkItemDetail, WorkItemResult } from '../work-items/schema'

const CardParams = ProductParams.extend({
  card_external_key: externalKey('US', 'The user-story key, like US-1.'),
})

export const createUserStory = operation({
  id: 'createUserStory',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/storyMap/card',
  tag: 'User stories',
  summary: 'Create a user story',
  description: "A story under a feature follows that feature's epic; `epicId` and `featureId` may both be left out.",
  scope: 'backlog:write',
  status: 201,
  params: ProductParams,
  body: CreateUserStory,
  data: WorkItemResult,
  async handle({ params, body, db }) {
    const { fields, data } = await prepare(body)
    const row = await queries.createWorkItem(db, {
      type: 'userstory',
      fields,
      epicId: body.epicId,
      featureId: body.featureId,
      children: {},
      references: references(body),
      data,
    })
    return {
      data: toStoryResult(row),
      message: 'User story saved',
      location: `/api/initiatives/${params.product_external_key}/storyMap/card/${row.externalKey}`,
    }
  },
})

export const modifyUserStory = operation({
  id: 'modifyUserStory',
  method: 'put',
  path: '/api/initiatives/{product_external_key}/storyMap/card/{card_external_key}',
  tag: 'User stories',
  summary: 'Modify a user story',
  description: 'Changes the fields that are sent; `null` clears one. `epicId` or `featureId` 0 detaches.',
  scope: 'backlog:write',
  params: CardParams,
  body: ModifyUserStory,
  data: z.object({}),
  conditional: true,
  errors: ['user_story_not_found'],
  async handle({ params, body, db, ifMatch }) {
    const { fields, data } = await prepare(body)
    const row = await queries.modifyWorkItem(db, {
      type: 'userstory',
      key: params.card_external_key,
      fields,
      parents: { epicId: body.epicId, featureId: body.featureId },
      links: { kpis: body.kpis, files: body.files },
      references: references(body),
      ifMatch,
      data,
    })
    return { data: {}, message: 'User story saved', version: row.version }
  },
})

export const listUserStories = operation({
  id: 'listUserStories',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/storyMap/card',
  tag: 'User stories',
  summary: 'List user stories',
  description: 'The newest first, without KPIs and files: those come with the single story.',
  scope: 'backlog:read',
  params: ProductParams,
  query: listQuery(['-createdAt', 'createdAt']),
  data: z.array(WorkItem),
  async handle({ query, db }) {
    const { rows, next } = await queries.listWorkItems(db, 'userstory', query)
    return { data: rows.map(toWorkItem), next }
  },
})

export const getUserStory = operation({
  id: 'getUserStory',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/storyMap/card/{card_external_key}',
  tag: 'User stories',
  summary: 'Retrieve a user story',
  description: 'With the keys of its KPIs, and its files.',
  scope: 'backlog:read',
  params: CardParams,
  data: WorkItemDetail,
  errors: ['user_story_not_found'],
  async handle({ params, db }) {
    const found = await queries.getWorkItem(db, 'userstory', params.card_external_key)
    return { data: toWorkItemDetail(found, params.product_external_key), version: found.row.version }
  },
})
