import type * as z from 'zod'
import type { Reference } from '../../db/references'
import { sanitize } from '../../text/html'
import { slugify } from '../../text/slug'
import type { TagName } from './queries/tags'
import type { ModifyFeedbackItem } from './schema'

/** Names of tags, each slug once. */
export const tagNames = (names: readonly string[]): TagName[] =>
  Array.from(new Map(names.map((name) => [slugify(name), name])), ([slug, name]): TagName => [name, slug])

/** The body as it is stored, its tags each slug once, and what it refers to. */
export async function readItem<B extends z.output<typeof ModifyFeedbackItem>>(body: B) {
  const { long_description, category_id, status_id, tags, cover_photos = [] } = body
  const references: Reference[] = cover_photos.map((value, n) => ({
    ...{ kind: 'image', path: `/cover_photos/${n}`, value },
  }))
  if (category_id != null) references.push({ kind: 'category', path: '/category_id', value: category_id })
  if (status_id != null) references.push({ kind: 'feedbackStatus', path: '/status_id', value: status_id })
  return {
    body: long_description
      ? { ...body, long_description: await sanitize(long_description, '/long_description') }
      : body,
    tags: tags && tagNames(tags),
    references,
  }
}
