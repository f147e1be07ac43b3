import * as z from 'zod'
import { operation } from '../../http/operation'
import { listQuery } from '../../http/pagination'
import { externalKey, ProductParams } from '../../http/schemas'
import { prepare } from '../work-items/change'
import * as queries from '../work-items/queries'
import { references } from '../work-items/references'
import { toFeatureResult, toWorkItem, toWorkItemDetail } from '../work-items/result'
import { CreateFeature, FeatureResult, WorkItem, WorkItemDetail } from '../work-items/schema'

const FeatureParams = ProductParams.extend({
  feature_external_key: externalKey('FE', 'The feature key, like FE-1.'),
})

export const createFeature = operation({
  id: 'createFeature',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/features',
  tag: 'Features',
  summary: 'Create a feature',
  description: '`epicId` is given when the feature is a child of an epic, and left out otherwise.',
  scope: 'backlog:write',
  params: ProductParams,
  body: CreateFeature,
  data: FeatureResult,
  async handle({ params, body, db }) {
    const { fields, data } = await prepare(body)
    const row = await queries.createWorkItem(db, {
      type: 'feature',
      fields,
      epicId: body.epicId,
      children: { userStories: body.userStories },
      references: references(body),
      data,
    })
    return {
      data: toFeatureResult(row, body, fields),
      message: 'Feature saved',
      location: `/api/initiatives/${params.product_external_key}/features/${row.externalKey}`,
    }
  },
})

export const listFeatures = operation({
  id: 'listFeatures',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/features',
  tag: 'Features',
  summary: 'List features',
  description: 'The newest first, without children, KPIs and files: those come with the single feature.',
  scope: 'backlog:read',
  params: ProductParams,
  query: listQuery(['-createdAt', 'createdAt']),
  data: z.array(WorkItem),
  async handle({ query, db }) {
    const { rows, next } = await queries.listWorkItems(db, 'feature', query)
    return { data: rows.map(toWorkItem), next }
  },
})

export const getFeature = operation({
  id: 'getFeature',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/features/{feature_external_key}',
  tag: 'Features',
  summary: 'Retrieve a feature',
  description: 'With the keys of its user stories and KPIs, and its files.',
  scope: 'backlog:read',
  params: FeatureParams,
  data: WorkItemDetail,
  errors: ['feature_not_found'],
  async handle({ params, db }) {
    const found = await queries.getWorkItem(db, 'feature', params.feature_external_key)
    return { data: toWorkItemDetail(found, params.product_external_key), version: found.row.version }
  },
})
