import type { Actor } from '../../db/actor'
import { reads } from '../../http/auth'

interface Attached {
  file: { name: string; path: string; description: string | null }
}

const hidden = ({ file }: Attached) => ({ file: { ...file, name: '', path: '', description: null } })

/** What files hang on, to a key that does not read files: that they hang there, not what they are called or say. */
export function hidingFiles<T extends { files?: unknown }>(holder: T, actor: Pick<Actor, 'scopes'>): T {
  if (!Array.isArray(holder.files) || reads(actor, 'files')) return holder
  return { ...holder, files: (holder.files as Attached[]).map(hidden) }
}

/** The same of a reply. */
export const hidingFilesOf = <R extends { data: { files: unknown } }>(reply: R, actor: Actor): R => ({
  ...reply,
  data: hidingFiles(reply.data, actor),
})
