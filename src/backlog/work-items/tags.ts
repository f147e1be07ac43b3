import { slugify } from '../../text/slug'

// Each is a row of an index; an item with more is found by its first ones.
const MAX_TAGS = 200

/** The slugs by which a work item is found: those of its tags, a serialized JSON array of texts and numbers. */
export function slugsOf(tags: string): string[] {
  const slugs = new Set<string>()
  for (const tag of JSON.parse(tags) as (string | number)[]) {
    const slug = slugify(String(tag))
    if (slug) slugs.add(slug)
    if (slugs.size === MAX_TAGS) break
  }
  return [...slugs]
}
