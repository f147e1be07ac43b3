import { operation } from '../../../http/operation'
import * as queries from './queries'
import { Card, CardParams, PlaceCard } from './schema'

export const placeStoryMapCard = operation({
  id: 'placeStoryMapCard',
  of: 'story_map',
  route: 'PUT /api/initiatives/{product_external_key}/storyMap/{storyMapId}/cards/{map_card_external_key}',
  summary: 'Place a card on a story map',
  description:
    'Puts a user story into a step, or moves its card: a story has one card on a map. The card goes to the end of a new step, or keeps its place in its step, unless you send `beforeKey` or `afterKey`.',
  params: CardParams,
  body: PlaceCard,
  data: Card,
  errors: ['story_map_not_found', 'user_story_not_found'],
  message: 'Card placed',
  conditional: false,
  handle: ({ params, body, db }) => queries.placeCard(db, params, body),
})

export const removeStoryMapCard = operation({
  id: 'removeStoryMapCard',
  of: 'story_map',
  route: 'DELETE /api/initiatives/{product_external_key}/storyMap/{storyMapId}/cards/{map_card_external_key}',
  summary: 'Remove a card from a story map',
  description: 'The user story stays.',
  params: CardParams,
  errors: ['story_map_not_found', 'user_story_not_found'],
  message: 'Card removed',
  conditional: false,
  handle: ({ params, db }) => queries.removeCard(db, params),
})
