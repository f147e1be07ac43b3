import * as z from 'zod'
import {
  ALL_LINKS_COST_REASON,
  declareCeiling,
  EACH_LINK_COST_REASON,
  PARENT_ITEMS_COST_REASON,
  WHOLE_EVENT_COST_REASON,
} from '../../http/ceiling'
import { operation } from '../../http/operation'
import { externalKey, ProductParams } from '../../http/schemas'
import { hideFileDetailsInReply } from '../../workspace/assets/hide-details'
import { sanitizeDescription } from '../work-items/description'
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
  storesRecords: true,
  summary: 'Create a feature',
  description: 'Send `epicId` to make the feature a child of an epic.',
  params: ProductParams,
  body: CreateFeature,
  acceptsUnknownMembers: true,
  data: FeatureResult,
  message: 'Feature saved',
  async handle({ params, body, db }) {
    const feature = await create.createFeature(db, await sanitizeDescription(body))
    return {
      data: toFeatureResult(feature),
      location: `/api/initiatives/${params.product_external_key}/features/${feature.externalKey}`,
    }
  },
})

export const modifyFeature = operation({
  id: 'modifyFeature',
  ceiling: declareCeiling(780_000, WHOLE_EVENT_COST_REASON),
  of: 'feature',
  route: 'PUT /api/initiatives/{product_external_key}/features/{feature_external_key}',
  summary: 'Modify a feature',
  description:
    'Changes the fields that you send; `null` clears a field. `kpis` and `files` replace the present links. Stories of the feature follow to its new epic, or to none.',
  params: FeatureParams,
  body: ModifyFeature,
  data: FeatureResult,
  message: 'Feature saved',
  async handle({ params, body, db, ifMatch }) {
    const { data, version } = await modify.modifyFeature(db, params, await sanitizeDescription(body), ifMatch)
    return { data: toFeatureResult(data), version }
  },
})

export const listFeatures = operation({
  id: 'listFeatures',
  ceiling: declareCeiling(53_000, PARENT_ITEMS_COST_REASON),
  of: 'feature',
  route: 'GET /api/initiatives/{product_external_key}/features',
  summary: 'List features',
  description:
    'The newest features first, unless you set `sort`. Children, KPIs and files come only with a single feature.',
  params: ProductParams,
  query: ListWorkItems,
  data: z.array(WorkItem),
  handle: ({ query, db }) => read.listFeatures(db, query),
})

export const getFeature = operation({
  id: 'getFeature',
  ceiling: declareCeiling(110_000, ALL_LINKS_COST_REASON),
  of: 'feature',
  route: 'GET /api/initiatives/{product_external_key}/features/{feature_external_key}',
  summary: 'Retrieve a feature',
  description: 'Includes the files and the keys of user stories and KPIs.',
  params: FeatureParams,
  data: WorkItemDetail,
  handle: async ({ params, db, actor }) => hideFileDetailsInReply(await read.getFeature(db, params), actor),
})

export const removeFeature = operation({
  id: 'removeFeature',
  ceiling: declareCeiling(3_300_000, EACH_LINK_COST_REASON),
  of: 'feature',
  route: 'DELETE /api/initiatives/{product_external_key}/features/{feature_external_key}',
  summary: 'Remove a feature',
  description:
    'Stories of the feature are detached, or removed too with `?cascade=true`. You can restore the feature for 30 days.',
  params: FeatureParams,
  query: RemoveParent,
  message: 'Feature removed',
  handle: ({ params, query, db, ifMatch }) =>
    remove.removeFeature(db, params, { cascade: query.cascade === 'true', ifMatch }),
})

export const restoreFeature = operation({
  id: 'restoreFeature',
  ceiling: declareCeiling(2_500_000, EACH_LINK_COST_REASON),
  of: 'feature',
  route: 'POST /api/initiatives/{product_external_key}/features/{feature_external_key}/restore',
  summary: 'Restore a removed feature',
  description:
    'Stories that the removal took or detached return too, unless moved since. The feature returns to its epic, unless the epic is removed.',
  params: FeatureParams,
  data: WorkItemDetail,
  message: 'Feature restored',
  async handle({ params, db, actor }) {
    return hideFileDetailsInReply(await restore.restoreFeature(db, params), actor)
  },
})
