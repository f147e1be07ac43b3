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
import { ListWorkItems } from '../work-items/list'
import * as create from '../work-items/queries/create'
import * as modify from '../work-items/queries/modify'
import * as read from '../work-items/queries/read'
import * as remove from '../work-items/queries/remove'
import * as restore from '../work-items/queries/restore'
import { toStoryResult } from '../work-items/result'
import { CreateUserStory, ModifyUserStory, WorkItem, WorkItemDetail, WorkItemResult } from '../work-items/schema'

const UserStoryParams = ProductParams.extend({
  card_external_key: externalKey('US', 'The user-story key, like US-1.'),
})

export const createUserStory = operation({
  id: 'createUserStory',
  of: 'userstory',
  route: 'POST /api/initiatives/{product_external_key}/storyMap/card',
  summary: 'Create a user story',
  description: "A story below a feature has the feature's epic. You may leave out `epicId` and `featureId`.",
  params: ProductParams,
  body: CreateUserStory,
  data: WorkItemResult,
  message: 'User story saved',
  location: '/api/initiatives/{product_external_key}/storyMap/card/{externalKey}',
  handle: async ({ body, db }) => ({
    data: toStoryResult(await create.createUserStory(db, await sanitizeDescription(body))),
  }),
})

export const modifyUserStory = operation({
  id: 'modifyUserStory',
  ceiling: declareCeiling(1_000_000, WHOLE_EVENT_COST_REASON),
  of: 'userstory',
  route: 'PUT /api/initiatives/{product_external_key}/storyMap/card/{card_external_key}',
  summary: 'Modify a user story',
  description: 'Changes the fields that you send; `null` clears a field. `epicId` or `featureId` 0 detaches.',
  params: UserStoryParams,
  body: ModifyUserStory,
  acceptsUnknownMembers: true,
  data: z.object({}),
  message: 'User story saved',
  async handle({ params, body, db, ifMatch }) {
    const { version } = await modify.modifyUserStory(db, params, await sanitizeDescription(body), ifMatch)
    return { data: {}, version }
  },
})

export const listUserStories = operation({
  id: 'listUserStories',
  ceiling: declareCeiling(61_000, PARENT_ITEMS_COST_REASON),
  of: 'userstory',
  route: 'GET /api/initiatives/{product_external_key}/storyMap/card',
  summary: 'List user stories',
  description: 'The newest stories first, unless you set `sort`. KPIs and files come only with a single story.',
  params: ProductParams,
  query: ListWorkItems,
  data: z.array(WorkItem),
  handle: ({ query, db }) => read.listUserStories(db, query),
})

export const getUserStory = operation({
  id: 'getUserStory',
  ceiling: declareCeiling(81_000, ALL_LINKS_COST_REASON),
  of: 'userstory',
  route: 'GET /api/initiatives/{product_external_key}/storyMap/card/{card_external_key}',
  summary: 'Retrieve a user story',
  description: 'Includes the files and the keys of KPIs.',
  params: UserStoryParams,
  data: WorkItemDetail,
  handle: async ({ params, db, actor }) => hideFileDetailsInReply(await read.getUserStory(db, params), actor),
})

export const removeUserStory = operation({
  id: 'removeUserStory',
  ceiling: declareCeiling(2_800_000, EACH_LINK_COST_REASON),
  of: 'userstory',
  route: 'DELETE /api/initiatives/{product_external_key}/storyMap/card/{card_external_key}',
  summary: 'Remove a user story',
  description: 'You can restore the story for 30 days.',
  params: UserStoryParams,
  message: 'User story removed',
  handle: ({ params, db, ifMatch }) => remove.removeUserStory(db, params, ifMatch),
})

export const restoreUserStory = operation({
  id: 'restoreUserStory',
  ceiling: declareCeiling(2_400_000, EACH_LINK_COST_REASON),
  of: 'userstory',
  route: 'POST /api/initiatives/{product_external_key}/storyMap/card/{card_external_key}/restore',
  summary: 'Restore a removed user story',
  description: 'The story returns to its feature or epic, unless the parent is removed.',
  params: UserStoryParams,
  data: WorkItemDetail,
  message: 'User story restored',
  async handle({ params, db, actor }) {
    return hideFileDetailsInReply(await restore.restoreUserStory(db, params), actor)
  },
})
