import { slugify } from '../../text/slug'

// An item with more tags is found by the first tags only.
const MAX_INDEXED_TAGS = 200

export function listTagSlugs(tags: string): string[] {
  const slugs = new Set<string>()
  for (const tag of JSON.parse(tags) as (string | number)[]) {
    const slug = slugify(String(tag))
    if (slug) slugs.add(slug)
    if (slugs.size === MAX_INDEXED_TAGS) break
  }
  return [...slugs]
}
