import { slugify, slugifyName } from '../../text/slug'

/** Names of known products with the same meaning, beginning with the status of a new workspace. */
const SYNONYMS = [
  'open, new, opened, reopened, to do, todo, backlog, triage, pending, submitted, received, unstarted',
  'under review, under consideration, considering, reviewing, needs review, needs feedback, gathering feedback',
  'planned, accepted, approved, scheduled, next, on the roadmap, roadmap',
  'in progress, started, doing, in development, in review, QA, in QA, testing, in testing, active, building, wip',
  'completed, complete, done, closed, shipped, released, resolved, implemented, delivered, finished, launched, live',
  "declined, won't do, wont do, won't fix, wont fix, rejected, not planned, canceled, cancelled, will not implement",
  'duplicate, duplicated, merged',
].map((names) => names.split(', ').map(slugify))

const SYNONYMS_BY_SLUG = new Map(SYNONYMS.flatMap((slugs) => slugs.map((slug) => [slug, slugs] as const)))

/** Slugs of the statuses that a name can mean, the best first. */
export function listStatusSlugs(name: string): string[] {
  const words = slugify(name)
  return [...new Set([slugifyName(name), words, ...(SYNONYMS_BY_SLUG.get(words) ?? [])])]
}
