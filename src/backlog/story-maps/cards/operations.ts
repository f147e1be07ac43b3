import { operation } from '../../../http/operation'
import * as queries from './queries'
import { Card, CardParams, PlaceCard } from './schema'

export const placeStoryMapCard = operation({
  id: 'placeStoryMapCard',
  of: 'story_map',
  route: 'PUT /api/initiatives/{product_external_key}/storyMap/{storyMapId}/cards/{map_card_external_key}',
  summary: 'Place a card on a story map',
  description:
    'Puts a user story into a step, or moves it there: a story has one card on a map. Without `beforeKey` and `afterKey` it comes to the end of another step, and stays where it is in its own.',
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
  summary: 'Take a card off a story map',
  description: 'The user story stays.',
  params: CardParams,
  errors: ['story_map_not_found', 'user_story_not_found'],
  message: 'Card removed',
  conditional: false,
  handle: ({ params, db }) => queries.removeCard(db, params),
})
