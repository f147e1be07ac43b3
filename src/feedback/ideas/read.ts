import type * as z from 'zod'
import { referencesTo, referenceTo } from '../../db/sql/references'
import { sanitizeRichText } from '../../text/html/rich-text'
import { slugifyName } from '../../text/slug'
import type { TagName } from './queries/tags'
import type { ModifyFeedbackItem } from './schema'

export const toTagNames = (names: readonly string[]): TagName[] =>
  Array.from(new Map(names.map((name) => [slugifyName(name), name])), ([slug, name]): TagName => [name, slug])

export async function readFeedbackBody<B extends z.output<typeof ModifyFeedbackItem>>(body: B) {
  const { long_description, category_id, status_id, tags, cover_photos } = body
  return {
    body: long_description
      ? { ...body, long_description: await sanitizeRichText(long_description, '/long_description') }
      : body,
    tags: tags && toTagNames(tags),
    references: [
      ...referencesTo('image', '/cover_photos', cover_photos),
      ...referenceTo('category', '/category_id', category_id),
      ...referenceTo('feedbackStatus', '/status_id', status_id),
    ],
  }
}
