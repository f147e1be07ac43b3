import { jsonText } from '../../http/schemas'
import { slugifyName } from '../../text/slug'

export const MAX_TAGS_LENGTH = 20_000
// An item with more tags is found by the first tags only.
const MAX_INDEXED_TAGS = 200

export function listTagSlugs(tags: string): string[] {
  const slugs = new Set<string>()
  for (const tag of JSON.parse(tags) as (string | number)[]) {
    const slug = slugifyName(String(tag))
    if (slug) slugs.add(slug)
    if (slugs.size === MAX_INDEXED_TAGS) break
  }
  return [...slugs]
}

export const createTagsSchema = () =>
  jsonText(
    MAX_TAGS_LENGTH,
    isPlainArray,
    'Must be a JSON array of texts serialized as a string, like "[\\"mobile\\"]"',
  ).meta({ examples: ['["mobile"]'] })

const isPlainArray = (items: unknown): boolean =>
  Array.isArray(items) && items.every((item) => typeof item === 'string' || typeof item === 'number')
