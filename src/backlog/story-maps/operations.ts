import * as z from 'zod'
import { declareCeiling, PRODUCT_STORIES_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import { sanitizeDescription } from '../work-items/description'
import * as queries from './queries'
import { CreateStoryMap, ListStoryMaps, ModifyStoryMap, StoryMap, StoryMapDetail, StoryMapParams } from './schema'

export const createStoryMap = operation({
  id: 'createStoryMap',
  ceiling: declareCeiling(53_000, PRODUCT_STORIES_COST_REASON),
  of: 'story_map',
  route: 'POST /api/initiatives/{product_external_key}/storyMap',
  summary: 'Create a story map',
  description: 'The new map is empty.',
  params: ProductParams,
  body: CreateStoryMap,
  data: StoryMapDetail,
  message: 'Story map saved',
  location: '/api/initiatives/{product_external_key}/storyMap/{id}',
  handle: async ({ body, db }) => queries.createStoryMap(db, await sanitizeDescription(body)),
})

export const listStoryMaps = operation({
  id: 'listStoryMaps',
  of: 'story_map',
  route: 'GET /api/initiatives/{product_external_key}/storyMap',
  summary: 'List story maps',
  description: 'The newest maps first, unless you set `sort`. The content comes only with a single map.',
  params: ProductParams,
  query: ListStoryMaps,
  data: z.array(StoryMap),
  handle: ({ query, db }) => queries.listStoryMaps(db, query),
})

export const getStoryMap = operation({
  id: 'getStoryMap',
  ceiling: declareCeiling(45_000, PRODUCT_STORIES_COST_REASON),
  of: 'story_map',
  route: 'GET /api/initiatives/{product_external_key}/storyMap/{storyMapId}',
  summary: 'Retrieve a story map',
  description: 'The whole map, with all parts in their order. A removed story is hidden until you restore the story.',
  params: StoryMapParams,
  data: StoryMapDetail,
  handle: ({ params, db }) => queries.getStoryMap(db, params),
})

export const modifyStoryMap = operation({
  id: 'modifyStoryMap',
  ceiling: declareCeiling(42_000, PRODUCT_STORIES_COST_REASON),
  of: 'story_map',
  route: 'PUT /api/initiatives/{product_external_key}/storyMap/{storyMapId}',
  summary: 'Modify a story map',
  description: 'Changes the title and the description; `null` clears the description.',
  params: StoryMapParams,
  body: ModifyStoryMap,
  data: StoryMapDetail,
  message: 'Story map saved',
  async handle({ params, body, db, ifMatch }) {
    const saved = await queries.modifyStoryMap(db, params, await sanitizeDescription(body), ifMatch)
    return saved
  },
})

export const removeStoryMap = operation({
  id: 'removeStoryMap',
  ceiling: declareCeiling(27_000, PRODUCT_STORIES_COST_REASON),
  of: 'story_map',
  route: 'DELETE /api/initiatives/{product_external_key}/storyMap/{storyMapId}',
  summary: 'Remove a story map',
  description: 'Removes the content too; the user stories stay. You can restore the map for 30 days.',
  params: StoryMapParams,
  message: 'Story map removed',
  handle: ({ params, db, ifMatch }) => queries.removeStoryMap(db, params, ifMatch),
})

export const restoreStoryMap = operation({
  id: 'restoreStoryMap',
  ceiling: declareCeiling(53_000, PRODUCT_STORIES_COST_REASON),
  of: 'story_map',
  route: 'POST /api/initiatives/{product_external_key}/storyMap/{storyMapId}/restore',
  summary: 'Restore a removed story map',
  description: 'Restores the content too.',
  params: StoryMapParams,
  data: StoryMapDetail,
  message: 'Story map restored',
  handle: ({ params, db }) => queries.restoreStoryMap(db, params),
})
