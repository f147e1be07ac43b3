import { sql } from 'drizzle-orm'
import { portals } from '../schema/portals'
import { param, statement } from '../sql/statement'
import type { Store } from './client'

const selectWorkspaceOfPortal = statement<{ id: number }, { slug: string }>(sql`SELECT ${portals.subscriptionId} AS "id"
  FROM ${portals} WHERE ${portals.slug} = ${param('slug')}`)

// The request's own batch checks that the workspace still has the slug.
const workspaceBySlug = new Map<string, { id: number; until: number }>()
const WORKSPACE_TTL_MS = 60_000
const MAX_REMEMBERED_SLUGS = 1_000

/** Id of the workspace whose portal has the slug; undefined if no portal has the slug. */
export async function findWorkspaceOfPortal(store: Store, slug: string, now: number): Promise<number | undefined> {
  const known = workspaceBySlug.get(slug)
  if (known && known.until > now) return known.id
  const [[found]] = await store.batch(null, selectWorkspaceOfPortal({ slug }))
  if (!found) return undefined
  if (workspaceBySlug.size >= MAX_REMEMBERED_SLUGS) workspaceBySlug.clear()
  workspaceBySlug.set(slug, { id: found.id, until: now + WORKSPACE_TTL_MS })
  return found.id
}

/** After a refusal the slug may belong to another workspace. */
export function forgetPortal(slug: string): void {
  workspaceBySlug.delete(slug)
}
