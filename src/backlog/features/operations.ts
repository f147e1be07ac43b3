import * as z from 'zod'
import { ALL_LINKS, EACH_LINK, ITEMS_OF_PARENT, WHOLE_EVENT, walk } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { externalKey, ProductParams } from '../../http/schemas'
import { hidingFilesOf } from '../../workspace/assets/hiding'
import { described } from '../work-items/description'
import { ListWorkItems, RemoveParent } from '../work-items/list'
import * as create from '../work-items/queries/create'
import * as modify from '../work-items/queries/modify'
import * as read from '../work-items/queries/read'
import * as remove from '../work-items/queries/remove'
import * as restore from '../work-items/queries/restore'
import { toFeatureResult } from '../work-items/result'
import { CreateFeature, FeatureResult, ModifyFeature, WorkItem, WorkItemDetail } from '../work-items/schema'

const FeatureParams = ProductParams.extend({
  feature_external_key: externalKey('FE', 'The feature key, like FE-1.'),
})

export const createFeature = operation({
  id: 'createFeature',
  of: 'feature',
  route: 'POST /api/initiatives/{product_external_key}/features',
  summary: 'Create a feature',
  description: '`epicId` is given when the feature is a child of an epic, and left out otherwise.',
  params: ProductParams,
  body: CreateFeature,
  data: FeatureResult,
  message: 'Feature saved',
  async handle({ params, body, db }) {
    const feature = await create.createFeature(db, await described(body))
    return {
      data: toFeatureResult(feature),
      location: `/api/initiatives/${params.product_external_key}/features/${feature.externalKey}`,
    }
  },
})

export const modifyFeature = operation({
  id: 'modifyFeature',
  ceiling: walk(780_000, WHOLE_EVENT),
  of: 'feature',
  route: 'PUT /api/initiatives/{product_external_key}/features/{feature_external_key}',
  summary: 'Modify a feature',
  description:
    'Changes the fields that are sent; `null` clears one. `kpis` and `files` replace the present links. Its stories follow it to another epic, or to none.',
  params: FeatureParams,
  body: ModifyFeature,
  data: FeatureResult,
  message: 'Feature saved',
  async handle({ params, body, db, ifMatch }) {
    const { data, version } = await modify.modifyFeature(db, params, await described(body), ifMatch)
    return { data: toFeatureResult(data), version }
  },
})

export const listFeatures = operation({
  id: 'listFeatures',
  ceiling: walk(53_000, ITEMS_OF_PARENT),
  of: 'feature',
  route: 'GET /api/initiatives/{product_external_key}/features',
  summary: 'List features',
  description:
    'The newest first unless sorted otherwise, without children, KPIs and files: those come with the single feature.',
  params: ProductParams,
  query: ListWorkItems,
  data: z.array(WorkItem),
  handle: ({ query, db }) => read.listFeatures(db, query),
})

export const getFeature = operation({
  id: 'getFeature',
  ceiling: walk(110_000, ALL_LINKS),
  of: 'feature',
  route: 'GET /api/initiatives/{product_external_key}/features/{feature_external_key}',
  summary: 'Retrieve a feature',
  description: 'With the keys of its user stories and KPIs, and its files.',
  params: FeatureParams,
  data: WorkItemDetail,
  handle: async ({ params, db, actor }) => hidingFilesOf(await read.getFeature(db, params), actor),
})

export const removeFeature = operation({
  id: 'removeFeature',
  ceiling: walk(3_300_000, EACH_LINK),
  of: 'feature',
  route: 'DELETE /api/initiatives/{product_external_key}/features/{feature_external_key}',
  summary: 'Remove a feature',
  description: 'Its stories are detached, or removed too with `?cascade=true`. It can be restored for 30 days.',
  params: FeatureParams,
  query: RemoveParent,
  message: 'Feature removed',
  handle: ({ params, query, db, ifMatch }) =>
    remove.removeFeature(db, params, { cascade: query.cascade === 'true', ifMatch }),
})

export const restoreFeature = operation({
  id: 'restoreFeature',
  ceiling: walk(2_500_000, EACH_LINK),
  of: 'feature',
  route: 'POST /api/initiatives/{product_external_key}/features/{feature_external_key}/restore',
  summary: 'Restore a removed feature',
  description:
    'With what its removal took, and with what it detached, unless that was moved since. In its epic, unless that is removed now.',
  params: FeatureParams,
  data: WorkItemDetail,
  message: 'Feature restored',
  async handle({ params, db, actor }) {
    return hidingFilesOf(await restore.restoreFeature(db, params), actor)
  },
})
