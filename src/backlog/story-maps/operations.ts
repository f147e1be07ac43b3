import * as z from 'zod'
import { PRODUCT_STORIES, walk } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import { described } from '../work-items/description'
import * as queries from './queries'
import { CreateStoryMap, ListStoryMaps, ModifyStoryMap, StoryMap, StoryMapDetail, StoryMapParams } from './schema'

export const createStoryMap = operation({
  id: 'createStoryMap',
  ceiling: walk(53_000, PRODUCT_STORIES),
  of: 'story_map',
  route: 'POST /api/initiatives/{product_external_key}/storyMap',
  summary: 'Create a story map',
  description: 'An empty one.',
  params: ProductParams,
  body: CreateStoryMap,
  data: StoryMapDetail,
  message: 'Story map saved',
  location: '/api/initiatives/{product_external_key}/storyMap/{id}',
  handle: async ({ body, db }) => queries.createStoryMap(db, await described(body)),
})

export const listStoryMaps = operation({
  id: 'listStoryMaps',
  of: 'story_map',
  route: 'GET /api/initiatives/{product_external_key}/storyMap',
  summary: 'List story maps',
  description: 'The newest first, without what is in them: that comes with the single map.',
  params: ProductParams,
  query: ListStoryMaps,
  data: z.array(StoryMap),
  handle: ({ query, db }) => queries.listStoryMaps(db, query),
})

export const getStoryMap = operation({
  id: 'getStoryMap',
  ceiling: walk(45_000, PRODUCT_STORIES),
  of: 'story_map',
  route: 'GET /api/initiatives/{product_external_key}/storyMap/{storyMapId}',
  summary: 'Retrieve a story map',
  description: 'The whole map, everything in its order. A story that is removed is not on it until it is restored.',
  params: StoryMapParams,
  data: StoryMapDetail,
  handle: ({ params, db }) => queries.getStoryMap(db, params),
})

export const modifyStoryMap = operation({
  id: 'modifyStoryMap',
  ceiling: walk(42_000, PRODUCT_STORIES),
  of: 'story_map',
  route: 'PUT /api/initiatives/{product_external_key}/storyMap/{storyMapId}',
  summary: 'Modify a story map',
  description: 'Changes its title and description; `null` clears the latter.',
  params: StoryMapParams,
  body: ModifyStoryMap,
  data: StoryMapDetail,
  message: 'Story map saved',
  async handle({ params, body, db, ifMatch }) {
    const saved = await queries.modifyStoryMap(db, params, await described(body), ifMatch)
    return saved
  },
})

export const removeStoryMap = operation({
  id: 'removeStoryMap',
  ceiling: walk(27_000, PRODUCT_STORIES),
  of: 'story_map',
  route: 'DELETE /api/initiatives/{product_external_key}/storyMap/{storyMapId}',
  summary: 'Remove a story map',
  description: 'With everything in it; its user stories stay. It can be restored for 30 days.',
  params: StoryMapParams,
  message: 'Story map removed',
  handle: ({ params, db, ifMatch }) => queries.removeStoryMap(db, params, ifMatch),
})

export const restoreStoryMap = operation({
  id: 'restoreStoryMap',
  ceiling: walk(53_000, PRODUCT_STORIES),
  of: 'story_map',
  route: 'POST /api/initiatives/{product_external_key}/storyMap/{storyMapId}/restore',
  summary: 'Restore a removed story map',
  description: 'With everything in it.',
  params: StoryMapParams,
  data: StoryMapDetail,
  message: 'Story map restored',
  handle: ({ params, db }) => queries.restoreStoryMap(db, params),
})
