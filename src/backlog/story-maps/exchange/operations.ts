import { declareCeiling, PRODUCT_STORIES_COST_REASON } from '../../../http/ceiling'
import { operation } from '../../../http/operation'
import { ProductParams } from '../../../http/schemas'
import { sanitizeDescription } from '../../work-items/description'
import { getStoryMap } from '../queries'
import { StoryMapDetail, StoryMapParams } from '../schema'
import { toStoryMapDocument } from './document'
import * as queries from './queries'
import { ImportStoryMap, StoryMapDocument } from './schema'

export const exportStoryMap = operation({
  id: 'exportStoryMap',
  ceiling: declareCeiling(45_000, PRODUCT_STORIES_COST_REASON),
  of: 'story_map',
  route: 'GET /api/initiatives/{product_external_key}/storyMap/{storyMapId}/export',
  summary: 'Export a story map',
  description: 'Returns a document that you can import as a copy of the map.',
  weight: 'export',
  params: StoryMapParams,
  data: StoryMapDocument,
  async handle({ params, db }) {
    const { data, version } = await getStoryMap(db, params)
    return { data: toStoryMapDocument(data), version }
  },
})

export const importStoryMap = operation({
  id: 'importStoryMap',
  ceiling: declareCeiling(53_000, PRODUCT_STORIES_COST_REASON),
  of: 'story_map',
  route: 'POST /api/initiatives/{product_external_key}/storyMap/import',
  summary: 'Import a story map',
  description:
    'Creates a map from a document, an export or a retrieved map, also in the envelope of a response. Cards must be user stories of the product.',
  bulk: true,
  params: ProductParams,
  body: ImportStoryMap,
  takesResponse: true,
  data: StoryMapDetail,
  message: 'Story map imported',
  location: '/api/initiatives/{product_external_key}/storyMap/{id}',
  handle: async ({ body, db }) => queries.importStoryMap(db, await sanitizeDescription(body)),
})
