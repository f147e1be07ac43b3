import * as z from 'zod'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import { described } from '../work-items/description'
import * as queries from './queries'
import { CreateStoryMap, ListStoryMaps, ModifyStoryMap, StoryMap, StoryMapDetail, StoryMapParams } from './schema'

export const createStoryMap = operation({
  id: 'createStoryMap',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/storyMap',
  tag: 'Story maps',
  summary: 'Create a story map',
  description: 'An empty one.',
  scope: 'backlog:write',
  status: 201,
  params: ProductParams,
  body: CreateStoryMap,
  data: StoryMapDetail,
  message: 'Story map saved',
  location: '/api/initiatives/{product_external_key}/storyMap/{id}',
  handle: async ({ body, db }) => queries.createStoryMap(db, await described(body)),
})

export const listStoryMaps = operation({
  id: 'listStoryMaps',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/storyMap',
  tag: 'Story maps',
  summary: 'List story maps',
  description: 'The newest first, without what is in them: that comes with the single map.',
  scope: 'backlog:read',
  params: ProductParams,
  query: ListStoryMaps,
  data: z.array(StoryMap),
  handle: ({ query, db }) => queries.listStoryMaps(db, query),
})

export const getStoryMap = operation({
  id: 'getStoryMap',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}',
  tag: 'Story maps',
  summary: 'Retrieve a story map',
  description: 'The whole map, everything in its order. A story that is removed is not on it until it is restored.',
  scope: 'backlog:read',
  params: StoryMapParams,
  data: StoryMapDetail,
  errors: ['story_map_not_found'],
  handle: ({ params, db }) => queries.getStoryMap(db, params),
})

export const modifyStoryMap = operation({
  id: 'modifyStoryMap',
  method: 'put',
  path: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}',
  tag: 'Story maps',
  summary: 'Modify a story map',
  description: 'Changes its title and description; `null` clears the latter.',
  scope: 'backlog:write',
  params: StoryMapParams,
  body: ModifyStoryMap,
  data: StoryMapDetail,
  errors: ['story_map_not_found'],
  conditional: true,
  async handle({ params, body, db, ifMatch }) {
    const saved = await queries.modifyStoryMap(db, params, await described(body), ifMatch)
    return { ...saved, message: 'Story map saved' }
  },
})

export const removeStoryMap = operation({
  id: 'removeStoryMap',
  method: 'delete',
  path: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}',
  tag: 'Story maps',
  summary: 'Remove a story map',
  description: 'With everything in it; its user stories stay. It can be restored for 30 days.',
  scope: 'backlog:write',
  params: StoryMapParams,
  data: z.object({}),
  errors: ['story_map_not_found'],
  conditional: true,
  message: 'Story map removed',
  handle: ({ params, db, ifMatch }) => queries.removeStoryMap(db, params, ifMatch),
})

export const restoreStoryMap = operation({
  id: 'restoreStoryMap',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}/restore',
  tag: 'Story maps',
  summary: 'Restore a removed story map',
  description: 'With everything in it.',
  scope: 'backlog:write',
  params: StoryMapParams,
  data: StoryMapDetail,
  errors: ['story_map_not_found'],
  message: 'Story map restored',
  handle: ({ params, db }) => queries.restoreStoryMap(db, params),
})
