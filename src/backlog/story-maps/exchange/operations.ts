import { operation } from '../../../http/operation'
import { ProductParams } from '../../../http/schemas'
import { described } from '../../work-items/description'
import { getStoryMap } from '../queries'
import { StoryMapDetail, StoryMapParams } from '../schema'
import { toDocument } from './document'
import * as queries from './queries'
import { ImportStoryMap, StoryMapDocument } from './schema'

export const exportStoryMap = operation({
  id: 'exportStoryMap',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}/export',
  tag: 'Story maps',
  summary: 'Export a story map',
  description: 'As a document that an import makes the same map of.',
  scope: 'backlog:read',
  params: StoryMapParams,
  data: StoryMapDocument,
  errors: ['story_map_not_found'],
  async handle({ params, db }) {
    const { data, version } = await getStoryMap(db, params)
    return { data: toDocument(data), version }
  },
})

export const importStoryMap = operation({
  id: 'importStoryMap',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/storyMap/import',
  tag: 'Story maps',
  summary: 'Import a story map',
  description:
    'Makes a map of a document, which an export or a map that was retrieved is too, also in its envelope. Its cards are stories of the product.',
  scope: 'backlog:write',
  bulk: true,
  status: 201,
  params: ProductParams,
  body: ImportStoryMap,
  takesAnswer: true,
  data: StoryMapDetail,
  message: 'Story map imported',
  location: '/api/initiatives/{product_external_key}/storyMap/{id}',
  handle: async ({ body, db }) => queries.importStoryMap(db, await described(body)),
})
