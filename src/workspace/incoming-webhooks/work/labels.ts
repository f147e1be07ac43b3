import { namesOf } from '../names'
import type { PlannedLabels } from '../plan'
import type { Reply, RequestSender } from './requests'

/** Labels that have left the issue since the last delivery, or with this one. */
export function findLeftLabels({ present, former }: PlannedLabels, known: readonly string[]): string[] {
  const kept = new Set(present)
  return [...new Set([...former, ...known])].filter((label) => !kept.has(label))
}

// Somebody changes the record between the answer and the request.
const MAX_TRIES = 3

/**
 * Takes tags off a record, and leaves all others, also those that somebody adds meanwhile. Returns the last reply, or
 * undefined if the record has none of the tags. `reply`: an answer with the record.
 */
export async function removeTags(
  left: readonly string[],
  { reply, path, send }: { reply: Reply; path: string; send: RequestSender },
): Promise<Reply | undefined> {
  if (!findTags(left, reply)) return undefined
  let changed: Reply | undefined
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    // Only the answer to a read has the version that the change asks for.
    const read = await send({ method: 'GET', path })
    if (!read.response.ok) return read
    const body = findTags(left, read)
    if (!body) return changed
    changed = await send({ method: 'PUT', path, body, ifMatch: read.response.headers.get('etag') ?? '' })
    if (changed.response.status !== 412) return changed
  }
  return changed
}

/** A body with the tags that stay; undefined if none leaves. */
function findTags(left: readonly string[], { data }: Reply): { tags: unknown } | undefined {
  // A work item has a serialized list, and an idea has records.
  const tags: unknown = typeof data?.tags === 'string' ? JSON.parse(data.tags) : data?.tags
  const names = (Array.isArray(tags) ? tags : []).map((tag: string | { key: string }) =>
    typeof tag === 'object' ? tag.key : tag,
  )
  const stays = names.filter((name) => !left.includes(namesOf([name])[0] ?? ''))
  if (stays.length === names.length) return undefined
  return { tags: typeof data?.tags === 'string' ? JSON.stringify(stays) : stays }
}
