import type { Actor } from '../../db/sql/actor'
import { canRead } from '../../http/auth'

interface AttachedFile {
  file: { name: string; path: string; description: string | null }
}

export function hideFileDetails<T extends { files?: unknown }>(owner: T, actor: Pick<Actor, 'scopes'>): T {
  if (!Array.isArray(owner.files) || canRead(actor, 'files')) return owner
  const files = (owner.files as AttachedFile[]).map(({ file }) => ({ ...file, name: '', path: '', description: null }))
  return { ...owner, files: files.map((file) => ({ file })) }
}

export const hideFileDetailsInReply = <R extends { data: { files: unknown } }>(reply: R, actor: Actor): R => ({
  ...reply,
  data: hideFileDetails(reply.data, actor),
})
