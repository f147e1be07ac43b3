import { slugify } from '../../text/slug'

// Each tag takes an index row; an item with more tags is found by the first tags only.
const MAX_TAGS = 200

/** Slugs of the tags of a work item; `tags` is a serialized JSON array of texts and numbers. */
export function slugsOf(tags: string): string[] {
  const slugs = new Set<string>()
  for (const tag of JSON.parse(tags) as (string | number)[]) {
    const slug = slugify(String(tag))
    if (slug) slugs.add(slug)
    if (slugs.size === MAX_TAGS) break
  }
  return [...slugs]
}
