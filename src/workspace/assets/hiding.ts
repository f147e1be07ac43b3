import type { Actor } from '../../db/actor'
import { reads } from '../../http/auth'

interface Attached {
  file: { name: string; path: string; description: string | null }
}

const hidden = ({ file }: Attached) => ({ file: { ...file, name: '', path: '', description: null } })

/**
 * Hides names, paths and descriptions of attached files from a key without access to files. The number of files stays
 * visible.
 */
export function hidingFiles<T extends { files?: unknown }>(holder: T, actor: Pick<Actor, 'scopes'>): T {
  if (!Array.isArray(holder.files) || reads(actor, 'files')) return holder
  return { ...holder, files: (holder.files as Attached[]).map(hidden) }
}

export const hidingFilesOf = <R extends { data: { files: unknown } }>(reply: R, actor: Actor): R => ({
  ...reply,
  data: hidingFiles(reply.data, actor),
})
